/** What it costs to have one unit sent, by each method: as feeds and search engines ask it. */
import { SHIPPING_METHODS, shippingPrice, type ShippingMethod } from "../cart/totals.ts";

export type Delivery = { name: string; priceCents: number; minDays: number; maxDays: number };

/** The ways to have one unit of `unitPriceCents` delivered, cheapest first; days are business days. */
export function deliveries(unitPriceCents: number): Delivery[] {
  return Object.entries(SHIPPING_METHODS).map(([method, { name, window }]) => {
    const [min = 0, max = min] = [...window.matchAll(/\d+/g)].map(Number);
    return { name, priceCents: shippingPrice(method as ShippingMethod, unitPriceCents), minDays: min, maxDays: max };
  });
}
