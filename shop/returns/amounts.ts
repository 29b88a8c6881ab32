/** Amounts of returns and exchanges, in cents. */
import { shareOut } from "#shop/money.ts";
import { taxKept, unitsKept } from "#shop/orders/order.ts";

export type PaidLine = {
  priceCents: number;
  quantity: number;
  canceledQuantity: number;
  /** Tax of all units. */
  taxCents: number;
  /** Units of earlier returns that were refunded or exchanged. */
  unitsBefore: number;
  /** Units of this return. */
  units: number;
};

/** Tax of the units that come back. The shares of all returns of a line add up to its tax to the cent. */
function taxOf(line: PaidLine): number {
  const kept = unitsKept(line);
  const upTo = (units: number) => shareOut(taxKept(line), [units, kept - units])[0]!;
  return upTo(line.unitsBefore + line.units) - upTo(line.unitsBefore);
}

/** The price that was paid for the units that come back, with their tax. */
export const paidFor = (line: PaidLine): number => line.priceCents * line.units + taxOf(line);

/** More for the wanted product than for the one that comes back, before tax; less if negative. */
export const differenceOf = (line: Pick<PaidLine, "priceCents" | "units">, wantedPriceCents: number): number =>
  (wantedPriceCents - line.priceCents) * line.units;

/** The refund of an exchange for a cheaper product: the difference and its part of the tax that was paid. */
export function exchangeRefund(line: PaidLine, wantedPriceCents: number): number {
  const less = -differenceOf(line, wantedPriceCents);
  if (less <= 0) return 0;
  const [, tax = 0] = shareOut(taxOf(line), [wantedPriceCents * line.units, less]);
  return less + tax;
}

/**
 * The refund of a return: what was paid, less a reduction and what it has refunded, and no more than is left of the
 * order's charge.
 */
export const refundOf = ({
  linesCents,
  shippingCents,
  deductionCents,
  refundedCents,
  leftCents,
}: Record<"linesCents" | "shippingCents" | "deductionCents" | "refundedCents" | "leftCents", number>): number =>
  Math.min(Math.max(0, linesCents - deductionCents) + shippingCents - refundedCents, leftCents);
