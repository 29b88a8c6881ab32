/** Units that a form chooses by their number of each line. */
import { refused, type Refusal } from "./change.ts";
import { isAstray, isUnsent, type OrderState, type UnitState } from "./state.ts";

/** Units by the id of their line. */
export type ByLine = Readonly<Record<string, number>>;

/**
 * As many units of each line as asked, the first by `order` of those that `may` be chosen. Refused with 'units', the name
 * of the line and how many are `left` of it.
 */
export function chooseUnits(
  { units }: OrderState,
  asked: ByLine,
  may: (unit: UnitState) => boolean,
  order: (unit: UnitState) => number = ({ number }) => number,
): number[] | Refusal {
  const chosen: number[] = [];
  for (const [lineId, count] of Object.entries(asked)) {
    const ofLine = units.filter((unit) => unit.lineId === lineId);
    const found = ofLine.filter(may).toSorted((one, other) => order(one) - order(other));
    if (count > found.length || count < 0) return refused("units", { name: ofLine[0]?.name ?? "", left: found.length });
    chosen.push(...found.slice(0, count).map(({ number }) => number));
  }
  return chosen;
}

/** Its price is paid, and neither given back nor carried over. */
export const hasPrice = ({ isPaid, refunded, isReplaced }: UnitState): boolean =>
  isPaid && refunded === null && !isReplaced;

/** It may be refunded by its name. Canceling refunds what has not left. */
export const isRefundable = (unit: UnitState): boolean => hasPrice(unit) && !isUnsent(unit);

/** The order in which units of a line are refunded: those that did not arrive first, then the last ones that left. */
export const refundOrder = (unit: UnitState): number =>
  (isAstray(unit) ? -100 : 0) + (isUnsent(unit) ? 100 : 0) - unit.number;
