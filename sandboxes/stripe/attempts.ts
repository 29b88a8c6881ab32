/** Attempts to pay or to save a card on a page, and to charge a saved card. */
import type Stripe from "stripe";
import type { Decline } from "./card-form.ts";
import { REFUSED, take } from "./lifecycle.ts";
import { METHODS } from "./methods.ts";
import { newCharge, newIntent, newMethod, testCard } from "./objects.ts";
import { emit, isOpen, Refusal, type PagePayment, type Payer, type Work } from "./payment.ts";
import { randomText } from "./secrets.ts";

/** The outcome of an attempt. `closed`: the session was no longer open. */
export type Outcome = "challenge" | "closed" | "completed" | "declined";

/** Pays on a payment's page, or saves the card on a page that only does that. */
export function pay(work: Work, payer: Payer): Outcome {
  const { payment, now } = work;
  if (!isOpen(payment)) return "closed";
  const asked = (payment.setup ?? (payment.intent ??= newIntent(payment, now))) as Asked;
  payment.session.payment_intent = payment.intent?.id ?? null;
  payment.challenge = null;
  if (!testCard(payer.cardNumber).isChallenged) return complete(work, payment, payer);
  payment.challenge = { id: randomText(24), payer };
  asked.status = "requires_action";
  return "challenge";
}

type Asked = { status: Stripe.PaymentIntent.Status };

/** Answers of the payer's bank; only the latest challenge counts. */
export function answerChallenge(work: Work, challengeId: string, isPassed: boolean): Outcome {
  const { payment } = work;
  const { challenge } = payment;
  if (!isOpen(payment) || challenge?.id !== challengeId) return "closed";
  payment.challenge = null;
  if (isPassed) return complete(work, payment, challenge.payer);
  const asked = payment.setup ? "setup_intent" : "payment_intent";
  return fail(work, {
    code: `${asked}_authentication_failure`,
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    type: "invalid_request_error",
  });
}

function complete(work: Work, payment: PagePayment, payer: Payer): Outcome {
  const { session, setup, intent } = payment;
  const { decline, isSavedAnyway } = testCard(payer.cardNumber);
  if (intent) charge(work, intent, { payer, decline, captureBefore: work.now + METHODS.card.days * 86_400 });
  if (decline && !(setup && isSavedAnyway)) return fail(work, { ...decline, type: "card_error" });
  payment.payer = payer;
  session.status = "complete";
  session.url = null;
  const saving = setup ?? (intent?.setup_future_usage ? intent : null);
  if (saving) {
    payment.method = newMethod(payer, session.customer, work.now);
    saving.payment_method = payment.method.id;
  }
  if (setup) {
    setup.status = "succeeded";
    setup.last_setup_error = null;
    emit(work, "setup_intent.succeeded", setup);
  }
  if (intent) {
    intent.status = "requires_capture";
    intent.last_payment_error = null;
    intent.amount_capturable = intent.amount;
    emit(work, "payment_intent.amount_capturable_updated", intent);
  }
  emit(work, "checkout.session.completed", session);
  return "completed";
}

function charge({ payment, now }: Work, intent: Stripe.PaymentIntent, attempt: Attempt): Stripe.Charge {
  const made = newCharge({ ...attempt, intent, now });
  payment.charges.push(made);
  intent.latest_charge = made.id;
  return made;
}

type Attempt = { payer: Payer; decline: Decline | undefined; captureBefore: number | null };
type AttemptError = Stripe.PaymentIntent.LastPaymentError & Stripe.SetupIntent.LastSetupError;

function fail(work: Work, error: AttemptError): "declined" {
  const { intent, setup } = work.payment;
  if (setup) {
    setup.status = "requires_payment_method";
    setup.last_setup_error = error;
    emit(work, "setup_intent.setup_failed", setup);
  }
  if (intent) {
    intent.status = "requires_payment_method";
    intent.last_payment_error = error;
    emit(work, "payment_intent.payment_failed", intent);
  }
  return "declined";
}

/** Charges a saved card at once, without its owner. The intent of a refused charge stays, without a card. */
export function chargeSaved(work: Work, intent: Stripe.PaymentIntent, payer: Payer): Refusal | null {
  const { decline, asksEachTime, refusesCapture } = testCard(payer.cardNumber);
  const refused = asksEachTime ? ASKS_OWNER : refusesCapture ? REFUSED : decline;
  const made = charge(work, intent, { payer, decline: refused, captureBefore: null });
  if (refused) {
    fail(work, { ...refused, type: "card_error" });
    return new Refusal(402, { ...refused, type: "card_error", payment_intent: structuredClone(intent) });
  }
  take(work, intent, made, intent.amount);
  return null;
}

const ASKS_OWNER = {
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};
