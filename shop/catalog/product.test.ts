import { expect, it } from "vitest";
import { specLabel, specList, specValue } from "./product.ts";

it.each([
  ["battery_life_hours", 48, "battery life hours", "48 hours"],
  ["warranty_years", 1, "warranty years", "1 year"],
  ["temperature_range_f", "34–54", "temperature range f", "34–54 °F"],
  ["capacity_l", 4.2, "capacity l", "4.2 L"],
  ["fits", "Polara Pro and Classic", "fits", "Polara Pro and Classic"],
])("%s reads well", (key, value, label, text) => {
  expect(specLabel(key)).toBe(label);
  expect(specValue(key, value)).toBe(text);
});

it("specs come in the order a shopper asks, unknown ones last", () => {
  expect(specList({ scent: "none", warranty_years: 2, capacity_l: 4.2 })).toEqual([
    ["capacity_l", 4.2],
    ["warranty_years", 2],
    ["scent", "none"],
  ]);
});
