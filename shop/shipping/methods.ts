/** Shipping methods. Their names, prices and days are settings; an order keeps those that it was placed under. */
import { businessDaysAfter, daysAfter, newYorkDay, newYorkHour } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import type { MethodTerms, ShippingSettings } from "#shop/settings/settings.ts";
import { withUnit } from "#shop/units.ts";

export const SHIPPING_METHODS = ["standard", "express", "overnight"] as const;
export type ShippingMethod = (typeof SHIPPING_METHODS)[number];

/** The prices of the settings, as a form repeats them. */
export type ShippingPrices = Pick<ShippingSettings, "freeFromCents"> &
  Record<ShippingMethod, Pick<MethodTerms, "priceCents" | "isFree" | "isOffered">>;

/** Price of a method at a subtotal, in cents. */
export function shippingPrice(shipping: ShippingPrices, method: ShippingMethod, subtotalCents: number): number {
  const { isFree, priceCents } = shipping[method];
  return isFree && subtotalCents >= shipping.freeFromCents ? 0 : priceCents;
}

/** Methods of the checkout, in its order. */
export const offeredMethods = (shipping: ShippingPrices): ShippingMethod[] =>
  SHIPPING_METHODS.filter((method) => shipping[method].isOffered);

/** Methods of the checkout at a subtotal, cheapest first. */
const cheapestMethods = (shipping: ShippingPrices, subtotalCents: number): ShippingMethod[] =>
  offeredMethods(shipping).toSorted(
    (a, b) => shippingPrice(shipping, a, subtotalCents) - shippingPrice(shipping, b, subtotalCents),
  );

/** The method that a cart, and an order of the shop's own, counts with. */
export const usualMethod = (shipping: ShippingPrices, subtotalCents = 0): ShippingMethod =>
  cheapestMethods(shipping, subtotalCents)[0] ?? "standard";

/** Names of the methods that are free from the threshold, "Standard Shipping and Express Shipping"; null for all that are offered. */
export function freeMethods(shipping: ShippingSettings): string | null {
  const offered = offeredMethods(shipping);
  const free = offered.filter((method) => shipping[method].isFree);
  if (free.length === offered.length) return null;
  return new Intl.ListFormat("en-US").format(free.map((method) => shipping[method].name));
}

/** The mark of an order whose method is faster than the usual one, "Express"; null for standard shipping. */
export const fastMethod = (method: ShippingMethod, name: string): string | null =>
  method === "standard" ? null : shortName(name);

export const shortName = (name: string): string => name.replace(" Shipping", "");

/** "5-7 business days". */
export const transitWords = (shipping: ShippingSettings, method: ShippingMethod): string =>
  withUnit(shipping[method].businessDays, "business day");

/** "Standard Shipping, 5-7 business days". */
export const methodWords = (shipping: ShippingSettings, method: ShippingMethod): string =>
  `${shipping[method].name}, ${transitWords(shipping, method)}`;

export type Delivery = Pick<MethodTerms, "name" | "priceCents" | "businessDays">;

/** Methods for one unit of `unitPriceCents`, cheapest first, for feeds and search engines. */
export const deliveries = (shipping: ShippingSettings, unitPriceCents: number): Delivery[] =>
  cheapestMethods(shipping, unitPriceCents).map((method) => ({
    name: shipping[method].name,
    priceCents: shippingPrice(shipping, method, unitPriceCents),
    businessDays: shipping[method].businessDays,
  }));

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];
const FIXED_HOLIDAYS = ["1/1", "7/4", "12/25"];

/** Carriers also rest on Memorial Day, Labor Day and Thanksgiving. */
function isBusinessDay(on: string): boolean {
  const day = new Date(on);
  const [month, date, weekday] = [day.getUTCMonth() + 1, day.getUTCDate(), day.getUTCDay()];
  if (weekday === SATURDAY || weekday === SUNDAY || FIXED_HOLIDAYS.includes(`${month}/${date}`)) return false;
  if (weekday === MONDAY) return !(month === 5 && date > 24) && !(month === 9 && date <= 7);
  return !(weekday === THURSDAY && month === 11 && date > 21 && date <= 28);
}

/** A day, or the next one on which carriers work. YYYY-MM-DD. */
export const shippingDay = (day: string): string =>
  isBusinessDay(day) ? day : businessDaysAfter(day, 1, isBusinessDay);

/** First and last expected day, as midnight UTC. */
export function expectedDelivery(
  shipping: ShippingSettings,
  method: ShippingMethod,
  shippedAt: Date,
): { from: Date; to: Date } {
  const { min, max } = shipping[method].businessDays;
  const after = (days: number) => new Date(businessDaysAfter(newYorkDay(shippedAt), days, isBusinessDay));
  return { from: after(min), to: after(max) };
}

/** The day from which a promise made at a moment counts: its own, or from the cutoff on the next. YYYY-MM-DD in New York. */
const firstDay = (at: Date): string => daysAfter(newYorkDay(at), newYorkHour(at) < shippingPolicy.cutoffHour ? 0 : 1);

/**
 * The promised day, by whose end leaves what is ordered or decided at a moment: the last first shipping day that its lines
 * name, `shipsOn`, or as many business days later as the days of its method differ, so that it arrives by the last day that the
 * checkout named even if the carrier takes its shortest time. All YYYY-MM-DD in New York.
 */
export function shipBy(
  shipping: ShippingSettings,
  method: ShippingMethod,
  at: Date,
  shipsOn: string | null = null,
): string {
  if (shipsOn) return shipsOn;
  const { min, max } = shipping[method].businessDays;
  return shippingDay(businessDaysAfter(firstDay(at), max - min, isBusinessDay));
}

/** Made once: making it takes longer than using it. */
const SHORT_DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const shortDay = (day: Date) => SHORT_DAY.format(day);

/** Expected days in words, "Dec 2–4", of what ships at a moment. */
export function arrivalWords(shipping: ShippingSettings, method: ShippingMethod, shippedAt: Date): string {
  const { from, to } = expectedDelivery(shipping, method, shippedAt);
  if (from.getTime() === to.getTime()) return shortDay(from);
  return `${shortDay(from)}–${from.getUTCMonth() === to.getUTCMonth() ? to.getUTCDate() : shortDay(to)}`;
}

/**
 * The same of an order that has not shipped, wherever it is said, counted from the day to ship by. A day that was named,
 * with a line or by a delay, is that of its shipping; otherwise it may ship as early as its method allows.
 */
export function orderArrival(
  shipping: ShippingSettings,
  method: ShippingMethod,
  { shipBy: day, isNamed }: { shipBy: string; isNamed: boolean },
): string {
  const { min, max } = shipping[method].businessDays;
  const from = isNamed ? day : businessDaysAfter(day, min - max, isBusinessDay);
  return arrivalWords(shipping, method, new Date(`${from}T17:00:00Z`));
}
