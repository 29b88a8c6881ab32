import { expect, it } from "vitest";
import { formatMoneyShort } from "./money.ts";
import { dayText } from "./policy-text.ts";

it("a day reads as a sentence says it, the same everywhere on earth", () => {
  expect(dayText("2026-03-09")).toBe("March 9, 2026");
});

it.each([
  [75_00, "$75"],
  [10_000_00, "$10,000"],
  [7_99, "$7.99"],
  [100_50, "$100.50"],
])("%i cents read %s in a sentence", (cents, text) => {
  expect(formatMoneyShort(cents)).toBe(text);
});
