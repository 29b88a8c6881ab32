/** A payment: one document with all that belongs to it, changed under one lock. */
import type Stripe from "stripe";
import type { MethodType } from "./methods.ts";

/** Payer and test card. Other cards are refused, so real numbers are never stored. */
export type Payer = {
  name: string;
  /** Billing address; empty unless the page asks for it. */
  address: string;
  postalCode: string;
  cardNumber: string;
  expMonth: number;
  expYear: number;
  wallet: "apple_pay" | "google_pay" | null;
  /** Other methods than cards pay with a test Visa too. */
  method: MethodType;
};

export type Payment = {
  /** Null for a charge of a saved card, which has no page. */
  session: Stripe.Checkout.Session | null;
  lines: { name: string; unitAmount: number; quantity: number }[];
  /** Data of the intent, which is created at the first attempt. */
  intentData: { metadata: Stripe.Metadata; setup_future_usage: "off_session" | null };
  intent: Stripe.PaymentIntent | null;
  /** The setup of a page that saves a card. */
  setup: Stripe.SetupIntent | null;
  /** The saved card, of either kind of page. */
  method: Stripe.PaymentMethod | null;
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  /** Refunds that the bank settles later. */
  openRefunds: { id: string; settlesAt: number; as: "succeeded" | "failed" }[];
  /** The pending 3D Secure challenge. */
  challenge: { id: string; payer: Payer } | null;
  payer: Payer | null;
};

/** A payment with a page. */
export type PagePayment = Payment & { session: Stripe.Checkout.Session };

export const isOpen = (payment: Payment): payment is PagePayment => payment.session?.status === "open";

export type NewEvent = {
  type: Stripe.Event["type"];
  object:
    | Stripe.Charge
    | Stripe.Checkout.Session
    | Stripe.Dispute
    | Stripe.PaymentIntent
    | Stripe.Refund
    | Stripe.SetupIntent;
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

type Refused = Pick<Stripe.StripeRawError, "message" | "code" | "param" | "decline_code" | "payment_intent"> & {
  type: string;
};

/** A refused call, with its answer in the provider's format. */
export class RefusedCall extends Error {
  readonly status: number;
  readonly answer: object;

  constructor(status: number, answer: object, message: string) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

export class Refusal extends RefusedCall {
  constructor(status: number, body: Refused & { message: string }) {
    super(status, { error: body }, body.message);
  }
}

export const invalidRequest = (message: string, details: { code?: string; param?: string } = {}): Refusal =>
  new Refusal(400, { type: "invalid_request_error", message, ...details });

export const unknownParam = (param: string, kind: string, id: string): Refusal =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: "resource_missing", param });

export const notFound = (kind: string, id: string): Refusal =>
  new Refusal(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${kind}: '${id}'` });
