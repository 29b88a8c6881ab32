import { expect, it } from "vitest";
import { withUnit, type Range, type Unit } from "./units.ts";

it.each<[number | Range, Unit, string]>([
  [1, "year", "1 year"],
  [2, "year", "2 years"],
  [0, "day", "0 days"],
  [{ min: 5, max: 7 }, "business day", "5-7 business days"],
  [{ min: 1, max: 2 }, "business day", "1-2 business days"],
  [{ min: 1, max: 1 }, "business day", "1 business day"],
  [{ min: 3, max: 3 }, "day", "3 days"],
])("%j of a %s reads %s", (amount, unit, text) => {
  expect(withUnit(amount, unit)).toBe(text);
});
