/**
 * Whom the contract suite speaks with, by Stripe's own SDK: the sandbox, and with STRIPE_TEST_SECRET_KEY a real test account.
 * What needs a payer on the page, a fault or another time can be had from the sandbox alone.
 */
import Stripe from "stripe";
import { afterAll, beforeAll, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "../support/payment-sandbox.ts";
import { payOnPage, type PaysWith } from "../support/pay-page.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const realKey = process.env.STRIPE_TEST_SECRET_KEY;

/** A test of what the sandbox is believed to do as Stripe does. docs/payment-sandbox.md names each. */
export const believed = realKey ? it.skip : it;

export type Provider = {
  stripe: Stripe;
  /** Not there where the provider is Stripe itself. */
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

/** A session as the shop asks for it, of 109 dollars. */
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

/** Somebody pays on the session's page. Answers where they end, and with the intent as it then is. */
export async function payBy(provider: Provider, session: Stripe.Checkout.Session, by: PaysWith = {}) {
  const paid = await payOnPage(session.url ?? "", by);
  const intent = await readIntent(provider, session.id);
  return { paid, intent };
}

/** The intent of a session with its latest charge, in one call. */
export async function readIntent({ stripe }: Provider, sessionId: string) {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ["payment_intent.latest_charge"],
  });
  const { payment_intent: intent } = session;
  if (typeof intent !== "object" || intent === null) throw new Error("The session has no payment intent yet");
  return intent;
}

export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge {
  if (typeof charge !== "object" || charge === null) throw new Error("The charge is not expanded");
  return charge;
}

/** A session that somebody has paid, held and not captured. */
export async function heldIntent(provider: Provider, by: PaysWith = {}, more: Partial<SessionParams> = {}) {
  const session = await openSession(provider, more);
  const { intent } = await payBy(provider, session, by);
  return { session, intent };
}

/** One that is captured too. */
export async function capturedIntent(provider: Provider, by: PaysWith = {}) {
  const { intent } = await heldIntent(provider, by);
  return provider.stripe.paymentIntents.capture(intent.id, { expand: ["latest_charge"] });
}

/** What a call is refused with. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("The call was not refused");
}
