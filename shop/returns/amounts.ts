/** Amounts of returns and exchanges, in cents. */
import { shareOut } from "#shop/money.ts";
import { taxBack, type UnitsBack } from "#shop/orders/order.ts";

/** The price that was paid for the units that come back, with their tax. */
export const paidFor = (line: UnitsBack): number => line.priceCents * line.units + taxBack(line);

/** More for the wanted product than for the one that comes back, before tax; less if negative. */
export const differenceOf = (line: Pick<UnitsBack, "priceCents" | "units">, wantedPriceCents: number): number =>
  (wantedPriceCents - line.priceCents) * line.units;

/** The refund of an exchange for a cheaper product: the difference and its part of the tax that was paid. */
export function exchangeRefund(line: UnitsBack, wantedPriceCents: number): number {
  const less = -differenceOf(line, wantedPriceCents);
  if (less <= 0) return 0;
  const [, tax = 0] = shareOut(taxBack(line), [wantedPriceCents * line.units, less]);
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
  Math.min(Math.max(0, Math.max(0, linesCents - deductionCents) + shippingCents - refundedCents), leftCents);
