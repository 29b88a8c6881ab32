/** Money that is held is taken, wholly or in part, or let go. What is let go counts as refunded, as at Stripe. */
import type Stripe from "stripe";
import { newRefund } from "../objects/refund.ts";
import { testCard } from "../objects/card.ts";
import { emit, paidCharge, type Work } from "../payment.ts";
import { invalidRequest, Refusal } from "../refusal.ts";
import { openDispute } from "./disputes.ts";

const UNEXPECTED = "payment_intent_unexpected_state";

function refuseState(intent: Stripe.PaymentIntent, message: string): Refusal {
  return new Refusal(400, { type: "invalid_request_error", code: UNEXPECTED, message, payment_intent: intent });
}

/** The held charge of an intent that asks to be captured. */
function heldCharge({ payment }: Work): { intent: Stripe.PaymentIntent; charge: Stripe.Charge } | null {
  const { intent } = payment;
  const charge = paidCharge(payment);
  return intent?.status === "requires_capture" && charge ? { intent, charge } : null;
}

export function capture(work: Work, intent: Stripe.PaymentIntent, toCapture?: number): void {
  const held = heldCharge(work);
  if (!held) {
    throw refuseState(
      intent,
      intent.status === "succeeded"
        ? "This PaymentIntent could not be captured because it has already been captured."
        : `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    );
  }
  const { charge } = held;
  const amount = toCapture ?? intent.amount_capturable;
  if (amount > intent.amount_capturable) {
    throw invalidRequest(
      `The amount_to_capture (${amount}) must be less than or equal to the amount_capturable (${intent.amount_capturable}).`,
      { code: "amount_too_large", param: "amount_to_capture" },
    );
  }
  const { refusesCapture, isDisputed } = testCard(work.payment.cardNumber ?? "");
  if (refusesCapture) {
    throw new Refusal(402, {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
      charge: charge.id,
      payment_intent: intent,
    });
  }
  if (amount < charge.amount) release(work, charge, charge.amount - amount, null);
  charge.captured = true;
  charge.amount_captured = amount;
  intent.status = "succeeded";
  intent.amount_received = amount;
  intent.amount_capturable = 0;
  work.payment.session.payment_status = "paid";
  emit(work, { type: "charge.captured", object: charge, previous: { amount_captured: 0, captured: false } });
  emit(work, { type: "payment_intent.succeeded", object: intent });
  if (isDisputed) openDispute(work, charge);
}

/** An intent of a session can be canceled while it is held; before, its session is to be expired. */
export function cancel(
  work: Work,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): void {
  if (work.payment.session.status === "open") {
    throw refuseState(
      intent,
      "You cannot cancel a PaymentIntent created by Checkout. Expire the Checkout Session that created the PaymentIntent to cancel it.",
    );
  }
  const held = heldCharge(work);
  if (!held) {
    throw refuseState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  }
  letGo(work, held, reason, null);
}

/** Nobody captured it in time. */
export function runOut(work: Work): void {
  const held = heldCharge(work);
  if (held) letGo(work, held, "automatic", "expired_uncaptured_charge");
}

function letGo(
  work: Work,
  { intent, charge }: { intent: Stripe.PaymentIntent; charge: Stripe.Charge },
  why: Stripe.PaymentIntent.CancellationReason | null,
  refundReason: Stripe.Refund.Reason | null,
): void {
  release(work, charge, charge.amount, refundReason);
  emit(work, { type: "charge.refunded", object: charge, previous: { amount_refunded: 0, refunded: false } });
  closeIntent(work, intent, why);
}

export function closeIntent(
  work: Work,
  intent: Stripe.PaymentIntent,
  why: Stripe.PaymentIntent.CancellationReason | null,
): void {
  intent.status = "canceled";
  intent.canceled_at = work.now;
  intent.cancellation_reason = why;
  intent.amount_capturable = 0;
  intent.next_action = null;
  emit(work, { type: "payment_intent.canceled", object: intent });
}

function release(
  { payment, now }: Work,
  charge: Stripe.Charge,
  amount: number,
  reason: Stripe.Refund.Reason | null,
): void {
  payment.refunds.push(newRefund({ charge, amount, reason, metadata: {}, isPending: false, isRelease: true, now }));
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}
