/** The only adding-up in the shop: subtotal, shipping, tax, total. All amounts in cents. */
import { FREE_SHIPPING_FROM_CENTS, shippingPrice, type ShippingMethod } from "../shipping/methods.ts";

export type Totals = {
  itemCount: number;
  subtotalCents: number;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
  /** What is missing to free shipping; 0 once it is reached. */
  freeShippingGapCents: number;
};

/** Adds up lines of integer cents. Nothing to ship costs nothing to ship. Tax is always 0. */
export function cartTotals(
  lines: ReadonlyArray<{ unitPriceCents: number; quantity: number }>,
  method: ShippingMethod = "standard",
): Totals {
  const itemCount = lines.reduce((sum, line) => sum + line.quantity, 0);
  const subtotalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const shippingCents = itemCount === 0 ? 0 : shippingPrice(method, subtotalCents);
  const taxCents = 0;
  return {
    itemCount,
    subtotalCents,
    shippingCents,
    taxCents,
    totalCents: subtotalCents + shippingCents + taxCents,
    freeShippingGapCents: Math.max(0, FREE_SHIPPING_FROM_CENTS - subtotalCents),
  };
}
