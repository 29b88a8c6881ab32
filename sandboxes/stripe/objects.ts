/** Stripe's objects, with the fields that the shop, the payment page and the tests read. */
import type Stripe from "stripe";
import { cardByNumber, type Decline, type TestCard } from "./card-form.ts";
import { invalidRequest, type PagePayment, type Payer, type Payment } from "./payment.ts";
import type { ChargeParams, SessionParams } from "./call-params.ts";
import { newId, randomText } from "./secrets.ts";

const DAYS_TO_ANSWER = 9;

const MIN_MINUTES = 30;
const MAX_HOURS = 24;
const MIN_CENTS = 50;

function checkAmount(amount: number): void {
  if (amount < MIN_CENTS) throw invalidRequest("The total amount is too small.", { code: "amount_too_small" });
}

const nothingYet = (): Omit<Payment, "session"> => ({
  lines: [],
  intentData: { metadata: {}, setup_future_usage: null },
  intent: null,
  setup: null,
  method: null,
  charges: [],
  refunds: [],
  disputes: [],
  openRefunds: [],
  challenge: null,
  payer: null,
});

function linesOf(params: SessionParams): Payment["lines"] {
  if (params.mode === "setup") return [];
  return params.line_items.map(({ price_data: { product_data: product, unit_amount: unitAmount }, quantity }) => ({
    name: product.name,
    unitAmount,
    quantity,
  }));
}

/** A payment page, or a page that saves a card. */
export function newPage(params: SessionParams, now: number, pageUrl: (id: string) => string): PagePayment {
  const isSetup = params.mode === "setup";
  const lines = linesOf(params);
  const amount = isSetup ? null : lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);
  if (amount !== null) checkAmount(amount);
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalidRequest("You may only specify one of these parameters: customer, customer_email.");
  }
  const latest = now + MAX_HOURS * 3_600;
  const expiresAt = params.expires_at ?? latest;
  if (expiresAt < now + MIN_MINUTES * 60 || expiresAt > latest) {
    const message = `The session must expire in ${MIN_MINUTES} minutes to ${MAX_HOURS} hours.`;
    throw invalidRequest(message, { param: "expires_at" });
  }
  const id = `cs_test_${randomText(58)}`;
  const setup = isSetup ? newSetup(params.customer ?? null, params.setup_intent_data?.metadata ?? {}, now) : null;
  const session = {
    id,
    object: "checkout.session",
    allowed_payment_method_types: params.allowed_payment_method_types,
    amount_subtotal: amount,
    amount_total: amount,
    billing_address_collection: params.billing_address_collection,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: now,
    currency: "usd",
    custom_text: { submit: params.custom_text?.submit ?? null },
    customer: params.customer ?? null,
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt,
    livemode: false,
    metadata: {},
    mode: params.mode,
    payment_intent: null,
    payment_status: isSetup ? "no_payment_required" : "unpaid",
    setup_intent: setup?.id ?? null,
    status: "open",
    success_url: params.success_url,
    url: pageUrl(id),
  } as Stripe.Checkout.Session;
  const paying = isSetup ? null : params.payment_intent_data;
  return {
    ...nothingYet(),
    session,
    lines,
    setup,
    intentData: { metadata: paying?.metadata ?? {}, setup_future_usage: paying?.setup_future_usage ?? null },
  };
}

/** The setup of a page that saves a card, created with the page. */
const newSetup = (customer: string | null, metadata: Stripe.Metadata, now: number) =>
  ({
    id: newId("seti"),
    object: "setup_intent",
    created: now,
    customer,
    last_setup_error: null,
    livemode: false,
    metadata,
    payment_method: null,
    status: "requires_payment_method",
    usage: "off_session",
  }) as Stripe.SetupIntent;

type NewIntent = Pick<
  Stripe.PaymentIntent,
  "amount" | "capture_method" | "customer" | "metadata" | "payment_method" | "setup_future_usage"
>;

const makeIntent = (made: NewIntent, now: number) =>
  ({
    ...made,
    id: newId("pi"),
    object: "payment_intent",
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    created: now,
    currency: "usd",
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    status: "requires_payment_method",
  }) as Stripe.PaymentIntent;

/** The intent of a page, created at the first attempt to pay. */
export const newIntent = ({ session, intentData }: PagePayment, now: number): Stripe.PaymentIntent => {
  const { amount_total: amount, customer } = session;
  return makeIntent(
    { ...intentData, amount: amount ?? 0, capture_method: "manual", customer, payment_method: null },
    now,
  );
};

/** A charge of a saved card, without a page. */
export function newSavedCharge(
  params: ChargeParams,
  payer: Payer,
  now: number,
): Payment & { intent: Stripe.PaymentIntent } {
  const { amount, metadata = {}, customer, payment_method } = params;
  checkAmount(amount);
  const intent = makeIntent(
    { amount, capture_method: "automatic_async", customer, metadata, payment_method, setup_future_usage: null },
    now,
  );
  return { ...nothingYet(), session: null, intent, payer };
}

/** The method by its type; only a card has details. */
function detailsOf({ method, wallet, cardNumber, expMonth, expYear }: Payer, more = {}) {
  if (method !== "card") return { [method]: {}, type: method };
  const { brand, number } = testCard(cardNumber);
  const card = { brand, exp_month: expMonth, exp_year: expYear, last4: number.slice(-4) };
  return { card: { ...card, ...more, wallet: wallet && { type: wallet } }, type: method };
}

/** A saved card. */
export function newMethod(payer: Payer, customer: Stripe.Checkout.Session["customer"], now: number) {
  return {
    id: newId("pm"),
    object: "payment_method",
    billing_details: { address: { postal_code: payer.postalCode }, name: payer.name },
    ...detailsOf(payer),
    created: now,
    customer,
    livemode: false,
    metadata: {},
  } as Stripe.PaymentMethod;
}

export function testCard(number: string | null): TestCard {
  const card = cardByNumber(number ?? "");
  if (!card) throw new Error("Only test cards come this far");
  return card;
}

type NewCharge = {
  intent: Stripe.PaymentIntent;
  payer: Payer;
  decline: Decline | undefined;
  captureBefore: number | null;
  now: number;
};

/** A single attempt to take money, successful or declined. */
export function newCharge({ intent, payer, decline, captureBefore, now }: NewCharge): Stripe.Charge {
  const isHeld = captureBefore !== null && !decline;
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
    payment_method_details: detailsOf(payer, isHeld ? { capture_before: captureBefore } : {}),
    refunded: false,
    status: decline ? "failed" : "succeeded",
  } as Stripe.Charge;
}

/** Only cards tell a release from a refund. */
function destinationOf({ payment_method_details: used }: Stripe.Charge, isRelease: boolean) {
  const type = used?.type ?? "card";
  return type === "card" ? { card: { type: isRelease ? "reversal" : "refund" }, type } : { [type]: {}, type };
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
    destination_details: destinationOf(charge, isRelease),
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
