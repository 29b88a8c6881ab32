/** An order goes on to processing once it is paid, with its event; one that has lapsed only where its units are still there. */
import { sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { lockStock, takeStockCall } from "../inventory/stock.sql.ts";
import { statusAfter, type ActorOf, type OrderNote } from "./lifecycle.ts";
import { insertOrderEvents, insertOrderNotes } from "./order-events.sql.ts";
import type { OrderEventData } from "./order.tables.ts";

/** Moves an order that the caller has locked, and seen in a status that allows it. */
export async function markAuthorized(
  tx: DatabaseOrTransaction,
  orderId: string,
  event: "authorized" | "authorized-late",
): Promise<void> {
  await tx.execute(sql`
    WITH before AS (
      SELECT id, status AS from_status FROM orders WHERE id = ${orderId}::uuid
    ), moved AS (
      UPDATE orders SET status = ${statusAfter(event)}, hold_until = NULL FROM before WHERE orders.id = before.id
      RETURNING orders.id, before.from_status
    )
    ${insertOrderEvents(event, "provider", sql`moved`)}`);
}

/** Takes the units of an order's lines again, all or none. Returns whether they were all there. */
export async function takeAgain(tx: DatabaseOrTransaction, orderId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ are_there: boolean | null }>(sql`
    WITH lines AS (
      SELECT product_id, sum(quantity - canceled_quantity)::int AS quantity FROM order_items
      WHERE order_id = ${orderId}::uuid GROUP BY product_id
    ), locked AS (
      ${lockStock(sql`SELECT product_id FROM lines`)}
    ), counted AS (
      SELECT bool_and(coalesce(locked.inventory_count >= lines.quantity, false)) AS are_there
      FROM lines LEFT JOIN locked USING (product_id)
    )
    SELECT are_there, (SELECT ${takeStockCall(sql`lines`)} WHERE are_there) FROM counted`);
  return rows[0]?.are_there ?? false;
}

/** Writes an event that leaves the status as it is, of an order that the caller has locked. */
export async function noteOrder<Event extends OrderNote>(
  tx: DatabaseOrTransaction,
  orderId: string,
  event: Event,
  actor: ActorOf<Event>,
  data?: OrderEventData,
): Promise<void> {
  const order = sql`(SELECT id, status FROM orders WHERE id = ${orderId}::uuid)`;
  await tx.execute(insertOrderNotes(event, actor, order, data));
}
