/** The lines of an order, with what became of their units. */
import { isRefundable, refundOrder } from "./choose.ts";
import type { Line, MoneyItem } from "./facts.ts";
import { mayBeCanceled, mayShip, type OrderState, type UnitState } from "./state.ts";

export type LineStanding = Line & {
  canceledQuantity: number;
  /** Units left to ship, and those that may be canceled: also what was refunded before it left. */
  unitsLeft: number;
  unitsToCancel: number;
  unitsReplaced: number;
  /** Units whose price was given back by their name; what pays for a unit in its place is no refund. */
  refunded: number;
  /** Charges of its refundable units, in the order in which they are refunded. */
  refundable: MoneyItem[];
};

export const linesOf = ({ facts, units }: OrderState): LineStanding[] =>
  facts.lines.map((line) => {
    const ofLine = units.filter(({ lineId }) => lineId === line.id);
    const count = (is: (unit: UnitState) => boolean) => ofLine.filter(is).length;
    return {
      ...line,
      canceledQuantity: count(({ canceledAt }) => canceledAt !== null),
      unitsLeft: count(mayShip),
      unitsToCancel: count(mayBeCanceled),
      unitsReplaced: count(({ isReplaced }) => isReplaced),
      refunded: count(({ refunded, canceledAt, isReplaced }) => refunded !== null && !canceledAt && !isReplaced),
      refundable: ofLine
        .filter(isRefundable)
        .toSorted((one, other) => refundOrder(one) - refundOrder(other))
        .map(({ charged }) => ({
          kind: "unit",
          unit: charged!.unit,
          cents: charged!.cents,
          taxCents: charged!.taxCents,
        })),
    };
  });

/** A unit with the customer that is in no return, and whose price neither was given back nor pays for another one. */
export const mayComeBack = ({ place, inReturn, refunded, isReplaced }: UnitState): boolean =>
  (place === "delivered" || place === "shipped") && inReturn === null && refunded === null && !isReplaced;

/** Units by line, in the order of the lines. */
export const byLine = (
  { facts }: Pick<OrderState, "facts">,
  units: readonly UnitState[],
): { line: Line; units: number }[] =>
  facts.lines.flatMap((line) => {
    const count = units.filter(({ lineId }) => lineId === line.id).length;
    return count > 0 ? [{ line, units: count }] : [];
  });
