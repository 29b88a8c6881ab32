/** Fields and words of a request, for browser and server. */
import { z } from "#shop/zod.ts";
import type { LineOptions } from "#shop/returns/eligibility.ts";
import { LINE_REFUSALS } from "#shop/returns/eligibility.ts";
import type { ReturnKind } from "#shop/returns/lifecycle.ts";
import { uploadProblem } from "#shop/returns/photo.ts";
import {
  fitsKind,
  labelBy,
  MAX_DESCRIPTION,
  reasonOf,
  RETURN_REASONS,
  type ReturnReason,
} from "#shop/returns/return.ts";
import { formatMoney } from "#shop/money.ts";
import { message } from "#shop/text.ts";
import { dayText, policyText } from "#shop/policy-text.ts";

export const KINDS: Record<ReturnKind, { title: string; text: string }> = {
  return: {
    title: "Return it for a refund",
    text: "New or like new, with its packaging and everything that came with it.",
  },
  exchange: { title: "Exchange it", text: "For another color or model that we have in stock." },
  defect: {
    title: "Report something damaged, defective, or missing",
    text: "We’ll replace it or refund you, and pay all shipping.",
  },
  warranty: {
    title: "Make a warranty claim",
    text: "For defects that show later. We’ll repair or replace it, and pay shipping both ways.",
  },
  repair: {
    title: "Have it repaired",
    text: `After an accident, or after the warranty. The diagnostic fee is ${policyText.diagnosticFee}, and we’ll quote you first.`,
  },
};

export const NOT_SENT = "We couldn’t send this. What you typed is still here. Please try again.";

/** Reason that a kind is not possible for any line; null if it is. */
export function whyNot(options: LineOptions[], kind: ReturnKind): string | null {
  const of = options.map(({ kinds }) => kinds[kind]);
  const whys = of.flatMap(({ why }) => why ?? []);
  if (whys.length < of.length) return null;
  const [first] = whys;
  // A repair, or a product that was sent back, has no line of its own.
  if (!first) return "You can return it, or make a claim, on its first order.";
  const last = of
    .flatMap(({ why, until }) => (why === "late" && until ? [until] : []))
    .toSorted()
    .at(-1);
  return last ? `The window for this closed on ${dayText(last)}.` : LINE_REFUSALS[first];
}

/** Latest day of a kind, over all lines. */
export const lastDay = (options: LineOptions[], kind: ReturnKind): string | null =>
  options
    .flatMap(({ kinds }) => (kinds[kind].why === null && kinds[kind].until ? [kinds[kind].until] : []))
    .toSorted()
    .at(-1) ?? null;

/** Reasons of a kind. Those of wear parts need a line whose parts are still covered. */
export function reasonsFor(options: LineOptions[], kind: ReturnKind): ReturnReason[] {
  const hasParts = kind !== "warranty" || options.some(({ wearPart }) => wearPart.why === null);
  return (Object.keys(RETURN_REASONS) as ReturnReason[]).filter(
    (reason) => fitsKind(reason, kind) && (hasParts || !reasonOf(reason).isWearPart),
  );
}

type Units = Record<string, number>;

/** Units by line of "LINE:UNITS" values; null if one is no number of units that may come back. */
export function readUnits(
  values: readonly (string | undefined)[],
  options: LineOptions[],
  kind: ReturnKind,
): Units | null {
  const units: Units = {};
  for (const value of values.filter(Boolean)) {
    const [lineId = "", count = ""] = value!.split(":");
    const most = options.find((line) => line.lineId === lineId)?.kinds[kind].units ?? 0;
    if (!/^\d{1,4}$/.test(count) || Number(count) < 1 || Number(count) > most) return null;
    units[lineId] = Number(count);
  }
  return units;
}

/** The first step: the items and the reason. */
export const chooseSchema = (options: LineOptions[], kind: ReturnKind) =>
  z.object({
    reason: z.custom<ReturnReason>(
      (word) => reasonsFor(options, kind).some((each) => each === word),
      "Choose a reason",
    ),
    units: z
      // Conform reads an empty choice as undefined.
      .array(z.string().optional())
      .default([])
      .refine((values) => readUnits(values, options, kind) !== null, "Choose the quantities again")
      .refine((values) => values.some(Boolean), "Choose at least one product")
      .refine((values) => kind !== "exchange" || values.filter(Boolean).length < 2, "Exchange one product at a time"),
  });

