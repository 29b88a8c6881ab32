/** All that belongs to one checkout session. It is read, changed and written as one, under one lock. */
import type Stripe from "stripe";

export type Line = { name: string; description: string | null; unitAmount: number; quantity: number };

/** What a session keeps for the PaymentIntent that is made once somebody pays. */
export type IntentSettings = {
  captureMethod: "automatic" | "automatic_async" | "manual";
  description: string | null;
  receiptEmail: string | null;
  metadata: Stripe.Metadata;
};

/** Who pays, and with which test card: other cards are not taken, so their numbers are nowhere kept. */
export type Payer = {
  /** Null where a wallet leaves it out. */
  name: string | null;
  postalCode: string | null;
  cardNumber: string;
  expMonth: number;
  expYear: number;
  wallet: "apple_pay" | "google_pay" | null;
};

/** A refund that the card's bank has not settled. */
export type OpenRefund = { id: string; settlesAt: number; as: "succeeded" | "failed" };

export type Payment = {
  session: Stripe.Checkout.Session;
  lines: Line[];
  intentSettings: IntentSettings;
  intent: Stripe.PaymentIntent | null;
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  openRefunds: OpenRefund[];
  /** The payer who has been sent to the bank, until they come back. */
  challenge: { id: string; payer: Payer; paymentMethod: string } | null;
  /** The test card behind the charge that went through. */
  cardNumber: string | null;
};

/** What happened to an object. The types are those that the sandbox sends, and no others. */
export type NewEvent =
  | { type: "checkout.session.completed" | "checkout.session.expired"; object: Stripe.Checkout.Session }
  | {
      type: `payment_intent.${"amount_capturable_updated" | "canceled" | "payment_failed" | "succeeded"}`;
      object: Stripe.PaymentIntent;
    }
  | {
      type: "charge.captured" | "charge.refunded";
      object: Stripe.Charge;
      previous?: Partial<Stripe.Charge>;
    }
  | {
      type: "refund.created" | "refund.failed" | "refund.updated";
      object: Stripe.Refund;
      previous?: Partial<Stripe.Refund>;
    }
  | { type: "charge.dispute.closed" | "charge.dispute.created"; object: Stripe.Dispute };

/** One change of a payment, while it is locked. `now` is the sandbox's clock, in seconds. */
export type Work = { payment: Payment; now: number; events: NewEvent[] };

/** The event shows the object as it is now, whatever follows. */
export function emit({ events }: Work, event: NewEvent): void {
  events.push(structuredClone(event));
}

export type SandboxObject =
  | Stripe.Charge
  | Stripe.Checkout.Session
  | Stripe.Dispute
  | Stripe.PaymentIntent
  | Stripe.Refund;

export const objectsOf = ({ session, intent, charges, refunds, disputes }: Payment): SandboxObject[] => [
  session,
  ...(intent ? [intent] : []),
  ...charges,
  ...refunds,
  ...disputes,
];

/** The charge that went through, captured or not. */
export const paidCharge = ({ charges }: Payment): Stripe.Charge | undefined => charges.find(({ paid }) => paid);
