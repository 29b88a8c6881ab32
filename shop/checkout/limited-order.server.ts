/** An order within the limits: counted in one statement before it is placed, and given back where nothing was. */
import type { Database } from "../../db/connection.server.ts";
import { getCart } from "../cart/cart.server.ts";
import type { Buyer } from "../cart/cart.ts";
import { consumeWithMail } from "../mail/mail-budget.server.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import { orderLimits, type OrderLimit } from "./order-limits.ts";
import { findPlaced, placeOrder, type OrderRequest, type OrderResult } from "./place-order.server.ts";

/** Who orders: the buyer whose cart it is, where they call from, and their account's email where they have one. */
export type Caller = { buyer: Buyer; network: string; accountEmail: string | null };

export type TooMany = {
  ok: false;
  reason: "too-many";
  by: OrderLimit["by"];
  /** Until it counts anew, in seconds. */
  wait: number;
  isGuest: boolean;
  /** The product whose units are used up. */
  product: { productId: string; name: string } | null;
};

/**
 * As placeOrder, within the limits of order-limits.ts. Refuses 'too-many' with what is used up; an order that its key
 * has placed before is answered all the same, and counts only once. What placeOrder refuses counts nothing.
 */
export async function placeLimitedOrder(
  db: Database,
  rateLimits: RateLimits,
  { buyer, network, accountEmail }: Caller,
  request: OrderRequest,
): Promise<OrderResult | TooMany> {
  const customer = "customerId" in buyer ? { id: buyer.customerId, email: accountEmail ?? "" } : null;
  const limits = orderLimits({ network, email: request.form.email, customer, lines: request.seenLines });
  const counted = await consumeWithMail(rateLimits, limits);
  if (!counted.permit) {
    const placed = await findPlaced(db, buyer, request.checkoutKey);
    if (placed?.isOwn) return { ok: true, orderId: placed.id, repeated: true };
    const usedUp = (await rateLimits.usedUp(limits)) as OrderLimit | null;
    return {
      ok: false,
      reason: "too-many",
      by: usedUp?.by ?? "network",
      wait: counted.wait,
      isGuest: customer === null,
      product: usedUp?.productId ? await productInCart(db, buyer, usedUp.productId) : null,
    };
  }
  let result: OrderResult | undefined;
  try {
    result = await placeOrder(db, buyer, request, counted.permit);
    return result;
  } finally {
    if (!result?.ok || result.repeated) await rateLimits.refund(limits);
  }
}

async function productInCart(db: Database, buyer: Buyer, productId: string): Promise<TooMany["product"]> {
  const { lines } = await getCart(db, buyer);
  const line = lines.find((each) => each.productId === productId);
  return line ? { productId, name: line.name } : null;
}
