/** What a Checkout Session is made of: the parameters that the sandbox takes, and how they become a payment. */
import type Stripe from "stripe";
import { z } from "zod";
import { CURRENCIES, formatAmount } from "../amount.ts";
import { newSession } from "../objects/session.ts";
import type { Line, Payment } from "../payment.ts";
import { invalidRequest } from "../refusal.ts";
import { newId } from "../secrets.ts";
import { address, boolean, expand, integer, metadata, text, type Known } from "./params.ts";

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  z.enum(names, { error: `Invalid value: must be one of ${names.join(", ")}` });

const productData = {
  description: text(5_000).optional(),
  images: z.array(address).max(8).optional(),
  metadata: metadata.optional(),
  name: text(5_000),
} satisfies Known<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.ProductData>;

const priceData = {
  currency: oneOf(...CURRENCIES),
  product_data: z.strictObject(productData),
  unit_amount: integer({ min: 0 }),
} satisfies Known<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>;

const lineItem = {
  price_data: z.strictObject(priceData),
  quantity: integer({ min: 1, max: 999_999 }),
} satisfies Known<Stripe.Checkout.SessionCreateParams.LineItem>;

const intentData = {
  capture_method: oneOf("automatic", "automatic_async", "manual").optional(),
  description: text(1_000).optional(),
  metadata: metadata.optional(),
  receipt_email: z.email({ error: "Invalid email address" }).optional(),
} satisfies Known<Stripe.Checkout.SessionCreateParams.PaymentIntentData>;

export const sessionParams = z.strictObject({
  adaptive_pricing: z.strictObject({ enabled: boolean.optional() }).optional(),
  allowed_payment_method_types: z.array(oneOf("card")).min(1).max(1).optional(),
  billing_address_collection: oneOf("auto", "required").optional(),
  cancel_url: address.optional(),
  client_reference_id: text(200).optional(),
  customer_email: z.email({ error: "Invalid email address" }).max(512).optional(),
  expand,
  expires_at: integer({ min: 0, max: 10_000_000_000 }).optional(),
  line_items: z.array(z.strictObject(lineItem)).min(1).max(100),
  locale: oneOf("auto", "en").optional(),
  metadata: metadata.optional(),
  mode: oneOf("payment"),
  payment_intent_data: z.strictObject(intentData).optional(),
  submit_type: oneOf("auto", "book", "donate", "pay").optional(),
  success_url: address,
  ui_mode: oneOf("hosted_page").optional(),
} satisfies Known<Stripe.Checkout.SessionCreateParams>);

export type SessionParams = z.output<typeof sessionParams>;

const MIN_MINUTES = 30;
const MAX_HOURS = 24;
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

function expiryOf({ expires_at: asked }: SessionParams, now: number): number {
  const latest = now + MAX_HOURS * 3_600;
  if (asked !== undefined && asked < now + MIN_MINUTES * 60) {
    throw invalidRequest(
      `The \`expires_at\` timestamp must be at least ${MIN_MINUTES} minutes from Checkout Session creation.`,
      {
        param: "expires_at",
      },
    );
  }
  if (asked !== undefined && asked > latest) {
    throw invalidRequest(
      `The \`expires_at\` timestamp must be less than ${MAX_HOURS} hours from Checkout Session creation.`,
      {
        param: "expires_at",
      },
    );
  }
  return asked ?? latest;
}

function currencyOf({ line_items: items }: SessionParams): string {
  const [currency, ...others] = new Set(items.map(({ price_data: { currency: of } }) => of));
  if (currency && others.length === 0) return currency;
  throw invalidRequest("All line items must have the same currency.", { param: "line_items" });
}

function amountOf(lines: Line[], currency: string): number {
  const amount = lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);
  if (amount < MIN_AMOUNT) {
    throw invalidRequest(
      `The Checkout Session's total amount due must add up to at least ${formatAmount(MIN_AMOUNT, currency)} ${currency}`,
      { code: "amount_too_small" },
    );
  }
  if (amount > MAX_AMOUNT) {
    throw invalidRequest(
      `The Checkout Session's total amount must be no more than ${formatAmount(MAX_AMOUNT, currency)}`,
      { code: "amount_too_large" },
    );
  }
  return amount;
}

/** A session that nobody has paid. `pageUrl` is where its page is. */
export function newPayment(params: SessionParams, now: number, pageUrl: (id: string) => string): Payment {
  const id = newId.session();
  const lines = params.line_items.map(
    ({ price_data: { product_data: product, unit_amount: unitAmount }, quantity }) => ({
      name: product.name,
      description: product.description ?? null,
      unitAmount,
      quantity,
    }),
  );
  const currency = currencyOf(params);
  const amount = amountOf(lines, currency);
  const {
    capture_method: captureMethod,
    description,
    metadata: about,
    receipt_email: receiptEmail,
  } = params.payment_intent_data ?? {};
  return {
    session: newSession(params, { id, url: pageUrl(id), now, expiresAt: expiryOf(params, now), amount, currency }),
    lines,
    intentSettings: {
      captureMethod: captureMethod ?? "automatic_async",
      description: description ?? null,
      receiptEmail: receiptEmail ?? null,
      metadata: about ?? {},
    },
    intent: null,
    charges: [],
    refunds: [],
    disputes: [],
    openRefunds: [],
    challenge: null,
    cardNumber: null,
  };
}
