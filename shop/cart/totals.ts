/** The only sums of the shop: subtotal, shipping, tax and total, in cents. */
import { type ShippingMethod, shippingPrice, type ShippingPrices, usualMethod } from "#shop/shipping/methods.ts";

export type Totals = {
  itemCount: number;
  subtotalCents: number;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
  freeShippingGapCents: number;
};

/** Adds up lines of integer cents with a quoted tax, by default with the cheapest method. An empty cart has no shipping cost. */
export function cartTotals(
  shipping: ShippingPrices,
  lines: ReadonlyArray<{ unitPriceCents: number; quantity: number }>,
  method: ShippingMethod | null = null,
  taxCents = 0,
): Totals {
  const itemCount = lines.reduce((sum, line) => sum + line.quantity, 0);
  const subtotalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const shippingCents =
    itemCount === 0 ? 0 : shippingPrice(shipping, method ?? usualMethod(shipping, subtotalCents), subtotalCents);
  return {
    itemCount,
    subtotalCents,
    shippingCents,
    taxCents,
    totalCents: subtotalCents + shippingCents + taxCents,
    freeShippingGapCents: Math.max(0, shipping.freeFromCents - subtotalCents),
  };
}
