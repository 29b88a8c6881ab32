/** Somebody pays on a session's page: past the bank where it asks, and again with another card until one goes through. */
import type Stripe from "stripe";
import { paymentMethod, testCard } from "../objects/card.ts";
import { newCharge } from "../objects/charge.ts";
import { newIntent } from "../objects/intent.ts";
import { customerDetails } from "../objects/session.ts";
import { emit, type Payer, type Work } from "../payment.ts";
import { newId } from "../secrets.ts";
import { openDispute } from "./disputes.ts";

/** How long money stays held before the bank lets it go. */
export const DAYS_HELD = 7;

/** What an attempt came to. `closed`: the session was not open any more, and nothing was done. */
export type Outcome = "challenge" | "closed" | "declined" | "paid";

const NOT_PROVED =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";

export function pay(work: Work, payer: Payer, challengeUrl: string): Outcome {
  const { payment, now } = work;
  if (payment.session.status !== "open") return "closed";
  const intent = (payment.intent ??= newIntent(payment, now));
  payment.session.payment_intent = intent.id;
  payment.challenge = null;
  const method = newId.paymentMethod();
  if (!testCard(payer.cardNumber).asksForProof) return charge(work, intent, payer, method, false);
  payment.challenge = { id: newId.challenge(), payer, paymentMethod: method };
  intent.status = "requires_action";
  intent.payment_method = method;
  intent.next_action = {
    redirect_to_url: { return_url: payment.session.url, url: challengeUrl },
    type: "redirect_to_url",
  };
  return "challenge";
}

/** The payer comes back from the bank. An answer to another question than the last one is none. */
export function answerChallenge(work: Work, challengeId: string, isPassed: boolean): Outcome {
  const { session, intent, challenge } = work.payment;
  if (session.status !== "open" || !intent || challenge?.id !== challengeId) return "closed";
  work.payment.challenge = null;
  const { payer, paymentMethod: method } = challenge;
  if (isPassed) return charge(work, intent, payer, method, true);
  fail(work, intent, {
    code: "payment_intent_authentication_failure",
    message: NOT_PROVED,
    payment_method: paymentMethod(method, payer, session.customer_email, work.now),
    type: "invalid_request_error",
  });
  return "declined";
}

function charge(work: Work, intent: Stripe.PaymentIntent, payer: Payer, method: string, isProved: boolean): Outcome {
  const { payment, now } = work;
  const { decline, isDisputed } = testCard(payer.cardNumber);
  const isHeld = intent.capture_method === "manual";
  const made = newCharge({
    intent,
    payer,
    email: payment.session.customer_email,
    paymentMethod: method,
    decline,
    isProved,
    captureBefore: isHeld && !decline ? now + DAYS_HELD * 86_400 : null,
    now,
  });
  payment.charges.push(made);
  intent.latest_charge = made.id;
  if (decline) {
    fail(work, intent, {
      charge: made.id,
      code: decline.code,
      ...(decline.declineCode && { decline_code: decline.declineCode }),
      message: decline.message,
      payment_method: paymentMethod(method, payer, payment.session.customer_email, now),
      type: "card_error",
    });
    return "declined";
  }
  intent.payment_method = method;
  intent.last_payment_error = null;
  intent.next_action = null;
  intent.status = isHeld ? "requires_capture" : "succeeded";
  intent.amount_capturable = isHeld ? intent.amount : 0;
  intent.amount_received = isHeld ? 0 : intent.amount;
  payment.cardNumber = payer.cardNumber;
  complete(work, payer, made, isHeld ? "unpaid" : "paid");
  emit(work, {
    type: isHeld ? "payment_intent.amount_capturable_updated" : "payment_intent.succeeded",
    object: intent,
  });
  emit(work, { type: "checkout.session.completed", object: payment.session });
  if (isDisputed && !isHeld) openDispute(work, made);
  return "paid";
}

function complete({ payment }: Work, payer: Payer, made: Stripe.Charge, paymentStatus: "paid" | "unpaid"): void {
  const { session } = payment;
  session.status = "complete";
  session.payment_status = paymentStatus;
  session.url = null;
  session.customer_details = customerDetails(session.customer_email, payer.name, made.billing_details.address);
  session.collected_information = { business_name: null, individual_name: null, shipping_details: null };
}

/** The intent waits for another card. */
function fail(work: Work, intent: Stripe.PaymentIntent, error: Stripe.PaymentIntent.LastPaymentError): void {
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = { ...error, payment_method_type: "card" };
  emit(work, { type: "payment_intent.payment_failed", object: intent });
}
