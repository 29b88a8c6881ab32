/** Quotes and records of the sale of a charge. */
import type { SalePart } from "#shop/orders/facts.ts";
import { productOf, sumOf } from "#shop/orders/tax.ts";
import type { OrderState } from "#shop/orders/state.ts";

export type QuotedSale = {
  lines: { productId: string; quantity: number; amountCents: number; taxCents: number }[];
  shippingCents: number;
  shippingTaxCents: number;
  /** Exactly what was quoted when the order was placed. */
  isAsOrdered: boolean;
};

/**
 * The lines of a charge, whole, because the tax of a line is rounded once: what of them the charge does not have is
 * reversed at once. The charge with the shipping has all lines with which the order was placed, on which its tax depends.
 */
export function quotedSale({ facts: { order }, units, shipping }: OrderState, chargeId: string): QuotedSale {
  const charged = units.filter((unit) => unit.charged?.chargeId === chargeId);
  const placed = units.filter(({ returnId }) => returnId === null);
  const isOfCharge = ({ lineId }: { lineId: string }) => charged.some((unit) => unit.lineId === lineId);
  const hasShipping = shipping.charged?.chargeId === chargeId;
  const hasAll = placed.every((unit) => unit.priceCents === 0 || isOfCharge(unit));
  const isAll = hasShipping || (order.shippingCents === 0 && hasAll);
  const quoted = units.filter((unit) => isOfCharge(unit) || (isAll && unit.returnId === null));
  return {
    lines: [...Map.groupBy(quoted, productOf)].map(([productId, each]) => ({
      productId,
      quantity: each.length,
      amountCents: each.reduce((sum, { priceCents }) => sum + priceCents, 0),
      taxCents: each.reduce((sum, { taxCents, waivedCents }) => sum + taxCents + waivedCents, 0),
    })),
    shippingCents: isAll ? order.shippingCents : 0,
    shippingTaxCents: isAll ? order.shippingTaxCents + order.shippingWaivedCents : 0,
    isAsOrdered: isAll && quoted.length === placed.length,
  };
}

/** The part of a quoted sale that is not in the charge. */
export function restOf({ lines, shippingCents, shippingTaxCents }: QuotedSale, parts: readonly SalePart[]): SalePart[] {
  const quoted: SalePart[] = [...lines, { productId: null, amountCents: shippingCents, taxCents: shippingTaxCents }];
  return quoted
    .map(({ productId, amountCents, taxCents }) => {
      const sold = sumOf(parts.filter((part) => part.productId === productId));
      return { productId, amountCents: amountCents - sold.amountCents, taxCents: taxCents - sold.taxCents };
    })
    .filter(({ amountCents, taxCents }) => amountCents > 0 || taxCents > 0);
}
