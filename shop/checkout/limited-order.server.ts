/** An order within its limits, which are counted in the statement that places it. */
import type { Database } from "../../db/connection.server.ts";
import { getCart } from "../cart/cart.server.ts";
import type { Buyer } from "../cart/cart.ts";
import { consumptionWithMail } from "../mail/mail-budget.server.ts";
import type { RateLimits } from "../rate-limits/rate-limits.server.ts";
import { orderLimits, type OrderLimit } from "./order-limits.ts";
import {
  findPlaced,
  placeOrder,
  type LimitRefusal,
  type OrderRequest,
  type OrderResult,
} from "./place-order.server.ts";

/** Who orders: the buyer whose cart it is, where they call from, and their account's email where they have one. */
export type Caller = { buyer: Buyer; network: string; accountEmail: string | null };

export type TooMany = LimitRefusal & {
  by: OrderLimit["by"];
  isGuest: boolean;
  /** The product whose units are used up. */
  product: { productId: string; name: string } | null;
};

/**
 * As placeOrder, within the limits of order-limits.ts. Refuses 'too-many' with what is used up, except to a checkout key
 * that has placed its order before: it gets that order again. An order counts once, and one that is not placed never.
 * `isHeld` where it has to be paid.
 */
export async function placeLimitedOrder(
  db: Database,
  rateLimits: RateLimits,
  { buyer, network, accountEmail }: Caller,
  request: OrderRequest,
  isHeld = false,
): Promise<OrderResult | TooMany> {
  const customer = "customerId" in buyer ? { id: buyer.customerId, email: accountEmail ?? "" } : null;
  const limits = orderLimits({ network, email: request.form.email, customer, lines: request.seenLines, isHeld });
  const consumption = consumptionWithMail(rateLimits, limits);
  const counted = { ...consumption, refund: () => rateLimits.refund(limits) };
  const held = limits.findIndex(({ by }) => by === "holds");
  const hold = isHeld ? { holdKey: consumption.values.limitKeys[held] ?? null } : null;
  const result = await placeOrder(db, buyer, request, counted, hold);
  if (result.ok || result.reason !== "too-many") return result;
  const placed = await findPlaced(db, buyer, request.checkoutKey);
  if (placed?.isOwn) return { ok: true, orderId: placed.id, repeated: true };
  const usedUp = (await rateLimits.usedUp(limits)) as OrderLimit | null;
  return {
    ...result,
    by: usedUp?.by ?? "network",
    isGuest: customer === null,
    product: usedUp?.productId ? await productInCart(db, buyer, usedUp.productId) : null,
  };
}

async function productInCart(db: Database, buyer: Buyer, productId: string): Promise<TooMany["product"]> {
  const { lines } = await getCart(db, buyer);
  const line = lines.find((each) => each.productId === productId);
  return line ? { productId, name: line.name } : null;
}
