/** An order whose hold is over and that nobody can pay any more gives its units back, to the shop and to the cart. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { refillCart } from "../../cart/refill-cart.server.ts";
import type { Buyer } from "../../cart/cart.ts";
import { endOrders } from "../../orders/cancel.server.ts";
import { orders } from "../../orders/order.tables.ts";
import { buyerOf, type LockedOrder } from "./locked-payments.server.ts";
import { payments } from "../payment.tables.ts";

/** The lines of an order that are not canceled, as (product_id, quantity). */
const linesOf = (orderId: string) =>
  sql`(SELECT product_id, quantity - canceled_quantity AS quantity FROM order_items WHERE order_id = ${orderId}::uuid)`;

export const refillFrom = (tx: DatabaseOrTransaction, buyer: Buyer, orderId: string): Promise<void> =>
  refillCart(tx, buyer, linesOf(orderId));

/** Ends an order that is locked and unpaid. */
export async function lapse(tx: DatabaseOrTransaction, order: LockedOrder): Promise<void> {
  await closeUnopened(tx, order.id);
  const buyer = buyerOf(order);
  if (buyer) await refillFrom(tx, buyer, order.id);
  await endOrders(tx, "lapsed", "system", eq(orders.id, order.id));
}

/** A payment whose page nobody was told of cannot be paid: it is closed without asking. */
export async function closeUnopened(tx: DatabaseOrTransaction, orderId: string): Promise<void> {
  await tx
    .update(payments)
    .set({ state: "closed", holdKey: null })
    .where(and(eq(payments.orderId, orderId), inArray(payments.state, ["opening"])));
}
