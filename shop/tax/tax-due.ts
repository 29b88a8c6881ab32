/** The tax of an order that is to be recorded or reversed, from what was ordered, kept, paid and refunded. */
import { shareOut } from "#shop/money.ts";
import { taxKept, unitsKept } from "#shop/orders/order.ts";
import type { TaxPart } from "./tax-provider.ts";

type TaxedLine = {
  productId: string;
  priceCents: number;
  quantity: number;
  canceledQuantity: number;
  /** Tax of all units. */
  taxCents: number;
};

export type TaxedOrder = {
  lines: readonly TaxedLine[];
  shippingCents: number;
  shippingTaxCents: number;
  /** Canceled, declined or expired: nothing is charged. */
  isEnded: boolean;
  /** Sums over its payments. */
  capturedCents: number;
  refundedCents: number;
};

const SHIPPING = null;

/** Sales and tax as ordered, which is what the provider records. */
export const orderedParts = ({ lines, shippingCents, shippingTaxCents }: TaxedOrder): TaxPart[] => [
  ...lines.map(({ productId, priceCents, quantity, taxCents }) => ({
    productId,
    amountCents: priceCents * quantity,
    taxCents,
  })),
  ...(shippingCents > 0 ? [{ productId: SHIPPING, amountCents: shippingCents, taxCents: shippingTaxCents }] : []),
];

/** Sales and tax of the units kept, in the order of `orderedParts`. */
function keptParts(order: TaxedOrder): TaxPart[] {
  const isEmpty = order.isEnded || order.lines.every((line) => unitsKept(line) === 0);
  if (isEmpty) return orderedParts(order).map((part) => ({ ...part, amountCents: 0, taxCents: 0 }));
  const lines = order.lines.map((line) => ({
    ...line,
    quantity: unitsKept(line),
    taxCents: taxKept(line),
  }));
  return orderedParts({ ...order, lines });
}

export const salesOf = (parts: readonly TaxPart[]): number => parts.reduce((sum, part) => sum + part.amountCents, 0);
export const taxOf = (parts: readonly TaxPart[]): number => parts.reduce((sum, part) => sum + part.taxCents, 0);
const totalOf = (parts: readonly TaxPart[]) => salesOf(parts) + taxOf(parts);

/** `parts` without `others`, which name the same products. */
export const withoutParts = (parts: readonly TaxPart[], others: readonly TaxPart[]): TaxPart[] =>
  parts.map((part) => {
    const gone = others.filter(({ productId }) => productId === part.productId);
    return { ...part, amountCents: part.amountCents - salesOf(gone), taxCents: part.taxCents - taxOf(gone) };
  });

/**
 * Returns what is to be reversed of `recorded`, the parts left at the provider, in cents; null if nothing. Canceled units
 * and their tax go first. Any other refund is shared out over all parts and their tax by largest remainder, so that the
 * sums add up. Nothing is ever recorded again: a refund that fails at the bank is owed, and its tax stays reversed.
 */
export function partsToReverse(order: TaxedOrder, recorded: readonly TaxPart[]): TaxPart[] | null {
  const kept = keptParts(order);
  const surplusCents = Math.max(0, order.capturedCents - totalOf(kept));
  const otherRefundsCents = Math.max(0, order.refundedCents - surplusCents);
  const dueCents = totalOf(recorded) - (totalOf(kept) - otherRefundsCents);
  const canceled = recorded.map((part, place) => ({
    ...part,
    amountCents: Math.max(0, part.amountCents - kept[place]!.amountCents),
    taxCents: Math.max(0, part.taxCents - kept[place]!.taxCents),
  }));
  const left = withoutParts(recorded, canceled);
  const restCents = Math.min(Math.max(0, dueCents - totalOf(canceled)), totalOf(left));
  const shares = shareOut(
    restCents,
    left.flatMap(({ amountCents, taxCents }) => [amountCents, taxCents]),
  );
  const reversed = canceled
    .map((part, place) => ({
      ...part,
      amountCents: part.amountCents + shares[2 * place]!,
      taxCents: part.taxCents + shares[2 * place + 1]!,
    }))
    .filter(({ amountCents, taxCents }) => amountCents > 0 || taxCents > 0);
  return reversed.length > 0 ? reversed : null;
}
