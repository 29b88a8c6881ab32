/** Provider of the contract suite, through Stripe's SDK: the sandbox, or a test account with STRIPE_TEST_SECRET_KEY. */
import Stripe from "stripe";
import { afterAll, beforeAll, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "../support/payment-sandbox.ts";
import { payOnPage, type PaysWith } from "../support/pay-page.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const realKey = process.env.STRIPE_TEST_SECRET_KEY;

/** A test that needs a payer, a fault or another time, and so runs on the sandbox only. */
export const believed = realKey ? it.skip : it;

export type Provider = {
  stripe: Stripe;
  /** Undefined with a real account. */
  sandbox: TestPaymentSandbox;
  webhooks: WebhookReceiver;
};

export function useProvider(): Provider {
  const provider = {} as Provider;
  if (realKey) {
    provider.stripe = new Stripe(realKey, { maxNetworkRetries: 0 });
    return provider;
  }
  const database = useFreshDatabase(2);
  beforeAll(async () => {
    provider.webhooks = await startWebhookReceiver();
    provider.sandbox = await startTestPaymentSandbox(database.url, provider.webhooks.url);
    provider.stripe = provider.sandbox.stripe;
  });
  afterAll(async () => {
    await provider.sandbox.stop();
    await provider.webhooks.stop();
  });
  return provider;
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

export type SessionParams = Stripe.Checkout.SessionCreateParams;

/** Parameters as the shop sends them, for $109. */
export const sessionParams = (more: Partial<SessionParams> = {}): SessionParams => ({
  mode: "payment",
  line_items: [
    { price_data: { currency: "usd", unit_amount: 4_950, product_data: { name: "Bowl" } }, quantity: 2 },
    { price_data: { currency: "usd", unit_amount: 1_000, product_data: { name: "Shipping" } }, quantity: 1 },
  ],
  allowed_payment_method_types: ["card"],
  payment_intent_data: { capture_method: "manual", metadata: { payment_id: "the-payment" } },
  client_reference_id: "the-payment",
  customer_email: "ada@example.com",
  adaptive_pricing: { enabled: false },
  success_url: "https://shop.example/paid?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example/back",
  ...more,
});

export const openSession = (
  { stripe }: Provider,
  more: Partial<SessionParams> = {},
): Promise<Stripe.Checkout.Session> => stripe.checkout.sessions.create(sessionParams(more));

export async function payBy(provider: Provider, session: Stripe.Checkout.Session, by: PaysWith = {}) {
  const paid = await payOnPage(session.url ?? "", by);
  const intent = await readIntent(provider, session.id);
  return { paid, intent };
}

/** The intent of a session with its latest charge and refunds, in one call. */
export async function readIntent({ stripe }: Provider, sessionId: string) {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ["payment_intent.latest_charge.refunds"],
  });
  const { payment_intent: intent } = session;
  if (typeof intent !== "object" || intent === null) throw new Error("The session has no payment intent yet");
  return intent;
}

export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge {
  if (typeof charge !== "object" || charge === null) throw new Error("The charge is not expanded");
  return charge;
}

export async function heldIntent(provider: Provider, by: PaysWith = {}, more: Partial<SessionParams> = {}) {
  const session = await openSession(provider, more);
  const { intent } = await payBy(provider, session, by);
  return { session, intent };
}

export async function capturedIntent(provider: Provider, by: PaysWith = {}) {
  const { session, intent } = await heldIntent(provider, by);
  await provider.stripe.paymentIntents.capture(intent.id);
  return { session, intent: await readIntent(provider, session.id) };
}

/** Parameters of a page that saves a card, as the shop sends them. */
export const savingParams = (customer: string, more: Partial<SessionParams> = {}): SessionParams => ({
  mode: "setup",
  currency: "usd",
  allowed_payment_method_types: ["card"],
  customer,
  custom_text: { submit: { message: "Nothing is charged now." } },
  setup_intent_data: { metadata: { payment_id: "the-payment" } },
  success_url: "https://shop.example/paid",
  cancel_url: "https://shop.example/back",
  ...more,
});

/** Test cards by the names that Stripe's API has for them. */
const METHODS = {
  "4242424242424242": "pm_card_visa",
  "4000000000000341": "pm_card_chargeCustomerFail",
  "4000002760003184": "pm_card_authenticationRequired",
};

export const idOf = (object: string | { id: string } | null | undefined): string =>
  typeof object === "string" ? object : (object?.id ?? "");

/** A customer with a saved card, as parameters of its charges. A real account, which has no payer, attaches it. */
export async function saveCard({ stripe }: Provider, number: string = "4242424242424242") {
  const { id: customer } = await stripe.customers.create({ email: "ada@example.com" });
  if (realKey) {
    const name = METHODS[number as keyof typeof METHODS];
    const method = await stripe.paymentMethods.attach(name, { customer });
    return { customer, payment_method: method.id };
  }
  const session = await stripe.checkout.sessions.create(savingParams(customer));
  await payOnPage(session.url ?? "", { number });
  const { payment_method: method } = await stripe.setupIntents.retrieve(idOf(session.setup_intent));
  return { customer, payment_method: idOf(method) };
}

export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("The call was not refused");
}
