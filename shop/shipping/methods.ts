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

const SATURDAY = 6;
const SUNDAY = 0;

/** The New York day of a moment, as midnight UTC. */
const midnightOf = (at: Date) => new Date(newYorkDay(at));

function businessDaysAfter(start: Date, days: number): Date {
  const day = new Date(start);
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() !== SATURDAY && day.getUTCDay() !== SUNDAY) left--;
  }
  return day;
}

/** First and last expected day, as midnight UTC. */
export function expectedDelivery(method: ShippingMethod, shippedAt: Date): { from: Date; to: Date } {
  const { min, max } = SHIPPING_METHODS[method].businessDays;
  const shipped = midnightOf(shippedAt);
  return { from: businessDaysAfter(shipped, min), to: businessDaysAfter(shipped, max) };
}
