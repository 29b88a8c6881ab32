/** Interface to the payment providers. Amounts are in cents, in US dollars. */
import type { MethodName } from "./payment-method.ts";

export type ProviderName = "stripe" | "paypal";

/** `brand` is the card's, or the name of another method, which has no `lastFour`. */
export type PaymentMethod = { brand: string; lastFour: string; wallet: string | null };

/** Provider ids of a saved card, and of the customer that owns it. */
export type SavedMethod = { customer: string; method: string };

/** The customer's bank looks into the payment, `until` when the shop may answer; of a lost one it took `cents` back. */
export type Dispute = { state: "open"; until: Date } | { state: "won" } | { state: "lost"; cents: number };

export type PaymentSnapshot = {
  /**
   * `open` can still be paid, `saved` kept the card for later charges and authorized nothing, `closed` was never paid and
   * no longer can be, `voided` was authorized and released.
   */
  state: "open" | "saved" | "authorized" | "captured" | "closed" | "voided";
  reference: string;
  intentReference: string | null;
  currency: string;
  amountCents: number;
  authorizedCents: number;
  capturedCents: number;
  refundedCents: number;
  captureBefore: Date | null;
  method: PaymentMethod | null;
  /** The card that the page saved for later charges. */
  saved: SavedMethod | null;
  /** Customer of a page that ended without saving a card. */
  unusedCustomer: string | null;
  /** Decline code of the last attempt to pay. */
  problem: string | null;
  dispute: Dispute | null;
  refunds: ProviderRefund[];
};

export type ProviderRefund = {
  reference: string;
  /** Null if the refund was made in the provider's dashboard. */
  actionId: string | null;
  cents: number;
  state: "pending" | "done" | "failed";
};

export type PaymentOrder = {
  paymentId: string;
  /** `save`: the page saves a card and authorizes nothing; `amountCents` is what will be charged later. */
  mode: "authorize" | "save";
  /** An authorized card is saved as well, for later charges of the same order. */
  savesFor?: "later";
  orderNumber: string;
  email: string;
  /** The page asks for the billing address, which differs from that of the shipment. */
  asksBillingAddress: boolean;
  amountCents: number;
  /** Methods that the provider’s page takes. */
  methods: MethodName[];
  lines: { name: string; unitPriceCents: number; quantity: number }[];
  shippingCents: number;
  taxCents: number;
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
};

export type PaymentReference = {
  reference: string;
  intentReference: string | null;
  /** Address of the page while it is open; without it nothing that was approved there is authorized any more. */
  url?: string | null;
};

/** A charge of a saved card while the customer is away. `paymentId` is its own payment, not that of the page. */
export type SavedCardCharge = { paymentId: string; orderNumber: string; saved: SavedMethod; amountCents: number };

/** Result of a request to move money. A refusal is final; a missing answer throws. */
export type MoneyMoved = { ok: true; providerReference: string | null } | { ok: false; problem: string };

/**
 * Failure of a call to the provider. `away`: no answer, so the outcome is unknown, and the same key may be sent again.
 * `busy`: nothing was done; it may be retried soon. `denied`: nothing was done, because the credentials are wrong.
 * `fault`: it failed, perhaps halfway, and the same key repeats the failure. `refused`: it will not be done.
 */
export class ProviderError extends Error {
  readonly kind: "away" | "busy" | "denied" | "fault" | "refused";
  constructor(kind: ProviderError["kind"], options?: ErrorOptions) {
    super(`the payment provider failed: ${kind}`, options);
    this.kind = kind;
  }
}

/** Calls throw a ProviderError if they were not carried out. */
export type PaymentProvider = {
  name: ProviderName;
  /** Origin of the payment pages, which forms may redirect to. */
  pageOrigin: string;
  /** Opens a page for exactly this amount; a repeated call returns the same page while it is open. */
  open(order: PaymentOrder): Promise<{ reference: string; url: string; expiresAt: Date }>;
  /** Reads a page, or the payment of a charge of a saved card. */
  read(payment: PaymentReference): Promise<PaymentSnapshot>;
  /**
   * Closes the page. It may have been paid meanwhile, which the snapshot then shows. `voids` also releases an
   * authorization, but never returns captured money.
   */
  close(payment: PaymentReference, how?: { voids: boolean }): Promise<PaymentSnapshot>;
  /** Idempotent by `key`. */
  capture(payment: PaymentReference, cents: number, key: string): Promise<MoneyMoved>;
  /** Idempotent by `key`; the snapshot shows the refund with `actionId`. */
  refund(payment: PaymentReference, cents: number, key: string, actionId: string): Promise<MoneyMoved>;
  /**
   * Charges a saved card, captured at once. Idempotent by `key`; `providerReference` is the payment. The `problem` of a
   * refusal is the decline code, or `authentication_required` if the bank asks for the customer.
   */
  charge(charge: SavedCardCharge, key: string): Promise<MoneyMoved>;
  /** Finds a charge whose answer was lost, by its `paymentId`. Null if the provider never received it. */
  findCharge(paymentId: string, saved: SavedMethod): Promise<PaymentSnapshot | null>;
  /** Deletes a customer at the provider, with the card that was saved; repeated, it changes nothing. */
  forget(customer: string): Promise<void>;
  /** False for headers of a webhook that the provider never sends, or no longer. Asked before its body is read. */
  looksSigned(headers: Headers): boolean;
  /** Returns the event of a webhook. Null if its signature is not the provider's, or too old. */
  verify(headers: Headers, body: string): Promise<ProviderEvent | null>;
  missed(since: Date): Promise<ProviderEvent[]>;
};

/** `reference` is the provider id of the page or the payment, or the shop's id of the payment. */
export type ProviderEvent = { eventId: string; type: string; reference: string };

/** The providers that are set up. Each payment belongs to one of them for good. */
export type PaymentProviders = Partial<Record<ProviderName, PaymentProvider>>;

/** Throws a ProviderError if the provider of the payment is not set up, so that its work waits until it is. */
export function providerFor(
  providers: PaymentProviders,
  { provider }: { provider: ProviderName | "manual" },
): PaymentProvider {
  const found = provider === "manual" ? undefined : providers[provider];
  if (!found) throw new ProviderError("away");
  return found;
}
