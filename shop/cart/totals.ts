/** The only sums of the shop: subtotal, discount, shipping, tax and total, in cents. */
import type { AppliedDiscount } from "#shop/discounts/discount.ts";
import { type ShippingMethod, shippingPrice, type ShippingPrices, usualMethod } from "#shop/shipping/methods.ts";

/** Amounts of an order: as ordered, of which only the tax of another state changes, and as charged, without canceled units. */
export type Amounts = {
  subtotalCents: number;
  /** Off the subtotal, and what for. */
  discountCents: number;
  discountName: string | null;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
};

/** The amounts of an order without its other fields, as ordered. */
export const amountsOf = ({
  subtotalCents,
  discountCents,
  discountName,
  shippingCents,
  taxCents,
  totalCents,
}: Amounts): Amounts => ({ subtotalCents, discountCents, discountName, shippingCents, taxCents, totalCents });

/** "Discount (SPRING10)", of a row of sums. */
export const discountLabel = ({ discountName }: Pick<Amounts, "discountName">): string =>
  discountName === null ? "Discount" : `Discount (${discountName})`;

export type Totals = Amounts & { itemCount: number; freeShippingGapCents: number };

/**
 * Adds up lines of integer cents with a quoted tax and a discount, by default with the cheapest method. An empty cart has no
 * shipping cost. A discount does not change from which subtotal shipping is free; what costs nothing ships free.
 */
export function cartTotals(
  shipping: ShippingPrices,
  lines: ReadonlyArray<{ unitPriceCents: number; quantity: number }>,
  method: ShippingMethod | null = null,
  taxCents = 0,
  discount: AppliedDiscount | null = null,
): Totals {
  const itemCount = lines.reduce((sum, line) => sum + line.quantity, 0);
  const subtotalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const usual = usualMethod(shipping, subtotalCents);
  const isGiven = subtotalCents === (discount?.cents ?? 0);
  const isFree = isGiven || (discount?.freesShipping && (method ?? usual) === usual);
  const shippingCents = isFree ? 0 : shippingPrice(shipping, method ?? usual, subtotalCents);
  const discountCents = discount?.cents ?? 0;
  return {
    itemCount,
    subtotalCents,
    discountCents,
    discountName: discount?.name ?? null,
    shippingCents,
    taxCents,
    totalCents: subtotalCents - discountCents + shippingCents + taxCents,
    freeShippingGapCents: discount?.freesShipping ? 0 : Math.max(0, shipping.freeFromCents - subtotalCents),
  };
}
