import { expect, it } from "vitest";
import { decimalMoney, formatMoney, formatMoneyShort, formatNumber } from "./money.ts";

it.each([
  [0, "$0.00", "$0", "0.00"],
  [-0, "$0.00", "$0", "0.00"],
  [999, "$9.99", "$9.99", "9.99"],
  [10_000, "$100.00", "$100", "100.00"],
  [-123_456, "-$1,234.56", "-$1,234.56", "-1234.56"],
])("%i cents are %s, %s in a sentence and %s for machines", (cents, money, short, decimal) => {
  expect([formatMoney(cents), formatMoneyShort(cents), decimalMoney(cents)]).toEqual([money, short, decimal]);
});

it("formats numbers with commas", () => expect(formatNumber(1_234_567)).toBe("1,234,567"));
