/** Captured money goes back, never more than was captured. Some banks take their time, and some refuse it later. */
import type Stripe from "stripe";
import { testCard } from "../objects/card.ts";
import { newRefund } from "../objects/refund.ts";
import { emit, paidCharge, type OpenRefund, type Work } from "../payment.ts";
import { invalidRequest } from "../refusal.ts";
import { formatAmount } from "../amount.ts";

/** How long a bank takes that does not settle a refund at once. */
const SECONDS_TO_SETTLE = 60;

type Asked = { amount?: number | undefined; reason?: Stripe.Refund.Reason | undefined; metadata: Stripe.Metadata };

const notCharged = ({ payment }: Work) =>
  invalidRequest(`This PaymentIntent (${payment.intent?.id}) does not have a successful charge to refund.`, {
    code: "payment_intent_unexpected_state",
  });

/** Says why this charge cannot be refunded by this amount. Returns the amount where it can. */
function refundable(work: Work, charge: Stripe.Charge, amount: number | undefined): number {
  if (!charge.paid || !charge.captured) throw notCharged(work);
  if (work.payment.disputes.some(({ status }) => status !== "won")) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  }
  const rest = charge.amount - charge.amount_refunded;
  if (rest === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  if (amount !== undefined && amount > rest) {
    const [asked, left] = [amount, rest].map((cents) => formatAmount(cents, charge.currency));
    throw invalidRequest(`Refund amount (${asked}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });
  }
  return amount ?? rest;
}

export function refund(work: Work, { amount: asked, reason, metadata }: Asked, of?: Stripe.Charge): Stripe.Refund {
  const charge = of ?? paidCharge(work.payment);
  if (!charge) throw notCharged(work);
  const amount = refundable(work, charge, asked);
  const { refunds: slow } = testCard(work.payment.cardNumber ?? "");
  const made = newRefund({
    charge,
    amount,
    reason: reason ?? null,
    metadata,
    isPending: slow === "pending-first",
    isRelease: false,
    now: work.now,
  });
  work.payment.refunds.push(made);
  if (slow) {
    const as = slow === "pending-first" ? "succeeded" : "failed";
    work.payment.openRefunds.push({ id: made.id, settlesAt: work.now + SECONDS_TO_SETTLE, as });
  }
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  emit(work, { type: "refund.created", object: made });
  emit(work, { type: "charge.refunded", object: charge, previous });
  return made;
}

/** The bank says at last what became of a refund. One that failed leaves the money where it was. */
export function settleRefund(work: Work, { id, as }: OpenRefund): void {
  const { payment } = work;
  payment.openRefunds = payment.openRefunds.filter((open) => open.id !== id);
  const settled = payment.refunds.find((made) => made.id === id);
  const charge = paidCharge(payment);
  if (!settled || !charge) return;
  const previous = { status: settled.status };
  settled.status = as;
  delete settled.pending_reason;
  if (as === "failed") {
    settled.failure_reason = "expired_or_canceled_card";
    charge.amount_refunded -= settled.amount;
    charge.refunded = false;
    emit(work, { type: "refund.failed", object: settled });
  }
  emit(work, { type: "refund.updated", object: settled, previous });
}
