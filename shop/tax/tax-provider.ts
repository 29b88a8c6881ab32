/** Interface to a provider of sales tax. Amounts are in cents, in US dollars; prices do not include tax. */
import type { SalePart, TaxAddress } from "#shop/orders/facts.ts";

export type TaxableLine = {
  productId: string;
  quantity: number;
  /** Price of all units, less their discount. */
  amountCents: number;
  /** The provider's code for what is sold. */
  taxCode: string;
};

export type TaxQuote = {
  /** Provider id, by which the tax is recorded before `expiresAt`. */
  reference: string;
  expiresAt: Date;
  /** Tax by product id. */
  lineTaxCents: Record<string, number>;
  shippingTaxCents: number;
  /** Tax in all. */
  taxCents: number;
};

/**
 * Failure of a call to the provider. `away`: no answer, so the outcome is unknown, and the same key may be sent again.
 * `busy`: nothing was done; it may be retried soon. `denied`: nothing was done, because the credentials are wrong.
 * `fault`: it failed, perhaps halfway, and the same key repeats the failure. `address`: the ZIP code is not in the
 * state. `refused`: it will not be done.
 */
export class TaxError extends Error {
  readonly kind: "away" | "busy" | "denied" | "fault" | "address" | "refused";
  constructor(kind: TaxError["kind"], options?: ErrorOptions) {
    super(`the tax provider failed: ${kind}`, options);
    this.kind = kind;
  }
}

/** Calls throw a TaxError if they were not carried out. */
export type TaxProvider = {
  /** Returns what is due for the lines and their shipping, without recording it. */
  quote(lines: readonly TaxableLine[], shippingCents: number, address: TaxAddress): Promise<TaxQuote>;
  /** Records a quote as a sale. Idempotent by `key`; `id` is the shop's own, and unique. Returns the provider id. */
  record(quoteReference: string, id: string, key: string): Promise<string>;
  /** Reverses parts of a recorded sale. Idempotent by `key`, and by `id` if the key is forgotten. */
  reverse(recordedReference: string, parts: readonly SalePart[], id: string, key: string): Promise<void>;
};
