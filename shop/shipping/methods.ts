/** Shipping methods. Their prices and transit days are settings; an order keeps those that it was placed under. */
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import type { MethodTerms, ShippingSettings } from "#shop/settings/settings.ts";
import { withUnit } from "#shop/units.ts";

export const METHOD_NAMES = {
  standard: "Standard Shipping",
  express: "Express Shipping",
  overnight: "Overnight Shipping",
};
export type ShippingMethod = keyof typeof METHOD_NAMES;
export const SHIPPING_METHODS = Object.keys(METHOD_NAMES) as ShippingMethod[];

/** The prices of the settings, as a form repeats them. */
export type ShippingPrices = Pick<ShippingSettings, "freeFromCents"> &
  Record<ShippingMethod, Pick<MethodTerms, "priceCents">>;

/** Price of a method at a subtotal, in cents; free from the threshold. */
export function shippingPrice(shipping: ShippingPrices, method: ShippingMethod, subtotalCents: number): number {
  return subtotalCents >= shipping.freeFromCents ? 0 : shipping[method].priceCents;
}

/** "Express". */
export const shortName = (method: ShippingMethod): string => METHOD_NAMES[method].replace(" Shipping", "");

/** The mark of an order whose method is faster than the usual one; null for standard shipping. */
export const fastMethod = (method: ShippingMethod): string | null => (method === "standard" ? null : shortName(method));

/** "5-7 business days". */
export const transitWords = (shipping: ShippingSettings, method: ShippingMethod): string =>
  withUnit(shipping[method].businessDays, "business day");

export type Delivery = MethodTerms & { name: string };

/** Methods for one unit of `unitPriceCents`, cheapest first, for feeds and search engines. */
export function deliveries(shipping: ShippingSettings, unitPriceCents: number): Delivery[] {
  return SHIPPING_METHODS.map((method) => ({
    name: METHOD_NAMES[method],
    priceCents: shippingPrice(shipping, method, unitPriceCents),
    businessDays: shipping[method].businessDays,
  })).toSorted((a, b) => a.priceCents - b.priceCents);
}

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];
const FIXED_HOLIDAYS = ["1/1", "7/4", "12/25"];

/** Carriers also rest on Memorial Day, Labor Day and Thanksgiving. */
function isBusinessDay(day: Date): boolean {
  const [month, date, weekday] = [day.getUTCMonth() + 1, day.getUTCDate(), day.getUTCDay()];
  if (weekday === SATURDAY || weekday === SUNDAY || FIXED_HOLIDAYS.includes(`${month}/${date}`)) return false;
  if (weekday === MONDAY) return !(month === 5 && date > 24) && !(month === 9 && date <= 7);
  return !(weekday === THURSDAY && month === 11 && date > 21 && date <= 28);
}

/** The New York day of a moment, as midnight UTC. */
const midnightOf = (at: Date) => new Date(newYorkDay(at));

function businessDaysAfter(start: Date, days: number): Date {
  const day = new Date(start);
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (isBusinessDay(day)) left--;
  }
  return day;
}

/** First and last expected day, as midnight UTC. */
export function expectedDelivery(
  shipping: ShippingSettings,
  method: ShippingMethod,
  shippedAt: Date,
): { from: Date; to: Date } {
  const { min, max } = shipping[method].businessDays;
  const shipped = midnightOf(shippedAt);
  return { from: businessDaysAfter(shipped, min), to: businessDaysAfter(shipped, max) };
}

/**
 * The day by whose end an order of the day `placedOn` must leave, so that it arrives by the last day that the checkout
 * named even if the carrier takes its shortest time; never after the promised day, which is `shipsOn` if its lines name
 * a first shipping day. All YYYY-MM-DD in New York.
 */
export function shipBy(
  shipping: ShippingSettings,
  method: ShippingMethod,
  placedOn: string,
  shipsOn: string | null = null,
): string {
  if (shipsOn) return shipsOn;
  const { min, max } = shipping[method].businessDays;
  const day = businessDaysAfter(new Date(placedOn), max - min)
    .toISOString()
    .slice(0, 10);
  const promised = daysAfter(placedOn, shippingPolicy.shipWithinDays);
  return day < promised ? day : promised;
}

const shortDay = (day: Date) => day.toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/**
 * Expected days in words, "Dec 2–4", of what ships at a moment, or on the last of its lines' promised days if that is
 * later.
 */
export function arrivalWords(
  shipping: ShippingSettings,
  method: ShippingMethod,
  shippedAt: Date,
  promised: readonly (string | null | undefined)[] = [],
): string {
  const ships = [newYorkDay(shippedAt), ...promised.flatMap((day) => day ?? [])].toSorted().at(-1);
  const { from, to } = expectedDelivery(shipping, method, new Date(`${ships}T12:00:00Z`));
  if (from.getTime() === to.getTime()) return shortDay(from);
  return `${shortDay(from)}–${from.getUTCMonth() === to.getUTCMonth() ? to.getUTCDate() : shortDay(to)}`;
}
