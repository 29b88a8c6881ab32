import { expect, it } from "vitest";
import { formatMoney, formatNumber } from "./money.ts";

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

it.each([0, 1, 9, 10, 99, 100, 999, 9_900, 99_999, 100_000, 123_456, 99_999_999, 100_000_000, 1_234_567_890_12])(
  "writes %i cents as the platform does, taken away too",
  (cents) => {
    expect(formatMoney(cents)).toBe(dollars.format(cents / 100));
    expect(formatMoney(-cents)).toBe(dollars.format(-cents / 100 || 0));
  },
);

it("writes whole numbers as the platform does", () => {
  for (const value of [0, 7, 12, 123, 1_234, 12_345, 123_456, 1_234_567, -1_234])
    expect(formatNumber(value)).toBe(value.toLocaleString("en-US"));
});
