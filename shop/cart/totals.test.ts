import { expect, test } from "vitest";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { type ShippingMethod, shippingPrice } from "#shop/shipping/methods.ts";
import { cartTotals } from "./totals.ts";

const { shipping } = FIRST_SETTINGS;
const FREE_FROM = shipping.freeFromCents;
const line = (unitPriceCents: number, quantity = 1) => ({ unitPriceCents, quantity });
const [standard, express, overnight] = (["standard", "express", "overnight"] as const).map((method) =>
  shippingPrice(shipping, method, 0),
) as [number, number, number];

test.each<
  [
    name: string,
    lines: ReturnType<typeof line>[],
    method: ShippingMethod,
    expected: [items: number, subtotal: number, shipping: number, gap: number],
  ]
>([
  ["empty cart", [], "standard", [0, 0, 0, FREE_FROM]],
  ["empty cart, overnight", [], "overnight", [0, 0, 0, FREE_FROM]],
  ["below the threshold", [line(FREE_FROM - 1)], "standard", [1, FREE_FROM - 1, standard, 1]],
  ["at the threshold", [line(FREE_FROM)], "standard", [1, FREE_FROM, 0, 0]],
  ["quantities multiply", [line(2_50, 3)], "standard", [3, 7_50, standard, FREE_FROM - 7_50]],
  ["lines add up", [line(99_00, 20), line(24_00), line(12_00, 3)], "standard", [24, 2040_00, 0, 0]],
  ["express below the threshold", [line(5_00)], "express", [1, 5_00, express, FREE_FROM - 5_00]],
  ["overnight below the threshold", [line(5_00)], "overnight", [1, 5_00, overnight, FREE_FROM - 5_00]],
  ["express from the threshold", [line(FREE_FROM, 2)], "express", [2, FREE_FROM * 2, 0, 0]],
  ["overnight from the threshold", [line(FREE_FROM, 2)], "overnight", [2, FREE_FROM * 2, 0, 0]],
  ["what costs nothing ships free", [line(0)], "standard", [1, 0, 0, FREE_FROM]],
  ["large amounts stay exact", [line(199_99, 10), line(349_95, 10)], "standard", [20, 5499_40, 0, 0]],
])("%s", (_name, lines, method, [itemCount, subtotalCents, shippingCents, freeShippingGapCents]) => {
  expect(cartTotals(shipping, lines, method)).toEqual({
    itemCount,
    subtotalCents,
    discountCents: 0,
    discountName: null,
    shippingCents,
    taxCents: 0,
    totalCents: subtotalCents + shippingCents,
    freeShippingGapCents,
  });
});

test("standard shipping is the default", () => {
  expect(cartTotals(shipping, [line(1_00)])).toEqual(cartTotals(shipping, [line(1_00)], "standard"));
});

test("the settings decide the price and what is free", () => {
  const other = { ...shipping, freeFromCents: 75_00, standard: { ...shipping.standard, priceCents: 5_00 } };
  expect(cartTotals(other, [line(74_00)])).toMatchObject({ shippingCents: 5_00, freeShippingGapCents: 1_00 });
  expect(cartTotals(other, [line(75_00)])).toMatchObject({ shippingCents: 0, freeShippingGapCents: 0 });
});

const off = { id: "id", code: "SPRING10", name: "SPRING10", cents: 5_00, lineCents: {}, freesShipping: false };

test.each([
  ["comes off the subtotal, which shipping still counts", off, "standard", 5_00, 0],
  ["that frees shipping frees the cheapest method", { ...off, cents: 0, freesShipping: true }, "standard", 0, 0],
  ["of everything leaves nothing to pay", { ...off, cents: 24_00, freesShipping: false }, "standard", 24_00, 0],
  ["that frees shipping frees no other method", { ...off, cents: 0, freesShipping: true }, "express", 0, express],
] as const)("a discount %s", (_name, discount, method, discountCents, shippingCents) => {
  const subtotalCents = discount.freesShipping || discount.cents === 24_00 ? 24_00 : FREE_FROM;
  expect(cartTotals(shipping, [line(subtotalCents)], method, 1_00, discount)).toMatchObject({
    discountCents,
    shippingCents,
    totalCents: subtotalCents - discountCents + shippingCents + 1_00,
    freeShippingGapCents: discount.freesShipping ? 0 : FREE_FROM - subtotalCents,
  });
});
