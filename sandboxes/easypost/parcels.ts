/** Addresses and tracking numbers of the sandbox, and their behavior. */
import { z } from "zod";

const address = z.object({
  name: z.string(),
  phone: z.string(),
  street1: z.string().min(1),
  street2: z.string(),
  city: z.string().min(1),
  state: z.string().length(2),
  zip: z.string().regex(/^\d{5}/),
  country: z.literal("US"),
});
export type SandboxAddress = z.output<typeof address>;

const size = z.number().positive();
export const shipmentBody = z.object({
  reference: z.string(),
  to_address: address,
  from_address: address,
  parcel: z.object({ length: size, width: size, height: size, weight: size }),
  options: z.object({ label_format: z.literal("PNG"), label_size: z.literal("4x6") }),
});
export const trackerBody = z.object({
  tracker: z.object({ tracking_code: z.string().min(1), carrier: z.enum(["UPS", "USPS", "FedEx", "DHLExpress"]) }),
});

const TYPOS: [RegExp, string][] = [
  [/\bmian\b/i, "Main"],
  [/\bstret\b/i, "Street"],
  [/\bbrodway\b/i, "Broadway"],
  [/\borchrad\b/i, "Orchard"],
];

export const isKnown = ({ street1 = "" }: Record<string, string>): boolean => !/\bnowhere\b/i.test(street1);

/** In capitals, as the postal service writes it. */
export function correct(typed: Record<string, string>): Record<string, string> {
  const street1 = TYPOS.reduce((street, [typo, right]) => street.replace(typo, right), typed.street1 ?? "");
  const written = { ...typed, street1, zip: `${(typed.zip ?? "").slice(0, 5)}-1234` };
  return Object.fromEntries(Object.entries(written).map(([name, text]) => [name, text.toUpperCase()]));
}

const SERVICES = [
  { carrier: "USPS", service: "GroundAdvantage", days: 5, base: 4.5, ounce: 0.09 },
  { carrier: "UPSDAP", service: "Ground", days: 4, base: 8.2, ounce: 0.07 },
  { carrier: "USPS", service: "Priority", days: 3, base: 7.4, ounce: 0.14 },
  { carrier: "FedExDefault", service: "FEDEX_2_DAY", days: 2, base: 17.9, ounce: 0.22 },
  { carrier: "UPSDAP", service: "NextDayAir", days: 1, base: 38.5, ounce: 0.4 },
  // The shop knows no such carrier.
  { carrier: "OnTrac", service: "Ground", days: 2, base: 1, ounce: 0 },
];

export const rateList = (shipment: string, ounces: number) =>
  SERVICES.map(({ carrier, service, days, base, ounce }, i) => ({
    id: `rate_${shipment.slice(4, 20)}${i}`,
    object: "Rate",
    carrier,
    service,
    rate: (base + ounce * ounces).toFixed(2),
    currency: "USD",
    delivery_days: days,
  }));

/** Its last digit says what becomes of the parcel. */
function fateOf(street: string): string {
  if (/\brefused\b/i.test(street)) return "5";
  if (/\blost\b/i.test(street)) return "6";
  return /\bslow\b/i.test(street) ? "2" : "0";
}

/** A number in the carrier's form. */
export function trackingCode(carrier: string, random: Buffer, street: string): string {
  const digits = (length: number) => Array.from(random.subarray(0, length - 1), (byte) => byte % 10).join("");
  if (carrier === "USPS") return `94${digits(20)}${fateOf(street)}`;
  return carrier === "UPSDAP" ? `1Z999AA1${digits(10)}${fateOf(street)}` : `${digits(12)}${fateOf(street)}`;
}

/** Statuses that a last digit has at once, as those of EasyPost's own test numbers. */
const AT_ONCE: Record<string, string> = {
  "1": "pre_transit",
  "2": "in_transit",
  "3": "out_for_delivery",
  "4": "delivered",
  "5": "return_to_sender",
  "6": "failure",
  "7": "unknown",
};
const HOUR_MS = 3_600_000;
/** Hours after the label was first tracked. */
const JOURNEY = [
  { status: "in_transit", hours: 0 },
  { status: "out_for_delivery", hours: 44 },
  { status: "delivered", hours: 50 },
];

export function trackingStatus(code: string, since: Date, now: Date): { status: string; at: Date } {
  const status = AT_ONCE[code.at(-1) ?? ""];
  if (status) return { status, at: since };
  const reached = JOURNEY.map(({ status: next, hours }) => ({
    status: next,
    at: new Date(since.getTime() + hours * HOUR_MS),
  }));
  return reached.findLast(({ at }) => at <= now) ?? reached[0]!;
}
