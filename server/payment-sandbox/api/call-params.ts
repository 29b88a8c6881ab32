/** What each call but the making of a session takes, under the names that the SDK knows. */
import type Stripe from "stripe";
import { z } from "zod";
import { expand, integer, metadata, page, text, type Known } from "./params.ts";

export const captureParams = z.strictObject({
  amount_to_capture: integer({ min: 1 }).optional(),
  expand,
} satisfies Known<Stripe.PaymentIntentCaptureParams>);

export const cancelParams = z.strictObject({
  cancellation_reason: z.enum(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]).optional(),
  expand,
} satisfies Known<Stripe.PaymentIntentCancelParams>);

export const refundParams = z.strictObject({
  amount: integer({ min: 1 }).optional(),
  charge: text(100).optional(),
  expand,
  metadata: metadata.optional(),
  payment_intent: text(100).optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
} satisfies Known<Stripe.RefundCreateParams>);

const id = text(100).optional();
export const lists = {
  sessions: z.strictObject({
    ...page,
    payment_intent: id,
    status: z.enum(["open", "complete", "expired"]).optional(),
  } satisfies Known<Stripe.Checkout.SessionListParams>),
  intents: z.strictObject(page satisfies Known<Stripe.PaymentIntentListParams>),
  charges: z.strictObject({ ...page, payment_intent: id } satisfies Known<Stripe.ChargeListParams>),
  refunds: z.strictObject({ ...page, charge: id, payment_intent: id } satisfies Known<Stripe.RefundListParams>),
  disputes: z.strictObject({ ...page, charge: id, payment_intent: id } satisfies Known<Stripe.DisputeListParams>),
  events: z.strictObject({
    ...page,
    type: id,
    types: z.array(text(100)).max(20).optional(),
  } satisfies Known<Stripe.EventListParams>),
};
