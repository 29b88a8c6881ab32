/** The outcome of an attempt to move money, as its provider says it: its charge or refund, and the parcel that waits. */
import { apply, decided, merge, NOTHING, type DecidedBy, type Change, type Decision } from "../change.ts";
import type { Attempt, Charge, Payment } from "../facts.ts";
import { centsOf } from "../order-money.ts";
import { orderState, type OrderState } from "../state.ts";
import { keepAnnounced } from "./announce.ts";
import { endCharge } from "./money.ts";
import { released, sendForReturn } from "./parcels.ts";
import { carryOver, refundSurplus, refunded, withWorth } from "./refund-money.ts";
import { left } from "./ship.ts";

export type Outcome = {
  attemptId: string;
  outcome: "done" | "failed";
  /** The payment as it was read with the outcome. */
  payment: Payment;
  /** The buyer was told of a refund that failed. */
  isPromised?: boolean;
};

/** Records an outcome once; repeated, it changes nothing. A refund that was given back may still fail at its bank. */
export function moneyMoved(
  state: OrderState,
  { attemptId, outcome, payment, isPromised = true }: Outcome,
  act: DecidedBy,
): Decision {
  const attempt = state.facts.attempts.find(({ id }) => id === attemptId);
  const isLate = attempt?.state === "done" && attempt.kind === "refund" && outcome === "failed";
  if (!attempt || attempt.state === "failed" || (attempt.state === "done" && !isLate)) return NOTHING;
  const isCapture = attempt.chargeId !== null && outcome === "done";
  // Someone may have captured more in the provider's dashboard meanwhile.
  const surplusCents = isCapture ? Math.max(0, payment.capturedCents - attempt.cents) : 0;
  const recorded: Change = {
    attempts: [{ ...attempt, state: outcome, cents: attempt.cents + surplusCents }],
    payments: [payment],
  };
  if (attempt.chargeId)
    return decided(
      recorded,
      afterCharge(state, attempt, outcome, payment, act),
      surplusCents > 0 ? refundSurplus(state, payment, attempt.chargeId, surplusCents, act) : {},
    );
  if (attempt.kind === "refund") return decided(recorded, afterRefund(state, attempt, outcome, isPromised));
  return decided(recorded);
}

function afterCharge(
  state: OrderState,
  { chargeId, cents }: Attempt,
  outcome: "done" | "failed",
  payment: Payment,
  act: DecidedBy,
): Change {
  const charge = state.facts.charges.find(({ id }) => id === chargeId)!;
  const parcel = state.facts.parcels.find((each) => each.chargeId === chargeId && each.state === "packing");
  if (outcome === "done")
    return merge(
      { charges: [{ ...charge, state: "paid" }] },
      parcel ? left(state, parcel, act) : {},
      charge.by === "link" ? afterLink(state, charge, cents, act) : {},
    );
  // The buyer may pay a return's link again.
  if (charge.returnId !== null)
    return {
      events: [{ type: "capture-failed", data: { chargeId: charge.id, cents } }],
      emails: [{ template: "return-payment", chargeId: charge.id, cents, returnId: charge.returnId }],
    };
  const standing = state.charges.find(({ id }) => id === chargeId)!;
  const parts: Change[] = [endCharge(state, standing, "failed", act)];
  if (standing.announcedAt) parts.push(keepAnnounced(standing, standing.items, act));
  if (parcel) parts.push({ parcels: [{ ...parcel, state: "failed" }], packed: released(state.facts, parcel.id, act) });
  const card = refusedCard(state, payment);
  if (card) parts.push({ payments: [{ ...card, refusedAt: act.at }] });
  parts.push({
    events: [
      {
        type: state.money.isByCard ? "charge-refused" : "capture-failed",
        data: { chargeId: charge.id, cents, ...(parcel && { shipmentId: parcel.id }) },
      },
    ],
    emails: [
      state.money.isByCard
        ? { template: "charge-refused", isReminder: false }
        : { template: "payment-request", why: "capture-failed" },
    ],
  });
  return merge(...parts);
}

/**
 * Kept card that its bank refuses with a payment. If the buyer had paid what another card refused before, the time to pay again
 * begins anew.
 */
function refusedCard({ facts, money: { isByCard, card } }: OrderState, payment: Payment): Payment | null {
  if (payment.kind === "charge")
    return facts.payments.find(({ id, refusedAt }) => id === payment.savedPaymentId && refusedAt === null) ?? null;
  if (card?.id === payment.id) return payment;
  return isByCard && card?.refusedAt ? card : null;
}

/** Units that were paid by a link are sent, and those that they replace pay the rest of their charge. */
export function afterLink(state: OrderState, charge: Charge, cents: number, act: DecidedBy): Change {
  const { returnId } = charge;
  const received: Change = { events: [{ type: "payment-received", data: { chargeId: charge.id, cents } }] };
  if (returnId === null) return received;
  const paid = state.charges.find(({ id }) => id === charge.id)!;
  const replacing = state.facts.units.filter((unit) => unit.returnId === returnId && !unit.canceledAt);
  const units = withWorth(replacing, centsOf(paid.items) - cents);
  const now = orderState(apply(state.facts, { units }));
  return merge({ units }, carryOver(now, returnId, paid, act), sendForReturn(now, returnId, act), received);
}

function afterRefund(
  { facts }: OrderState,
  { refundId, cents }: Attempt,
  outcome: "done" | "failed",
  isPromised: boolean,
): Change {
  const reason = facts.refunds.find(({ id }) => id === refundId)?.reason ?? null;
  if (outcome === "done") return refunded(refundId, cents, reason);
  return {
    events: [{ type: "refund-failed", data: { refundId, cents } }],
    emails: [
      { template: "payment-alert", about: "refund-failed" },
      ...(isPromised ? [{ template: "refund-failed" as const, cents }] : []),
    ],
  };
}
