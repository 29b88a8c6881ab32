/** How an order is shipped: the methods, what each costs, and how long it takes. */
import { shippingPolicy } from "../policies.ts";
import { withUnit, type Range } from "../units.ts";

export const FREE_SHIPPING_FROM_CENTS: number = shippingPolicy.freeFromCents;

type Terms = { priceCents: number; businessDays: Range };

const method = (name: string, { priceCents, businessDays }: Terms) => ({
  name,
  /** Below the subtotal from which shipping is free. */
  priceCents,
  /** From shipping to delivery. */
  businessDays,
  /** The same, to be read: "5-7 business days". */
  window: withUnit(businessDays, "business day"),
});

/** Cheapest first. */
export const SHIPPING_METHODS = {
  standard: method("Standard Shipping", shippingPolicy.standard),
  express: method("Express Shipping", shippingPolicy.express),
  overnight: method("Overnight Shipping", shippingPolicy.overnight),
};
export type ShippingMethod = keyof typeof SHIPPING_METHODS;

/** What a method costs at a subtotal, both in cents: nothing where that reaches free shipping, else its price. */
export function shippingPrice(method: ShippingMethod, subtotalCents: number): number {
  return subtotalCents >= FREE_SHIPPING_FROM_CENTS ? 0 : SHIPPING_METHODS[method].priceCents;
}

export type Delivery = Terms & { name: string };

/** The ways to have one unit of `unitPriceCents` sent, cheapest first: as feeds and search engines ask it. */
export function deliveries(unitPriceCents: number): Delivery[] {
  return (Object.keys(SHIPPING_METHODS) as ShippingMethod[]).map((id) => ({
    name: SHIPPING_METHODS[id].name,
    priceCents: shippingPrice(id, unitPriceCents),
    businessDays: SHIPPING_METHODS[id].businessDays,
  }));
}
