/** Interface to a provider of carriers. Amounts are in cents, weights in ounces, sizes in inches. */
import type { CarrierCode, Rate, Tracking } from "#shop/fulfillment/shipment.ts";

export type Address = {
  line1: string;
  /** Empty if there is none. */
  line2: string;
  city: string;
  state: string;
  postalCode: string;
};
export type Contact = Address & { name: string; phone: string };

export type PackedBox = {
  to: Contact;
  inches: readonly [length: number, width: number, height: number];
  ounces: number;
};

export type BoughtLabel = { trackingNumber: string; url: string };

/**
 * Failure of a call to the provider. `away`: no answer, so the outcome is unknown, and it may be called again. `refused`:
 * it will not be done; `code` is the provider's.
 */
export class CarrierError extends Error {
  readonly kind: "away" | "refused";
  readonly code: string;
  constructor(kind: CarrierError["kind"], code: string, options?: ErrorOptions) {
    super(`the carrier failed: ${kind} (${code})`, options);
    this.kind = kind;
    this.code = code;
  }
}

/** Calls throw a CarrierError if they were not carried out. */
export type CarrierProvider = {
  /** Returns a deliverable address as the carriers write it. Null if they do not know it. */
  check(address: Address): Promise<Address | null>;
  /** Returns what a parcel costs with each carrier. `key` is the shop's own id of the label. */
  rates(parcel: PackedBox, key: string): Promise<Rate[]>;
  /** Buys the label of a rate. Repeated calls return the same label. */
  buy(rate: Rate, key: string): Promise<BoughtLabel>;
  /** Has a label refunded that was not used; repeated, it changes nothing. */
  void(rate: Rate): Promise<void>;
  /** Returns where a parcel is. Null if it has not left yet, or the carrier does not know it. */
  track(carrier: CarrierCode, trackingNumber: string): Promise<Tracking | null>;
  /** False for headers of a webhook that the provider never sends. Asked before its body is read. */
  looksSigned(headers: Headers): boolean;
  /** Returns the tracking number that a webhook has news about. Null if its signature is not the provider's. */
  verify(headers: Headers, body: string): { trackingNumber: string } | null;
  /** Returns the picture of a label, 4 by 6 inches. */
  print(url: string): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }>;
};
