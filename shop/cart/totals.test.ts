import { describe, expect, test } from "vitest";
import { FREE_SHIPPING_FROM_CENTS as FREE_FROM, shippingPrice, type ShippingMethod } from "../shipping/methods.ts";
import { cartTotals } from "./totals.ts";

const line = (unitPriceCents: number, quantity = 1) => ({ unitPriceCents, quantity });
const [standard, express, overnight] = (["standard", "express", "overnight"] as const).map((method) =>
  shippingPrice(method, 0),
) as [number, number, number];

describe("cartTotals", () => {
  test.each<
    [
      name: string,
      lines: ReturnType<typeof line>[],
      method: ShippingMethod,
      expected: [items: number, subtotal: number, shipping: number, total: number, gap: number],
    ]
  >([
    ["nothing costs nothing, shipping included", [], "standard", [0, 0, 0, 0, FREE_FROM]],
    ["nothing costs nothing by any method", [], "overnight", [0, 0, 0, 0, FREE_FROM]],
    [
      "one small thing pays for shipping",
      [line(7_00)],
      "standard",
      [1, 7_00, standard, 7_00 + standard, FREE_FROM - 7_00],
    ],
    [
      "a cent below the threshold",
      [line(FREE_FROM - 1)],
      "standard",
      [1, FREE_FROM - 1, standard, FREE_FROM - 1 + standard, 1],
    ],
    ["the threshold itself ships free", [line(FREE_FROM)], "standard", [1, FREE_FROM, 0, FREE_FROM, 0]],
    ["quantities multiply", [line(2_50, 3)], "standard", [3, 7_50, standard, 7_50 + standard, FREE_FROM - 7_50]],
    ["lines add up", [line(99_00, 20), line(24_00), line(12_00, 3)], "standard", [24, 2040_00, 0, 2040_00, 0]],
    ["express below the threshold", [line(5_00)], "express", [1, 5_00, express, 5_00 + express, FREE_FROM - 5_00]],
    [
      "overnight below the threshold",
      [line(5_00)],
      "overnight",
      [1, 5_00, overnight, 5_00 + overnight, FREE_FROM - 5_00],
    ],
    ["express is free from the threshold", [line(FREE_FROM, 2)], "express", [2, FREE_FROM * 2, 0, FREE_FROM * 2, 0]],
    ["overnight is free from the threshold", [line(FREE_FROM)], "overnight", [1, FREE_FROM, 0, FREE_FROM, 0]],
    ["something free of charge still ships", [line(0)], "standard", [1, 0, standard, standard, FREE_FROM]],
    ["ten of everything stays exact", [line(199_99, 10), line(349_95, 10)], "standard", [20, 5499_40, 0, 5499_40, 0]],
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
    expect(cartTotals([line(1_00)])).toEqual(cartTotals([line(1_00)], "standard"));
  });
});
