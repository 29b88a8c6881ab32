/** Stripe's objects, with the fields that the shop, the payment page and the tests read. */
import type Stripe from "stripe";
import { cardByNumber, type TestCard } from "./card-form.ts";
import { invalidRequest, type Payer, type Payment } from "./payment.ts";
import type { SessionParams } from "./routes.ts";
import { newId, randomText } from "./secrets.ts";

const DAYS_TO_ANSWER = 9;

const MIN_MINUTES = 30;
const MAX_HOURS = 24;
const MIN_CENTS = 50;

export function newPayment(params: SessionParams, now: number, pageUrl: (id: string) => string): Payment {
  const lines = params.line_items.map(
    ({ price_data: { product_data: product, unit_amount: unitAmount }, quantity }) => ({
      name: product.name,
      unitAmount,
      quantity,
    }),
  );
  const amount = lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);
  if (amount < MIN_CENTS) throw invalidRequest("The total amount is too small.", { code: "amount_too_small" });
  const latest = now + MAX_HOURS * 3_600;
  const expiresAt = params.expires_at ?? latest;
  if (expiresAt < now + MIN_MINUTES * 60 || expiresAt > latest) {
    const message = `The session must expire in ${MIN_MINUTES} minutes to ${MAX_HOURS} hours.`;
    throw invalidRequest(message, { param: "expires_at" });
  }
  const id = `cs_test_${randomText(58)}`;
  const session = {
    id,
    object: "checkout.session",
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: now,
    currency: "usd",
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt,
    livemode: false,
    metadata: {},
    mode: "payment",
    payment_intent: null,
    payment_status: "unpaid",
    status: "open",
    success_url: params.success_url,
    url: pageUrl(id),
  } as Stripe.Checkout.Session;
  return {
    session,
    lines,
    intentMetadata: params.payment_intent_data.metadata ?? {},
    intent: null,
    charges: [],
    refunds: [],
    disputes: [],
    openRefunds: [],
    challenge: null,
    cardNumber: null,
  };
}

/** The intent, created at the first attempt to pay. */
export const newIntent = ({ session, intentMetadata }: Payment, now: number) =>
  ({
    id: newId("pi"),
    object: "payment_intent",
    amount: session.amount_total,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    capture_method: "manual",
    created: now,
    currency: "usd",
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: intentMetadata,
    status: "requires_payment_method",
  }) as Stripe.PaymentIntent;

export function testCard(number: string | null): TestCard {
  const card = cardByNumber(number ?? "");
  if (!card) throw new Error("Only test cards come this far");
  return card;
}

type NewCharge = { intent: Stripe.PaymentIntent; payer: Payer; captureBefore: number | null; now: number };

/** A single attempt to take money, successful or declined. */
export function newCharge({ intent, payer, captureBefore, now }: NewCharge): Stripe.Charge {
  const { decline, brand, number } = testCard(payer.cardNumber);
  const card = {
    brand,
    ...(captureBefore !== null && { capture_before: captureBefore }),
    exp_month: payer.expMonth,
    exp_year: payer.expYear,
    last4: number.slice(-4),
    wallet: payer.wallet && { type: payer.wallet },
  };
  return {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    captured: false,
    created: now,
    currency: intent.currency,
    disputed: false,
    failure_code: decline?.code ?? null,
    metadata: intent.metadata,
    paid: !decline,
    payment_intent: intent.id,
    payment_method_details: { card, type: "card" },
    refunded: false,
    status: decline ? "failed" : "succeeded",
  } as Stripe.Charge;
}

type NewRefund = { amount: number; metadata?: Stripe.Metadata; status?: "pending" | "succeeded"; isRelease?: boolean };

export const newRefund = (
  charge: Stripe.Charge,
  now: number,
  { amount, metadata = {}, status = "succeeded", isRelease = false }: NewRefund,
) =>
  ({
    id: newId("re"),
    object: "refund",
    amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    destination_details: { card: { type: isRelease ? "reversal" : "refund" }, type: "card" },
    metadata,
    payment_intent: charge.payment_intent,
    status,
  }) as Stripe.Refund;

export const newDispute = (charge: Stripe.Charge, now: number) =>
  ({
    id: newId("dp"),
    object: "dispute",
    amount: charge.amount_captured,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    evidence_details: { due_by: now + DAYS_TO_ANSWER * 86_400 },
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  }) as Stripe.Dispute;
