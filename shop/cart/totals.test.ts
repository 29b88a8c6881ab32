import { describe, expect, test } from "vitest";
import { cartTotals, shippingPrice, type ShippingMethod } from "./totals.ts";

const line = (unitPriceCents: number, quantity = 1) => ({ unitPriceCents, quantity });

describe("cartTotals", () => {
  test.each<
    [
      name: string,
      lines: ReturnType<typeof line>[],
      method: ShippingMethod,
      expected: [items: number, subtotal: number, shipping: number, total: number, gap: number],
    ]
  >([
    ["nothing costs nothing, shipping included", [], "standard", [0, 0, 0, 0, 100_00]],
    ["nothing costs nothing by any method", [], "overnight", [0, 0, 0, 0, 100_00]],
    ["one small thing pays for shipping", [line(24_00)], "standard", [1, 24_00, 9_99, 33_99, 76_00]],
    ["a cent below the threshold", [line(99_99)], "standard", [1, 99_99, 9_99, 109_98, 1]],
    ["the threshold itself ships free", [line(100_00)], "standard", [1, 100_00, 0, 100_00, 0]],
    ["the early-bird bowl alone stays below it", [line(99_00)], "standard", [1, 99_00, 9_99, 108_99, 1_00]],
    ["quantities multiply", [line(19_00, 3)], "standard", [3, 57_00, 9_99, 66_99, 43_00]],
    ["lines add up", [line(99_00, 2), line(24_00), line(12_00, 3)], "standard", [6, 258_00, 0, 258_00, 0]],
    ["express below the threshold", [line(59_00)], "express", [1, 59_00, 19_99, 78_99, 41_00]],
    ["overnight below the threshold", [line(59_00)], "overnight", [1, 59_00, 34_99, 93_99, 41_00]],
    ["express is free from the threshold", [line(50_00, 2)], "express", [2, 100_00, 0, 100_00, 0]],
    ["overnight is free from the threshold", [line(149_00)], "overnight", [1, 149_00, 0, 149_00, 0]],
    ["something free of charge still ships", [line(0)], "standard", [1, 0, 9_99, 9_99, 100_00]],
    ["ten of everything stays exact", [line(19_99, 10), line(34_95, 10)], "standard", [20, 549_40, 0, 549_40, 0]],
  ])("%s", (_name, lines, method, [itemCount, subtotalCents, shippingCents, totalCents, freeShippingGapCents]) => {
    expect(cartTotals(lines, method)).toEqual({
      itemCount,
      subtotalCents,
      shippingCents,
      taxCents: 0,
      totalCents,
      freeShippingGapCents,
    });
  });

  test("standard shipping is meant where no method is named", () => {
    expect(cartTotals([line(24_00)])).toEqual(cartTotals([line(24_00)], "standard"));
  });
});

test.each<[ShippingMethod, number, number]>([
  ["standard", 0, 9_99],
  ["standard", 99_99, 9_99],
  ["standard", 100_00, 0],
  ["express", 99_99, 19_99],
  ["express", 100_00, 0],
  ["overnight", 99_99, 34_99],
  ["overnight", 100_00, 0],
])("%s at a subtotal of %i cents costs %i", (method, subtotal, price) => {
  expect(shippingPrice(method, subtotal)).toBe(price);
});
