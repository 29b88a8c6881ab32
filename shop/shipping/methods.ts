/** Shipping methods, their prices and transit days. */
import { newYorkDay } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import { type Range, withUnit } from "#shop/units.ts";

export const FREE_SHIPPING_FROM_CENTS: number = shippingPolicy.freeFromCents;

type Terms = { priceCents: number; businessDays: Range };

const method = (name: string, { priceCents, businessDays }: Terms) => ({
  name,
  /** Price in cents below the free-shipping subtotal. */
  priceCents,
  businessDays,
  /** For display: "5-7 business days". */
  window: withUnit(businessDays, "business day"),
});

export const SHIPPING_METHODS = {
  standard: method("Standard Shipping", shippingPolicy.standard),
  express: method("Express Shipping", shippingPolicy.express),
  overnight: method("Overnight Shipping", shippingPolicy.overnight),
};
export type ShippingMethod = keyof typeof SHIPPING_METHODS;

/** Price of a method at a subtotal, in cents; free from the threshold. */
export function shippingPrice(method: ShippingMethod, subtotalCents: number): number {
  return subtotalCents >= FREE_SHIPPING_FROM_CENTS ? 0 : SHIPPING_METHODS[method].priceCents;
}

export type Delivery = Terms & { name: string };

/** Methods for one unit of `unitPriceCents`, cheapest first, for feeds and search engines. */
export function deliveries(unitPriceCents: number): Delivery[] {
  return (Object.keys(SHIPPING_METHODS) as ShippingMethod[]).map((id) => ({
    name: SHIPPING_METHODS[id].name,
    priceCents: shippingPrice(id, unitPriceCents),
    businessDays: SHIPPING_METHODS[id].businessDays,
  }));
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
export function expectedDelivery(method: ShippingMethod, shippedAt: Date): { from: Date; to: Date } {
  const { min, max } = SHIPPING_METHODS[method].businessDays;
  const shipped = midnightOf(shippedAt);
  return { from: businessDaysAfter(shipped, min), to: businessDaysAfter(shipped, max) };
}

const shortDay = (day: Date) => day.toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/**
 * Expected days in words, "Dec 2–4", of what ships at a moment, or on the last of its lines' promised days if that is
 * later.
 */
export function arrivalWords(
  method: ShippingMethod,
  shippedAt: Date,
  promised: readonly (string | null | undefined)[] = [],
): string {
  const ships = [newYorkDay(shippedAt), ...promised.flatMap((day) => day ?? [])].toSorted().at(-1);
  const { from, to } = expectedDelivery(method, new Date(`${ships}T12:00:00Z`));
  if (from.getTime() === to.getTime()) return shortDay(from);
  return `${shortDay(from)}–${from.getUTCMonth() === to.getUTCMonth() ? to.getUTCDate() : shortDay(to)}`;
}
