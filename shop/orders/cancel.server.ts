/** Orders end here before anything of them has shipped: canceled, declined or lapsed, with its event, and stock returns once. */
import { eq, inArray, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { returnStock } from "../inventory/stock.sql.ts";
import { isAllowed, statusAfter, statusesBefore, type ActorOf, type OrderStatus } from "./lifecycle.ts";
import { insertOrderEvents } from "./order-events.sql.ts";
import { orders, type OrderEventData } from "./order.tables.ts";

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
  return cancelResult(await cancelOrders(db, eq(orders.id, orderId), actor));
}

/** What canceling one order came to, of what canceling answered. */
export function cancelResult([found]: { before: OrderStatus }[]): CancelResult {
  if (!found) return { ok: false, reason: "not-found" };
  if (isAllowed("canceled", found.before)) return { ok: true, repeated: false };
  if (found.before === statusAfter("canceled")) return { ok: true, repeated: true };
  return { ok: false, reason: "too-late", status: found.before };
}

/**
 * Cancels those of the orders `which` that have not shipped, and returns their stock. Returns every order that `which`
 * selects, with its status before; all of them stay locked until the caller's transaction ends.
 */
export const cancelOrders = (db: DatabaseOrTransaction, which: SQL, actor: Canceler): Promise<EndedOrder[]> =>
  endOrders(db, "canceled", actor, which);

type EndEvent = "canceled" | "declined" | "lapsed";
export type EndedOrder = { id: string; before: OrderStatus };

/** The same for every way in which an order ends unshipped. */
export async function endOrders<Event extends EndEvent>(
  db: DatabaseOrTransaction,
  event: Event,
  actor: ActorOf<Event>,
  which: SQL,
  data?: OrderEventData,
  staffId: string | null = null,
): Promise<EndedOrder[]> {
  // Locks go orders first, then stock, each in id order, so that two cancels never wait for each other in a circle.
  const { rows } = await db.execute<EndedOrder>(sql`
    WITH asked AS (
      SELECT id, status FROM orders WHERE ${which} ORDER BY id FOR UPDATE
    ), ended AS (
      UPDATE orders SET status = ${statusAfter(event)}, hold_until = NULL FROM asked
      WHERE orders.id = asked.id AND ${inArray(orders.status, statusesBefore(event))}
      RETURNING orders.id, asked.status AS from_status
    ), recorded AS (
      ${insertOrderEvents(event, actor, sql`ended`, data, staffId)}
    ), returned AS (
      ${returnStock(sql`(SELECT product_id, quantity - canceled_quantity AS quantity FROM order_items JOIN ended ON ended.id = order_id)`)}
    )
    SELECT id, status AS before FROM asked`);
  return rows;
}
