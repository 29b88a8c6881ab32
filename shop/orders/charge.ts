/**
 * What an order comes to, as it was ordered and as it is charged. What was ordered stays frozen: subtotal, shipping, tax
 * and total of the order never change, nor do the quantities of its lines. What is charged is derived from them and from
 * `canceledQuantity`, here and nowhere else.
 *
 * Shipping is charged as it was promised when the order was placed, as long as anything is left to ship. An order that
 * falls below the subtotal of free shipping because we cancel a line stays free: nobody pays more because they get less.
 */
export type Amounts = { subtotalCents: number; shippingCents: number; taxCents: number; totalCents: number };
export type ChargedLine = { priceCents: number; quantity: number; canceledQuantity: number };

/** How many units of a line are neither canceled nor given up. */
export const unitsKept = ({ quantity, canceledQuantity }: Omit<ChargedLine, "priceCents">): number =>
  quantity - canceledQuantity;

/** What is charged for an order, from the amounts that were frozen with it; never more than those. */
export function amountsCharged(ordered: Amounts, lines: readonly ChargedLine[]): Amounts {
  const subtotalCents = lines.reduce((sum, line) => sum + line.priceCents * unitsKept(line), 0);
  const isEmpty = lines.every((line) => unitsKept(line) === 0);
  const shippingCents = isEmpty ? 0 : ordered.shippingCents;
  const share = ordered.subtotalCents === 0 ? 0 : subtotalCents / ordered.subtotalCents;
  const taxCents = Math.floor(ordered.taxCents * share);
  return { subtotalCents, shippingCents, taxCents, totalCents: subtotalCents + shippingCents + taxCents };
}
