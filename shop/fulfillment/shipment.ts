import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { PROGRESS, type Progress } from "#shop/orders/facts.ts";
import type { ReturnSettings } from "#shop/settings/settings.ts";

export const PROGRESS_WORDS: Record<Progress, string> = {
  "in-transit": "In transit",
  "out-for-delivery": "Out for delivery",
};

/** The state of a parcel as its carrier says, and since when. A `refused` one is on its way back to the shop. */
export type Tracking = { state: Progress | "delivered" | "refused" | "lost"; at: Date };

export const isProgress = (state: Tracking["state"]): state is Progress =>
  (PROGRESS as readonly string[]).includes(state);

/**
 * `quoted`: rates to choose from; `asked`: the provider may or may not have sold it; `bought`: its parcel has not shipped
 * yet; `used`: it has; `voiding`: to be refunded.
 */
export const LABEL_STATES = ["quoted", "asked", "bought", "used", "voiding", "voided", "failed"] as const;
export type LabelState = (typeof LABEL_STATES)[number];

/** Price of a label in cents, and business days in transit, null if the carrier does not say. */
export type Rate = { reference: string; carrier: CarrierCode; service: string; cents: number; days: number | null };

/** Carriers with their tracking pages and the format of their tracking numbers. */
export const CARRIERS = {
  ups: {
    name: "UPS",
    track: "https://www.ups.com/track?tracknum=",
    number: /^1Z[0-9A-Z]{16}$/,
    example: "1Z999AA10123456784",
  },
  usps: {
    name: "USPS",
    track: "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
    number: /^(9[1-5]\d{18,20}|[A-Z]{2}\d{9}US)$/,
    example: "9400111899223197428490",
  },
  fedex: {
    name: "FedEx",
    track: "https://www.fedex.com/fedextrack/?trknbr=",
    number: /^(\d{12}|\d{15}|\d{20}|\d{22})$/,
    example: "986578788855",
  },
  dhl: {
    name: "DHL",
    track: "https://www.dhl.com/us-en/home/tracking.html?tracking-id=",
    number: /^(\d{10}|JJD\d{14,18}|GM\d{16,20})$/,
    example: "3392654392",
  },
} as const;

export type CarrierCode = keyof typeof CARRIERS;
export const CARRIER_CODES = Object.keys(CARRIERS) as CarrierCode[];

/** Returns a typed or pasted tracking number in the carrier's form. Null if it does not match the carrier. */
export function readTrackingNumber(carrier: CarrierCode, typed: string): string | null {
  const number = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return CARRIERS[carrier].number.test(number) ? number : null;
}

/** Returns the first carrier whose format matches. Null if none does. */
export const guessCarrier = (typed: string): CarrierCode | null =>
  CARRIER_CODES.find((carrier) => readTrackingNumber(carrier, typed) !== null) ?? null;

export const trackingUrl = (carrier: CarrierCode, trackingNumber: string): string =>
  CARRIERS[carrier].track + encodeURIComponent(trackingNumber);

/** Last day of the return period, as YYYY-MM-DD. */
export const lastReturnDay = (deliveredAt: Date, { returnDays }: ReturnSettings): string =>
  daysAfter(newYorkDay(deliveredAt), returnDays);
