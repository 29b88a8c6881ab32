/** The lifecycle of a payment after its attempt: captured, refunded, canceled, expired, disputed. */
import type Stripe from "stripe";
import { METHODS, type MethodType } from "./methods.ts";
import { newDispute, newRefund, testCard } from "./objects.ts";
import { emit, formatAmount, invalidRequest, isOpen, paidCharge, Refusal, type Payment, type Work } from "./payment.ts";

const SECONDS_TO_SETTLE = 60;

export const REFUSED = { code: "card_declined", decline_code: "generic_decline", message: "Your card was declined." };

const wrongState = (intent: Stripe.PaymentIntent, what: string): Refusal =>
  invalidRequest(`You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: "payment_intent_unexpected_state",
  });

/** Throws a Refusal unless the payment is authorized. */
function authorizedCharge({ payment }: Work, intent: Stripe.PaymentIntent, what: string): Stripe.Charge {
  const authorized = intent.status === "requires_capture" ? paidCharge(payment) : undefined;
  if (!authorized) throw wrongState(intent, what);
  return authorized;
}

export function capture(work: Work, intent: Stripe.PaymentIntent, amount = intent.amount_capturable): void {
  const authorized = authorizedCharge(work, intent, "capture");
  if (amount > intent.amount_capturable) {
    throw invalidRequest(`The amount_to_capture (${amount}) is more than the authorized amount.`, {
      code: "amount_too_large",
      param: "amount_to_capture",
    });
  }
  if (cardOf(work.payment).refusesCapture) throw new Refusal(402, { ...REFUSED, type: "card_error" });
  if (amount < authorized.amount) release(work, authorized, authorized.amount - amount);
  if (work.payment.session) work.payment.session.payment_status = "paid";
  take(work, intent, authorized, amount);
}

const cardOf = ({ payer }: Payment) => testCard(payer?.cardNumber ?? null);

export function take(work: Work, intent: Stripe.PaymentIntent, taken: Stripe.Charge, amount: number): void {
  taken.captured = true;
  taken.amount_captured = amount;
  intent.status = "succeeded";
  intent.amount_received = amount;
  intent.amount_capturable = 0;
  // A charge of a saved card is captured as it is made.
  if (intent.capture_method === "manual") emit(work, "charge.captured", taken);
  emit(work, "payment_intent.succeeded", intent);
  if (!cardOf(work.payment).isDisputed) return;
  taken.disputed = true;
  const dispute = newDispute(taken, work.now);
  work.payment.disputes.push(dispute);
  emit(work, "charge.dispute.created", dispute);
}

/** Releases an authorization. The intent of an open session is canceled with its session instead. */
export function cancel(work: Work, intent: Stripe.PaymentIntent): void {
  if (work.payment.session?.status === "open") {
    throw invalidRequest("Expire the Checkout Session that created this PaymentIntent to cancel it.");
  }
  if (intent.status === "requires_payment_method") return closeIntent(work, intent);
  releaseAll(work, intent, authorizedCharge(work, intent, "cancel"));
}

function releaseAll(work: Work, intent: Stripe.PaymentIntent, authorized: Stripe.Charge): void {
  release(work, authorized, authorized.amount);
  emit(work, "charge.refunded", authorized);
  closeIntent(work, intent);
}

/** Stripe lists the release of an authorization as a refund. */
function release({ payment, now }: Work, authorized: Stripe.Charge, amount: number): void {
  payment.refunds.push(newRefund(authorized, now, { amount, isRelease: true }));
  addRefunded(authorized, amount);
}

function addRefunded(refunded: Stripe.Charge, amount: number): void {
  refunded.amount_refunded += amount;
  refunded.refunded = refunded.amount_refunded === refunded.amount;
}

function closeIntent(work: Work, intent: Stripe.PaymentIntent): void {
  intent.status = "canceled";
  intent.canceled_at = work.now;
  intent.amount_capturable = 0;
  emit(work, "payment_intent.canceled", intent);
}

export function expire(work: Work): void {
  const { payment } = work;
  const { session, intent, setup } = payment;
  if (!isOpen(payment)) {
    throw invalidRequest(`This Checkout Session has a status of ${session?.status}. Only an open one can be expired.`);
  }
  payment.session.status = "expired";
  payment.session.url = null;
  payment.challenge = null;
  emit(work, "checkout.session.expired", payment.session);
  if (intent) closeIntent(work, intent);
  if (setup) {
    setup.status = "canceled";
    emit(work, "setup_intent.canceled", setup);
  }
}

type RefundRequest = { amount?: number | undefined; metadata?: Stripe.Metadata | undefined };

/** Refunds a captured charge, never more than was captured. Some banks settle or refuse a refund later. */
export function refund(work: Work, intent: Stripe.PaymentIntent, { amount, metadata }: RefundRequest): Stripe.Refund {
  const { payment, now } = work;
  const captured = paidCharge(payment);
  if (!captured?.captured) throw wrongState(intent, "refund");
  if (payment.disputes.some(({ status }) => status !== "won")) {
    throw invalidRequest(`Charge ${captured.id} has been charged back.`, { code: "charge_disputed" });
  }
  const rest = captured.amount - captured.amount_refunded;
  if (rest === 0) {
    throw invalidRequest(`Charge ${captured.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  const cents = amount ?? rest;
  if (cents > rest) {
    throw invalidRequest(`Refund amount is greater than the unrefunded amount (${formatAmount(rest)})`, {
      param: "amount",
    });
  }
  const { refunds: slow } = cardOf(payment);
  const status = slow === "pending-first" ? "pending" : "succeeded";
  const made = newRefund(captured, now, { amount: cents, status, ...(metadata && { metadata }) });
  payment.refunds.push(made);
  if (slow) {
    const as = slow === "pending-first" ? "succeeded" : "failed";
    payment.openRefunds.push({ id: made.id, settlesAt: now + SECONDS_TO_SETTLE, as });
  }
  addRefunded(captured, cents);
  emit(work, "refund.created", made);
  emit(work, "charge.refunded", captured);
  return made;
}

/** Applies the bank's late result. After a failed refund the shop keeps the money. */
function completeRefund(work: Work, { id, as }: Payment["openRefunds"][number]): void {
  const { payment } = work;
  payment.openRefunds = payment.openRefunds.filter((open) => open.id !== id);
  const settled = payment.refunds.find((made) => made.id === id);
  const refunded = paidCharge(payment);
  if (!settled || !refunded) return;
  settled.status = as;
  if (as === "failed") {
    addRefunded(refunded, -settled.amount);
    emit(work, "refund.failed", settled);
  }
  emit(work, "refund.updated", settled);
}

export function endDispute(work: Work, dispute: Stripe.Dispute, as: "won" | "lost"): void {
  dispute.status = as;
  emit(work, "charge.dispute.closed", dispute);
}

/** End of an authorization in seconds. */
function endOf({ created, payment_method_details: used }: Stripe.Charge): number {
  const { days } = METHODS[used?.type as MethodType];
  return used?.card?.capture_before ?? created + days * 86_400;
}

/** Timed transitions with their times in seconds, in order. */
function upcoming(payment: Payment): { at: number; run(work: Work): void }[] {
  const { session, intent, openRefunds } = payment;
  const steps: { at: number; run(work: Work): void }[] = openRefunds.map((open) => ({
    at: open.settlesAt,
    run: (work) => completeRefund(work, open),
  }));
  if (session?.status === "open") steps.push({ at: session.expires_at, run: expire });
  const authorized = intent?.status === "requires_capture" ? paidCharge(payment) : undefined;
  if (intent && authorized) {
    steps.push({ at: endOf(authorized), run: (work) => releaseAll(work, intent, authorized) });
  }
  return steps.toSorted((one, other) => one.at - other.at);
}

/** Seconds of the next timed transition; null if there is none. */
export const dueAt = (payment: Payment): number | null => upcoming(payment)[0]?.at ?? null;

export function applyDue(work: Work): void {
  for (const { at, run } of upcoming(work.payment)) if (at <= work.now) run(work);
}
