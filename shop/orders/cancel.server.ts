/** Orders that end unshipped return their stock once; an expired order that is paid late takes it again. */
import { eq, inArray, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { returnStock, takeAll } from "#shop/inventory/stock.server.ts";
import { statusAfter, statusesBefore, type ActorOf, type OrderStatus } from "./lifecycle.ts";
import { insertOrderEvents } from "./order-events.server.ts";
import { orderItems, orders, type OrderEventData } from "./order.tables.ts";

/** Condition for a WHERE: the order can still be canceled. */
export const isCancelable: SQL = inArray(orders.status, statusesBefore("canceled"));

type EndEvent = "canceled" | "declined" | "expired";
export type EndedOrder = { id: string; before: OrderStatus };

/**
 * Ends the orders in `which` whose status allows `event`, and returns their stock. Returns every selected order with its
 * former status; all stay locked until the caller's transaction ends.
 */
export async function endOrders<Event extends EndEvent>(
  db: DatabaseOrTransaction,
  event: Event,
  actor: ActorOf<Event>,
  which: SQL,
  data?: OrderEventData,
  staffId: string | null = null,
): Promise<EndedOrder[]> {
  // Locks are taken on orders, then stock, each by id, so that concurrent cancels never deadlock.
  const { rows } = await db.execute<EndedOrder>(sql`
    WITH found AS (
      SELECT id, status FROM orders WHERE ${which} ORDER BY id FOR UPDATE
    ), ended AS (
      UPDATE orders SET status = ${statusAfter(event)}, hold_until = NULL FROM found
      WHERE orders.id = found.id AND ${inArray(orders.status, statusesBefore(event))}
      RETURNING orders.id, found.status AS from_status, orders.status AS to_status
    ), recorded AS (
      ${insertOrderEvents(event, actor, sql`ended`, data, staffId)}
    ), returned AS (
      ${returnStock(sql`(SELECT product_id, quantity - canceled_quantity AS quantity FROM order_items JOIN ended ON ended.id = order_id)`)}
    )
    SELECT id, status AS before FROM found`);
  return rows;
}

/** Takes the units of an order's lines again, all or none. Returns false if the stock is too low. */
export async function retakeStock(tx: DatabaseOrTransaction, orderId: string): Promise<boolean> {
  const lines = await tx
    .select({
      productId: orderItems.productId,
      quantity: sql<number>`${orderItems.quantity} - ${orderItems.canceledQuantity}`,
    })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId));
  return (await takeAll(tx, lines)) === null;
}
