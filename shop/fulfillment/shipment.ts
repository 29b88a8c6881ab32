/** Parcels and who brings them. */

/** `capturing` waits for the money; `failed` was never sent, because it did not come. */
export const SHIPMENT_STATES = ["capturing", "failed", "shipped", "delivered", "refused", "lost"] as const;
export type ShipmentState = (typeof SHIPMENT_STATES)[number];

/** The carriers that a parcel may go with, where they show where it is, and what their tracking numbers look like. */
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

/** A tracking number as its carrier writes it, from one that was typed or pasted. Null where the carrier has none such. */
export function readTrackingNumber(carrier: CarrierCode, typed: string): string | null {
  const number = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return CARRIERS[carrier].number.test(number) ? number : null;
}

/** The carrier whose numbers look like this one, the first where several do. Null: nobody's. */
export const guessCarrier = (typed: string): CarrierCode | null =>
  CARRIER_CODES.find((carrier) => readTrackingNumber(carrier, typed) !== null) ?? null;

/** Where a carrier shows where a parcel is. */
export const trackingUrl = (carrier: CarrierCode, trackingNumber: string): string =>
  CARRIERS[carrier].track + encodeURIComponent(trackingNumber);
