/** Units that may come back, by line and kind: which, until which day, and why not. */
import { daysAfter, latestDay, yearsAfter } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import type { ReturnSettings } from "#shop/settings/settings.ts";
import { RETURN_KINDS, type ReturnKind } from "./lifecycle.ts";

type UnitLeft = { number: number; renewedOn: string | null };

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
  /** The others, with the day on which each shipped as a replacement, or its latest repair ended. */
  unitsLeft: readonly UnitLeft[];
  /**
   * Day of delivery in New York, that of the whole order if it is later; by the promised transit where the carrier did not
   * say; null if nothing has shipped.
   */
  deliveredOn: string | null;
  /** Day of the original purchase. */
  purchasedOn: string;
  /** Term of the purchase in years; null without a warranty. */
  warrantyYears: number | null;
  /** Days under which the order was placed. */
  windows: ReturnSettings;
  /** The line came at no charge, or in place of something that was sent back. */
  isFree: boolean;
};

export const LINE_REFUSALS = {
  "not-shipped": "It hasn’t shipped, so you can still cancel.",
  "in-return": "It’s already in a return.",
  refunded: "We’ve refunded it.",
  astray: "It’s lost, or on its way back to us.",
  late: "The window for this has closed.",
  "no-warranty": "It wears out with use and has no warranty.",
  free: "It came free of charge, or to replace something you sent back. Please contact us.",
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

/** Last day of the warranty of a unit: the rest of it, or some days if it was repaired or replaced, whichever is longer. */
function coveredUntil(line: EligibleLine, { renewedOn }: UnitLeft, isWearPart: boolean): string | null {
  if (line.warrantyYears === null) return null;
  const years = isWearPart ? Math.min(line.warrantyYears, warrantyPolicy.partsWarrantyYears) : line.warrantyYears;
  const until = yearsAfter(line.purchasedOn, years);
  return latestDay([until, renewedOn && daysAfter(renewedOn, warrantyPolicy.replacementPartDays)]);
}

function untilOf(line: EligibleLine, unit: UnitLeft, kind: ReturnKind, isWearPart: boolean): string | null {
  if (kind === "repair") return null;
  if (kind === "warranty") return coveredUntil(line, unit, isWearPart);
  return line.deliveredOn && daysAfter(line.deliveredOn, line.windows[WINDOWS[kind]]);
}

/** Units of one line that are in time on a day, YYYY-MM-DD in New York. The last day of a period counts. */
export const inTime = (line: EligibleLine, kind: ReturnKind, today: string, isWearPart = false): UnitLeft[] =>
  line.unitsLeft.filter((unit) => {
    const until = untilOf(line, unit, kind, isWearPart);
    return until === null || today <= until;
  });

/** Number of units of one line that may come back on a day. */
export function optionOf(line: EligibleLine, kind: ReturnKind, today: string, isWearPart = false): Option {
  const units = inTime(line, kind, today, isWearPart).length;
  const ofLine = { number: 0, renewedOn: null };
  const until = latestDay([ofLine, ...line.unitsLeft].map((unit) => untilOf(line, unit, kind, isWearPart)));
  const no = (why: LineRefusal): Option => ({ units: 0, until, why });
  if (line.unitsSent === 0) return no("not-shipped");
  if (line.unitsLeft.length === 0 && line.unitsReturned > 0) return no("in-return");
  if (line.unitsLeft.length === 0) return no(line.unitsRepaid > 0 ? "refunded" : "astray");
  if ((kind === "warranty" || kind === "repair") && line.warrantyYears === null) return no("no-warranty");
  // The money for a replacement, if any, is with the first order, from which staff can refund it.
  if ((kind === "return" || kind === "exchange") && line.isFree) return no("free");
  if (units === 0) return no("late");
  return { units, until, why: null };
}

export const optionsOf = (line: EligibleLine, today: string): LineOptions => ({
  lineId: line.lineId,
  productId: line.productId,
  name: line.name,
  kinds: Object.fromEntries(RETURN_KINDS.map((kind) => [kind, optionOf(line, kind, today)])) as LineOptions["kinds"],
  wearPart: optionOf(line, "warranty", today, true),
});