const ASKS: Record<ReturnKind, string | null> = {
  return: null,
  exchange: null,
  defect: "Tell us what’s wrong",
  warranty: "Tell us what’s wrong",
  repair: "Tell us what happened",
};

export const needsWords = (kind: ReturnKind) => ASKS[kind] !== null;

/** The last step of a request. The browser checks the sizes of photos before it sends them. */
export function sendSchema(kind: ReturnKind) {
  const words = message("Your description", MAX_DESCRIPTION, ASKS[kind] ?? "");
  return z.object({
    formKey: z.uuid(),
    description: needsWords(kind) ? words : words.optional(),
    exchange: kind === "exchange" ? z.string({ error: "Choose what you’d like instead" }) : z.string().optional(),
    photos: z
      .array(z.unknown())
      .default([])
      .superRefine((files, context) => {
        const problem = uploadProblem(files.filter((file) => file instanceof File));
        if (problem) context.addIssue({ code: "custom", message: problem });
      }),
  });
}

type Terms = {
  kind: ReturnKind;
  reason: ReturnReason;
  /** Day by which it must be sent once authorized today. */
  shipBy: string;
  refundCents: number;
};

const APPROVED = "You’ll get a return number and our address right away. We’ll check the product when it arrives.";
const LOOKED_AT = "We’ll review your request and email you a return number and our address.";

const HAPPENS: Record<ReturnKind, string> = {
  return: "",
  exchange: "Then we’ll ship the new one.",
  defect: "",
  warranty:
    "We’ll email you a few simple checks. If they don’t help, you’ll get a return number, and we’ll repair or replace the product.",
  repair: `We’ll email you for the diagnostic fee of ${policyText.diagnosticFee}. Once your product is here, we’ll quote you a price. It’s up to you, and if you go ahead with the repair, we’ll waive the fee.`,
};

type Term = { label: string; text: string; isMoney: boolean };

/** The consequences of a request, shown before it is sent. */
export function termsOf({ kind, reason, shipBy, refundCents }: Terms): Term[] {
  const isOurs = labelBy(kind, reason) === "us";
  const amount = formatMoney(refundCents);
  const money: Record<ReturnKind, [label: string, text: string]> = {
    return: [
      `${amount} back`,
      `To your original payment method, within ${policyText.refundBusinessDays} after we’ve checked it. Your bank may take another ${policyText.refundBankDays}. If it comes back used, damaged, or incomplete, we may refund less, and we’ll tell you why.`,
    ],
    exchange: ["Price", "If the prices differ, we’ll refund the difference, or ask for it before we ship."],
    defect: [refundCents > 0 ? `A replacement, or ${amount} back` : "A replacement", "At no cost to you."],
    warranty: [
      "Free of charge",
      `The repair or replacement typically takes ${policyText.repairBusinessDays} after it arrives.`,
    ],
    repair: [
      `${policyText.diagnosticFee} first`,
      "We’ll quote you before we start. If you’d rather not, we’ll send your product back and keep the fee.",
    ],
  };
  const isAnswered = kind === "warranty" || kind === "repair";
  /** A plain return is approved by itself. */
  const isApproved = !isAnswered && kind !== "defect" && !isOurs;
  const start = isAnswered ? "" : isApproved ? APPROVED : LOOKED_AT;
  const happens = [start, HAPPENS[kind]].filter(Boolean).join(" ");
  const rows: [label: string, text: string][] = [
    ["What happens next", happens],
    ["Send it by", isApproved ? `${dayText(shipBy)}.` : `Within ${policyText.shipBackDays} of our answer.`],
    ["Return shipping", isOurs ? "We’ll pay, and send you a label." : "You pay for shipping it to us."],
  ];
  return [
    ...rows.map(([label, text]) => ({ label, text, isMoney: false })),
    { label: money[kind][0], text: money[kind][1], isMoney: kind !== "exchange" },
  ];
}
