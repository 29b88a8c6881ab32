/** Units that may come back, by line and kind: how many, until which day, and why not. */
import { daysAfter, yearsAfter } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import type { ReturnSettings } from "#shop/settings/settings.ts";
import { RETURN_KINDS, type ReturnKind } from "./lifecycle.ts";

export type EligibleLine = {
  lineId: string;
  productId: string;
  name: string;
  /** Units that have shipped. */
  unitsSent: number;
  /** Those of `unitsSent` that are lost, or were refused. */
  unitsAstray: number;
  /** Those of `unitsSent` that are in another return, or with the shop again. */
  unitsReturned: number;
  /** Those of `unitsSent` that the customer keeps and got the money back for. */
  unitsRepaid: number;
  /**
   * Day of delivery in New York, that of the whole order if it is later; by the promised transit where the carrier did not
   * say; null if nothing has shipped.
   */
  deliveredOn: string | null;
  /** Day of the original purchase. */
  purchasedOn: string;
  /** Day on which a replacement of the line shipped, or its latest repair ended. */
  renewedOn: string | null;
  /** Term of the purchase in years; null without a warranty. */
  warrantyYears: number | null;
  /** Days under which the order was placed. */
  windows: ReturnSettings;
  /** The line came at no charge, or in place of something that was sent back. */
  isFree: boolean;
};

export const LINE_REFUSALS = {
  "not-shipped": "It hasn’t shipped yet. You can cancel the order instead.",
  "in-return": "It’s in a return already.",
  refunded: "We’ve refunded it.",
  astray: "It’s lost, or on its way back to us.",
  late: "The time for this is over.",
  "no-warranty": "It wears with use and has no warranty.",
  free: "It came free of charge, or in place of something that you sent back. Please write to us.",
} as const;
export type LineRefusal = keyof typeof LINE_REFUSALS;

export type Option = {
  units: number;
  /** Last day of the period, YYYY-MM-DD in New York; null without one. */
  until: string | null;
  /** Reason that no unit may come back for this. Null if `units` may. */
  why: LineRefusal | null;
};
export type LineOptions = Pick<EligibleLine, "lineId" | "productId" | "name"> & {
  kinds: Record<ReturnKind, Option>;
  /** A claim for the battery or a gasket, which have a shorter warranty. */
  wearPart: Option;
};

const WINDOWS = { return: "returnDays", exchange: "exchangeDays", defect: "defectReportDays" } as const;

/** Last day of the warranty: the rest of it, or some days for what was repaired or replaced, whichever is longer. */
export function coveredUntil(line: EligibleLine, isWearPart: boolean): string | null {
  if (line.warrantyYears === null) return null;
  const years = isWearPart ? Math.min(line.warrantyYears, warrantyPolicy.partsWarrantyYears) : line.warrantyYears;
  const until = yearsAfter(line.purchasedOn, years);
  const renewed = line.renewedOn ? daysAfter(line.renewedOn, warrantyPolicy.replacementPartDays) : until;
  return renewed > until ? renewed : until;
}

function untilOf(line: EligibleLine, kind: ReturnKind, isWearPart: boolean): string | null {
  if (kind === "repair") return null;
  if (kind === "warranty") return coveredUntil(line, isWearPart);
  return line.deliveredOn && daysAfter(line.deliveredOn, line.windows[WINDOWS[kind]]);
}

/** Units of one line that may come back on a day, YYYY-MM-DD in New York. The last day of a period counts. */
export function optionOf(line: EligibleLine, kind: ReturnKind, today: string, isWearPart = false): Option {
  const left = line.unitsSent - line.unitsAstray - line.unitsReturned - line.unitsRepaid;
  const until = untilOf(line, kind, isWearPart);
  const no = (why: LineRefusal): Option => ({ units: 0, until, why });
  if (line.unitsSent === 0) return no("not-shipped");
  if (left <= 0 && line.unitsReturned > 0) return no("in-return");
  if (left <= 0) return no(line.unitsRepaid > 0 ? "refunded" : "astray");
  if ((kind === "warranty" || kind === "repair") && line.warrantyYears === null) return no("no-warranty");
  // The money for a replacement, if any, is with the first order, from which staff can refund it.
  if ((kind === "return" || kind === "exchange") && line.isFree) return no("free");
  if (until !== null && today > until) return no("late");
  return { units: left, until, why: null };
}

export const optionsOf = (line: EligibleLine, today: string): LineOptions => ({
  lineId: line.lineId,
  productId: line.productId,
  name: line.name,
  kinds: Object.fromEntries(RETURN_KINDS.map((kind) => [kind, optionOf(line, kind, today)])) as LineOptions["kinds"],
  wearPart: optionOf(line, "warranty", today, true),
});
