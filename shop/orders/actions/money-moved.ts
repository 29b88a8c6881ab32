/** The outcome of an attempt to move money, as its provider says it: its charge or refund, and the parcel that waits. */
import {
  decided,
  merge,
  NOTHING,
  type DecidedBy,
  type Attempt,
  type Change,
  type Charge,
  type Decision,
  type Payment,
} from "../facts.ts";
import type { OrderState } from "../state.ts";
import { announceAgain } from "./announce.ts";
import { sendForReturn } from "./parcels.ts";
import { carryOver, refunded } from "./refund-money.ts";
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
  const recorded: Change = { attempts: [{ ...attempt, state: outcome }], payments: [payment] };
  if (attempt.chargeId) return decided(recorded, afterCharge(state, attempt, outcome, payment, act));
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
      afterLink(state, charge, cents, act),
    );
  // The buyer may pay a link again.
  if (charge.by === "link") return { events: [{ type: "capture-failed", data: { chargeId: charge.id, cents } }] };
  const parts: Change[] = [failed(state, charge, act), announceAgain(state.facts, charge.id, state, act)];
  if (parcel)
    parts.push({
      parcels: [{ ...parcel, state: "failed" }],
      packed: state.facts.packed
        .filter((row) => row.parcelId === parcel.id && row.releasedAt === null)
        .map((row) => ({ ...row, releasedAt: act.at })),
    });
  const isCard = payment.kind === "charge";
  const card = state.facts.payments.find(({ id }) => id === payment.savedPaymentId);
  if (isCard && card) parts.push({ payments: [{ ...card, refusedAt: card.refusedAt ?? act.at }] });
  parts.push({
    events: [
      {
        type: state.money.isByCard ? "charge-refused" : "capture-failed",
        data: { chargeId: charge.id, cents, ...(parcel && { shipmentId: parcel.id }) },
      },
    ],
    emails: [
      state.money.isByCard
        ? { situation: "charge-refused", isReminder: false }
        : { situation: "payment-request", why: "capture-failed" },
    ],
  });
  return merge(...parts);
}

function afterLink(state: OrderState, charge: Charge, cents: number, act: DecidedBy): Change {
  if (charge.by !== "link") return {};
  const paid = state.charges.find(({ id }) => id === charge.id)!;
  return merge(carryOver(state, paid, act), charge.returnId ? sendForReturn(state, charge.returnId, act) : {}, {
    events: [{ type: "payment-received", data: { chargeId: charge.id, cents } }],
  });
}

/** What a failed charge asked for is not charged. */
const failed = ({ facts }: OrderState, charge: Charge, act: DecidedBy): Change => ({
  charges: [{ ...charge, state: "failed" }],
  chargeItems: facts.chargeItems
    .filter(({ chargeId, releasedAt }) => chargeId === charge.id && releasedAt === null)
    .map((item) => ({ ...item, releasedAt: act.at })),
});

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
      { situation: "payment-alert", about: "refund-failed" },
      ...(isPromised ? [{ situation: "refund-failed", cents }] : []),
    ],
  };
}
