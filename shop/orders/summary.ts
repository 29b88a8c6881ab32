/** What lists, tabs and Today read of an order. Written with each change, so that they need not compute it. */
import { announceDay } from "./actions/announce.ts";
import type { Facts, Payment, StoredSummary } from "./facts.ts";
import type { PaymentStatus, Stage } from "./lifecycle.ts";
import { isAstray, isWaiting, orderState, type OrderState } from "./state.ts";

/** Facts that need a person: a set, so that one never hides another. */
export const ATTENTION = [
  "card-refused",
  "pay-again",
  "arrange",
  "mismatch",
  "disputed",
  "refund-failed",
  "refund-owed",
  "astray",
  "day-unknown",
  "unanswered",
] as const;
export type Attention = (typeof ATTENTION)[number];

export type Summary = {
  stage: Stage;
  paymentStatus: PaymentStatus;
  attention: Attention[];
  /** Day by whose end what waits leaves; null if nothing waits, or the day is unknown. */
  shipBy: string | null;
  answerBy: string | null;
  /** Day on which the charge of what waits is due to be announced. */
  announceOn: string | null;
  /** Units that wait. */
  waiting: number;
  paidCents: number;
  refundedCents: number;
  deliveredAt: Date | null;
};

/** Where the money of an order stands, in one word: the first that is true. */
function paymentStatusOf({ stage, money, refunds, facts }: OrderState): PaymentStatus {
  // A page for one charge of a return says nothing of the order before it is paid.
  const payments = facts.payments.filter(
    ({ kind, chargeId, state }) => kind !== "page" || chargeId === null || state === "captured",
  );
  const has = (state: Payment["state"]) => payments.some((payment) => payment.state === state);
  const sum = (of: "capturedCents" | "refundedCents") => payments.reduce((total, payment) => total + payment[of], 0);
  if (payments.length === 0) return stage === "unpaid" ? "unpaid" : "none";
  if (money.isDisputed) return "disputed";
  if (money.isMismatched) return "mismatch";
  if (refunds.some(({ hasFailed }) => hasFailed)) return "refund-failed";
  if (money.isRefused) return "failed";
  if (has("captured")) {
    if (sum("refundedCents") > 0) return sum("refundedCents") < sum("capturedCents") ? "partly-refunded" : "refunded";
    return money.card ? "partly-charged" : "captured";
  }
  if (has("authorized")) return "authorized";
  if (has("saved")) return "card-saved";
  return has("failed") ? "failed" : "unpaid";
}

export function summaryOf(facts: Facts): Summary {
  const state = orderState(facts);
  const { units, stage, money, refunds, promise } = state;
  const isOpen = stage !== "unpaid" && facts.order.end === null;
  const waiting = units.filter(isWaiting);
  const isUnpaid =
    isOpen && waiting.some(({ isPaid, valueCents, charged }) => !isPaid && valueCents > 0 && charged === null);
  const hasPayment = facts.payments.length > 0;
  const found: Record<Attention, boolean> = {
    "card-refused": isUnpaid && money.isByCard && money.isRefused,
    "pay-again": isUnpaid && !money.isByCard && hasPayment && !money.authorized,
    arrange: isUnpaid && !hasPayment,
    mismatch: money.isMismatched,
    disputed: money.isDisputed,
    "refund-failed": refunds.some(({ hasFailed }) => hasFailed),
    "refund-owed": refunds.some(({ owedCents, hasFailed }) => owedCents > 0 && !hasFailed),
    astray: units.some(isAstray),
    "day-unknown": waiting.length > 0 && promise.shipBy === null,
    unanswered: promise.answerBy !== null,
  };
  return {
    stage,
    paymentStatus: paymentStatusOf(state),
    attention: ATTENTION.filter((each) => found[each]),
    shipBy: waiting.length > 0 && isOpen ? promise.shipBy : null,
    answerBy: isOpen ? promise.answerBy : null,
    announceOn: announceDay(state),
    waiting: isOpen ? waiting.length : 0,
    paidCents: money.paidCents,
    refundedCents: money.paidCents - money.leftCents,
    deliveredAt: state.deliveredAt,
  };
}

/** What is stored of a summary. */
export const storedOf = ({ stage, paymentStatus, answerBy, announceOn }: Summary): StoredSummary => ({
  stage,
  paymentStatus,
  answerBy,
  announceOn,
});
