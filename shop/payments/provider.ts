/** What the shop needs of whoever takes its payments. Amounts are in cents, in US dollars. */

/** What a payment was made with, as a receipt says it. */
export type PaymentMethod = { brand: string; lastFour: string; wallet: string | null };

/** What the provider says of a payment, read afresh. */
export type PaymentSnapshot = {
  /** `open` may still be paid, `closed` was not paid and cannot be any more, `voided` was authorized and given back. */
  state: "open" | "authorized" | "captured" | "closed" | "voided";
  reference: string;
  intentReference: string | null;
  currency: string;
  amountCents: number;
  authorizedCents: number;
  capturedCents: number;
  refundedCents: number;
  captureBefore: Date | null;
  method: PaymentMethod | null;
  /** Why the last try to pay it was declined: the provider's code. */
  problem: string | null;
  /** Until when a dispute must be answered. */
  disputedUntil: Date | null;
  refunds: ProviderRefund[];
};

/** Captured money on its way back. */
export type ProviderRefund = {
  reference: string;
  /** The action that asked for it; null where it was made at the provider's own desk. */
  actionId: string | null;
  cents: number;
  /** `pending`: the bank has not done it yet. */
  state: "pending" | "done" | "failed";
};

/** The order behind a payment, as the page where it is paid shows it. */
export type PaymentOrder = {
  paymentId: string;
  orderNumber: string;
  email: string;
  amountCents: number;
  lines: { name: string; unitPriceCents: number; quantity: number }[];
  shippingCents: number;
  taxCents: number;
  /** The page closes then. */
  expiresAt: Date;
  /** Where the buyer comes back to. */
  successUrl: string;
  cancelUrl: string;
};

/** A payment that was opened at the provider. */
export type PaymentReference = { paymentId: string; reference: string; intentReference: string | null };

/** What came of asking to move money. A refusal is final; whoever got no answer at all throws. */
export type MoneyMoved = { ok: true; providerReference: string | null } | { ok: false; problem: string };

/**
 * The provider did not do what it was asked. `away`: no answer came, and nobody knows whether it was done; the same key asks
 * again. `busy`: nothing was done, and it may be asked again in a moment. `fault`: it failed, perhaps in the middle, and
 * would answer the same key in the same way. `refused`: it will not be done.
 */
export class ProviderError extends Error {
  readonly kind: "away" | "busy" | "fault" | "refused";
  constructor(kind: ProviderError["kind"], options?: ErrorOptions) {
    super(`the payment provider did not do what it was asked: ${kind}`, options);
    this.kind = kind;
  }
}

/** Every call throws a ProviderError where it was not done. */
export type PaymentProvider = {
  name: "stripe";
  /** Whom a form may lead to: the origin of its pages. */
  pageOrigin: string;
  /** A page where exactly this amount is paid; called again it answers with the same page while that is open. */
  open(order: PaymentOrder): Promise<{ reference: string; url: string; expiresAt: Date }>;
  read(payment: PaymentReference): Promise<PaymentSnapshot>;
  /**
   * Nobody can pay on its page any more. It may have been paid meanwhile, which the snapshot then says; `givesBack` also
   * ends what was authorized, but takes nothing back that was captured.
   */
  close(payment: PaymentReference, how?: { givesBack: boolean }): Promise<PaymentSnapshot>;
  /** Once for a `key`. */
  capture(payment: PaymentReference, cents: number, key: string): Promise<MoneyMoved>;
  /** Once for a `key`; `actionId` is known again by it in the snapshot. */
  refund(payment: PaymentReference, cents: number, key: string, actionId: string): Promise<MoneyMoved>;
  /** Whether it tells of events by itself; otherwise they are asked for. */
  hasWebhook: boolean;
  /** Who sent this: null where it was not the provider, or not now. */
  verify(headers: Headers, body: string): Promise<ProviderEvent | null>;
  /** The provider's own list of what happened since. */
  missed(since: Date): Promise<ProviderEvent[]>;
};

/** `reference` names a payment: by its page, by itself, or by our id of it. */
export type ProviderEvent = { eventId: string; type: string; reference: string };
