/** Words of returns: reasons, conditions and outcomes, and the return authorization number. */
import { isReason, REFUND_REASONS } from "#shop/orders/reasons.ts";
import type { Outcome, ReturnKind, ReturnState } from "./lifecycle.ts";

export const KIND_WORDS: Record<ReturnKind, string> = {
  return: "Return",
  exchange: "Exchange",
  defect: "Defective or damaged",
  warranty: "Warranty claim",
  repair: "Repair",
};

export const STATE_WORDS: Record<ReturnState, string> = {
  requested: "Requested",
  authorized: "Authorized",
  received: "Received",
  inspected: "Inspected",
  quoted: "Price sent",
  resolved: "Resolved",
  closed: "Closed",
  declined: "Declined",
  withdrawn: "Withdrawn",
  expired: "Not sent back in time",
};

const OUTCOME_WORDS: Record<Outcome, string> = {
  refund: "Refund",
  replacement: "Replacement",
  repair: "Repair",
  part: "Part sent",
  "sent-back": "Sent back",
};
/** Words of an outcome. An exchange sends no replacement. */
export const outcomeWords = (kind: ReturnKind, outcome: Outcome): string =>
  kind === "exchange" && outcome === "replacement" ? "Exchange" : OUTCOME_WORDS[outcome];

type Reason = {
  words: string;
  kinds: readonly ReturnKind[];
  /** The shop pays for the shipping both ways. */
  isOurFault: boolean;
  /** The part has the shorter warranty. */
  isWearPart?: boolean;
};

const OURS = { kinds: ["defect"], isOurFault: true } as const;
const CLAIM = { kinds: ["warranty", "repair"], isOurFault: false } as const;

/** Reasons from a list, so that free text about people stays in the description. */
export const RETURN_REASONS = {
  "not-for-me": { words: "It’s not for me", kinds: ["return", "exchange"], isOurFault: false },
  "other-model": { words: "I’d like another color or model", kinds: ["return", "exchange"], isOurFault: false },
  "wrong-item": { words: "It isn’t what I ordered", kinds: ["return", "exchange", "defect"], isOurFault: true },
  defective: { words: "It doesn’t work", ...OURS },
  damaged: { words: "It arrived damaged", ...OURS },
  missing: { words: "Something is missing", ...OURS },
  temperature: { words: "It doesn’t hold the temperature", ...CLAIM },
  power: { words: "It won’t turn on or charge", ...CLAIM },
  battery: { words: "The backup battery", ...CLAIM, isWearPart: true },
  gasket: { words: "A gasket", ...CLAIM, isWearPart: true },
  accident: { words: "An accident: a drop, a spill or a power surge", kinds: ["repair"], isOurFault: false },
  other: { words: "Something else", ...CLAIM },
} as const satisfies Record<string, Reason>;
export type ReturnReason = keyof typeof RETURN_REASONS;

export const reasonOf = (reason: ReturnReason): Reason => RETURN_REASONS[reason];

export const fitsKind = (reason: ReturnReason, kind: ReturnKind): boolean => reasonOf(reason).kinds.includes(kind);

/** The payer of the way to the shop: the shop for its own faults and for claims under the warranty. */
export const labelBy = (kind: ReturnKind, reason: ReturnReason): "us" | "customer" =>
  kind === "warranty" || (kind !== "repair" && reasonOf(reason).isOurFault) ? "us" : "customer";

/** Reason of a refund, as its email says it: a fault of the shop, or that the product came back. */
export const refundReason = ({ reason, receivedAt }: { reason: ReturnReason; receivedAt: Date | null }): string =>
  isReason(REFUND_REASONS, reason) || !receivedAt ? reason : "returned";

export const REFUSE_REASONS = {
  late: "The deadline for this has passed.",
  "not-covered": "It isn’t covered by the warranty.",
  "not-ours": "It isn’t a product of this order.",
  helped: "Our checks have solved it.",
} as const;
export type RefuseReason = keyof typeof REFUSE_REASONS;

export const CONDITIONS = {
  new: "New or like new",
  used: "Used beyond a reasonable try-out",
  damaged: "Damaged",
  incomplete: "Incomplete",
} as const;
export type Condition = keyof typeof CONDITIONS;

/** Reasons for a reduced refund. */
export const DEDUCTIONS = {
  used: "It was used beyond a reasonable try-out.",
  damaged: "It came back damaged.",
  incomplete: "It came back incomplete.",
} as const;
export type DeductionReason = keyof typeof DEDUCTIONS;

/** Thirty letters and digits that nobody takes for another: no I, L, O, 0, 1, and no U, which looks like V. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const NUMBER_LETTERS = 6;

/** A return authorization number, "R-7KQ2MX". `random` returns a whole number below its argument. */
export const returnNumber = (random: (below: number) => number): string =>
  `R-${Array.from({ length: NUMBER_LETTERS }, () => LETTERS[random(LETTERS.length)]).join("")}`;

/** Reads a number as typed, also without its prefix and in lower case. */
export const readReturnNumber = (typed: string): string =>
  `R-${typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .replace(/^R(?=.{6}$)/, "")}`;

export const MAX_DESCRIPTION = 2_000;
export const MAX_PHOTOS = 3;
