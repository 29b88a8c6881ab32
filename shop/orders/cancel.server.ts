/** The only way to cancel an order: it ends as canceled, with its event, and its stock returns once. */
import { eq, inArray, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { returnStock } from "../inventory/stock.sql.ts";
import { isAllowed, statusAfter, statusesBefore, type ActorOf, type OrderStatus } from "./lifecycle.ts";
import { insertOrderEvents } from "./order-events.sql.ts";
import { orders } from "./order.tables.ts";

type Canceler = ActorOf<"canceled">;
export type CancelResult =
  | { ok: true; /** It was canceled before; nothing has changed. */ repeated: boolean }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: "too-late"; status: OrderStatus };

/** True of an order that may still be canceled, for a WHERE: it has not shipped. */
export const isCancelable: SQL = inArray(orders.status, statusesBefore("canceled"));

/**
 * Cancels one order and returns its stock, in the caller's transaction where `db` is one. Whose order it is has been asked
 * before. Refusals: 'too-late' where it has shipped, 'not-found'. Canceling again is no error and changes nothing. At the
 * same time as another cancel or a shipment, exactly one of them happens.
 */
export async function cancelOrder(db: DatabaseOrTransaction, orderId: string, actor: Canceler): Promise<CancelResult> {
  const [found] = await cancelOrders(db, eq(orders.id, orderId), actor);
  if (!found) return { ok: false, reason: "not-found" };
  if (isAllowed("canceled", found.before)) return { ok: true, repeated: false };
  if (found.before === statusAfter("canceled")) return { ok: true, repeated: true };
  return { ok: false, reason: "too-late", status: found.before };
}

/**
 * Cancels those of the orders `which` that have not shipped, and returns their stock. Returns every order that `which`
 * selects, with its status before; all of them stay locked until the caller's transaction ends.
 */
export async function cancelOrders(
  db: DatabaseOrTransaction,
  which: SQL,
  actor: Canceler,
): Promise<{ id: string; before: OrderStatus }[]> {
  // Locks go orders first, then stock, each in id order, so that two cancels never wait for each other in a circle.
  const { rows } = await db.execute<{ id: string; before: OrderStatus }>(sql`
    WITH asked AS (
      SELECT id, status FROM orders WHERE ${which} ORDER BY id FOR UPDATE
    ), canceled AS (
      UPDATE orders SET status = ${statusAfter("canceled")} FROM asked
      WHERE orders.id = asked.id AND ${isCancelable}
      RETURNING orders.id, asked.status AS from_status
    ), recorded AS (
      ${insertOrderEvents("canceled", actor, sql`canceled`)}
    ), returned AS (
      ${returnStock(sql`(SELECT product_id, quantity FROM order_items JOIN canceled ON canceled.id = order_id)`)}
    )
    SELECT id, status AS before FROM asked`);
  return rows;
}
