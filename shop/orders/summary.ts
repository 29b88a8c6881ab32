/** Summary of an order for lists, tabs and Today. Written with each change, so that they need not compute it. */
import { announceDay } from "./actions/announce.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import type { Facts, Payment, StoredSummary } from "./facts.ts";
import { ATTENTION, type Attention, type PaymentStatus } from "./lifecycle.ts";
import { isLink, isSurplus } from "./order-money.ts";
import { isAstray, isToCancel, isWaiting, orderState, type OrderState, type Place } from "./state.ts";

export type Summary = StoredSummary & { deliveredAt: Date | null };

/** Payment status of an order: the first that is true. */
function paymentStatusOf(state: OrderState): PaymentStatus {
  const { stage, money, refunds, facts } = state;
  // A page for one charge of a return says nothing of the order before it is paid.
  const payments = facts.payments.filter((payment) => !isLink(payment) || payment.state === "captured");
  const has = (is: Payment["state"]) => payments.some((payment) => payment.state === is);
  const isReplaced = ({ id }: Payment) => money.authorized !== null && isSurplus(state, id);
  const sum = (of: "capturedCents" | "refundedCents") => payments.reduce((total, payment) => total + payment[of], 0);
  if (payments.length === 0) return stage === "unpaid" ? "unpaid" : "none";
  if (money.isDisputed) return "disputed";
  if (money.isMismatched) return "mismatch";
  if (refunds.some(({ hasFailed }) => hasFailed)) return "refund-failed";
  if (payments.some(({ dispute }) => dispute === "lost")) return "dispute-lost";
  if (money.isRefused) return "failed";
  if (payments.some((payment) => payment.state === "captured" && !isReplaced(payment))) {
    if (sum("refundedCents") > 0) return sum("refundedCents") < sum("capturedCents") ? "partly-refunded" : "refunded";
    return money.card ? "partly-charged" : "captured";
  }
  if (has("authorized")) return "authorized";
  if (has("saved")) return "card-saved";
  return has("failed") ? "failed" : "unpaid";
}

/** The shop cannot ship before the promised day, and by then the authorization is over. */
function isExpiring({ facts, units, money: { authorized }, promise: { shipBy } }: OrderState): boolean {
  const isLater = facts.delays.length > 0 || units.some((unit) => unit.shipsFrom !== null && isWaiting(unit));
  const endsOn = authorized?.captureBefore && newYorkDay(authorized.captureBefore);
  return isLater && Boolean(endsOn) && (shipBy === null || endsOn! <= shipBy);
}

function attentionOf(state: OrderState): Attention[] {
  const { facts, units, parcels, stage, money, refunds } = state;
  const isOpen = stage !== "unpaid" && facts.order.end === null;
  const isUnpaid = isOpen && isToCharge(state) && !money.authorized;
  const hasCard = money.isByCard && money.card !== null;
  const isIn = (place: Place) => units.some((unit) => unit.place === place && isAstray(unit));
  const isComingBack = parcels.some((each) => each.isSentAgain && each.state === "refused" && !each.returnedAt);
  const found: Record<Attention, boolean> = {
    disputed: money.isDisputed,
    mismatch: money.isMismatched,
    "refund-failed": refunds.some(({ hasFailed }) => hasFailed),
    "card-refused": isUnpaid && money.isRefused,
    "pay-again": isUnpaid && money.wasHeld && !hasCard && !money.isRefused,
    "to-cancel": units.some(isToCancel),
    arrange: isUnpaid && !money.wasHeld,
    "refund-owed": refunds.some(
      ({ owedCents, byHandCents, hasFailed }) => byHandCents > 0 || (owedCents > 0 && !hasFailed),
    ),
    "parcel-lost": isIn("lost"),
    "parcel-refused": isIn("refused") || isComingBack,
    "parcel-returned": isIn("back"),
    expiring: isOpen && isExpiring(state),
  };
  return ATTENTION.filter((each) => found[each]);
}

/** Something that waits has a price, and neither is paid nor in a charge. */
export const isToCharge = ({ units }: Pick<OrderState, "units">): boolean =>
  units.some((unit) => isWaiting(unit) && !unit.isPaid && unit.valueCents > 0 && unit.charged === null);

export function summaryOf(facts: Facts): Summary {
  const state = orderState(facts);
  const { stage, promise, deliveredAt } = state;
  return {
    stage,
    paymentStatus: paymentStatusOf(state),
    attention: attentionOf(state),
    answerBy: stage !== "unpaid" ? promise.answerBy : null,
    announceOn: announceDay(state),
    deliveredAt,
  };
}

/** Stored part of a summary. */
export const storedOf = ({ deliveredAt: _deliveredAt, ...stored }: Summary): StoredSummary => stored;
