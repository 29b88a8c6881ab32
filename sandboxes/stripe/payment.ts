/** A payment: one document with a checkout session and all that belongs to it, changed under one lock. */
import type Stripe from "stripe";

/** Payer and test card. Other cards are refused, so real numbers are never stored. */
export type Payer = {
  name: string;
  postalCode: string;
  cardNumber: string;
  expMonth: number;
  expYear: number;
  wallet: "apple_pay" | "google_pay" | null;
};

export type Payment = {
  session: Stripe.Checkout.Session;
  lines: { name: string; unitAmount: number; quantity: number }[];
  /** Metadata of the intent, which is created at the first attempt. */
  intentMetadata: Stripe.Metadata;
  intent: Stripe.PaymentIntent | null;
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  /** Refunds that the bank settles later. */
  openRefunds: { id: string; settlesAt: number; as: "succeeded" | "failed" }[];
  /** The pending 3D Secure challenge. */
  challenge: { id: string; payer: Payer } | null;
  cardNumber: string | null;
};

export type NewEvent = {
  type: Stripe.Event["type"];
  object: Stripe.Charge | Stripe.Checkout.Session | Stripe.Dispute | Stripe.PaymentIntent | Stripe.Refund;
};

/** A change of a locked payment. `now` is the sandbox's clock in seconds. */
export type Work = { payment: Payment; now: number; events: NewEvent[] };

/** Records an event with the object's present state. */
export function emit({ events }: Work, type: NewEvent["type"], object: NewEvent["object"]): void {
  events.push(structuredClone({ type, object }));
}

export const paidCharge = ({ charges }: Payment): Stripe.Charge | undefined => charges.find(({ paid }) => paid);

export const formatAmount = (cents: number | null): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format((cents ?? 0) / 100);

type Refused = Pick<Stripe.StripeRawError, "message" | "code" | "param" | "decline_code"> & { type: string };

/** A refused call, with its response in Stripe's format. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Refused;

  constructor(status: number, body: Refused & { message: string }) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const invalidRequest = (message: string, details: { code?: string; param?: string } = {}): Refusal =>
  new Refusal(400, { type: "invalid_request_error", message, ...details });

export const notFound = (kind: string, id: string): Refusal =>
  new Refusal(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${kind}: '${id}'` });
