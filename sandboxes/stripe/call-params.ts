/** The parameters of the supported API calls. */
import type Stripe from "stripe";
import { z } from "zod";
import { METHOD_TYPES } from "./methods.ts";

/** Parameters named as in the SDK; other names do not compile. */
export type Known<Params> = { [Name in keyof Params]?: z.ZodType };

const integer = (min: number, max = 99_999_999) => z.coerce.number().int().min(min).max(max);
const seconds = integer(0, 10_000_000_000);
const text = z.string().min(1).max(5_000);
const metadata = z.record(z.string().max(40), z.string().max(500)).optional();

const savable = z
  .array(z.enum(["card", "link"]))
  .min(1)
  .default(["card"]);
const yes = z.literal("true");

export const noParams = z.strictObject({});
const expanding = <Path extends string>(...paths: Path[]) =>
  z.strictObject({ expand: z.array(z.enum(paths)).optional() });
export const readParams = expanding("payment_intent.latest_charge.refunds", "setup_intent.payment_method");
export const readIntentParams = expanding("latest_charge.refunds");
export const readSetupParams = expanding("payment_method");

export const customerParams = z.strictObject({
  email: z.email().optional(),
  metadata,
} satisfies Known<Stripe.CustomerCreateParams>);

const pageParams = {
  billing_address_collection: z.enum(["auto", "required"]).default("auto"),
  cancel_url: z.url().optional(),
  client_reference_id: text.optional(),
  custom_text: z.strictObject({ submit: z.strictObject({ message: z.string().max(1_200) }) }).optional(),
  customer: text.optional(),
  customer_email: z.email().optional(),
  expires_at: seconds.optional(),
  success_url: z.url(),
};

const payingParams = z.strictObject({
  ...pageParams,
  allowed_payment_method_types: z.array(z.enum(METHOD_TYPES)).min(1).default(["card"]),
  adaptive_pricing: z.strictObject({ enabled: z.literal("false") }).optional(),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.literal("usd"),
          product_data: z.strictObject({ name: text }),
          unit_amount: integer(0),
        } satisfies Known<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>),
        quantity: integer(1),
      }),
    )
    .min(1)
    .max(100),
  mode: z.literal("payment"),
  payment_intent_data: z.strictObject({
    capture_method: z.literal("manual"),
    metadata,
    setup_future_usage: z.literal("off_session").optional(),
  } satisfies Known<Stripe.Checkout.SessionCreateParams.PaymentIntentData>),
} satisfies Known<Stripe.Checkout.SessionCreateParams>);

const savingParams = z.strictObject({
  ...pageParams,
  allowed_payment_method_types: savable,
  currency: z.literal("usd"),
  mode: z.literal("setup"),
  setup_intent_data: z
    .strictObject({ metadata } satisfies Known<Stripe.Checkout.SessionCreateParams.SetupIntentData>)
    .optional(),
} satisfies Known<Stripe.Checkout.SessionCreateParams>);

export const sessionParams = z.discriminatedUnion("mode", [payingParams, savingParams]);

export type SessionParams = z.output<typeof sessionParams>;

/** A charge of a saved card, confirmed at once and without its owner. */
export const chargeParams = z.strictObject({
  allowed_payment_method_types: savable,
  amount: integer(1),
  confirm: yes,
  currency: z.literal("usd"),
  customer: text,
  metadata,
  off_session: yes,
  payment_method: text,
} satisfies Known<Stripe.PaymentIntentCreateParams>);

export type ChargeParams = z.output<typeof chargeParams>;

const page = { limit: integer(1, 100).default(10), starting_after: text.optional() };

export const intentListParams = z.strictObject({
  customer: text,
  ...page,
} satisfies Known<Stripe.PaymentIntentListParams>);

export const captureParams = z.strictObject({
  amount_to_capture: integer(1).optional(),
} satisfies Known<Stripe.PaymentIntentCaptureParams>);

export const refundParams = z.strictObject({
  amount: integer(1).optional(),
  metadata,
  payment_intent: text,
} satisfies Known<Stripe.RefundCreateParams>);

export const refundListParams = z.strictObject({
  payment_intent: text,
  ...page,
} satisfies Known<Stripe.RefundListParams>);

export const disputeListParams = z.strictObject({
  payment_intent: text,
} satisfies Known<Stripe.DisputeListParams>);

export const eventListParams = z.strictObject({
  created: z.strictObject({ gte: seconds }).optional(),
  ...page,
  types: z.array(text).max(20).optional(),
} satisfies Known<Stripe.EventListParams>);
