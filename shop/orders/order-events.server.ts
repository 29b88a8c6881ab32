/** Order events, written in the transaction of the change. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { ActorOf, OrderEvent, OrderNote } from "./lifecycle.ts";
import { orderEvents, type OrderEventData } from "./order.tables.ts";

/** Returns an INSERT of one event per row of `changed`, a relation of (id, from_status, to_status). */
export const insertOrderEvents = <Event extends OrderEvent>(
  event: Event,
  actor: ActorOf<Event>,
  changed: SQL,
  data?: OrderEventData,
  staffId: string | null = null,
): SQL => sql`
  INSERT INTO order_events (order_id, type, from_status, to_status, actor, data, staff_id, at)
  SELECT id, ${event}, from_status, to_status, ${actor}, ${data ? JSON.stringify(data) : null}::jsonb, ${staffId}::uuid, now()
  FROM ${changed} AS changed`;

/** True if the order has had such an event. */
export const hasHad = async (tx: DatabaseOrTransaction, orderId: string, event: OrderEvent): Promise<boolean> =>
  (await tx.$count(orderEvents, and(eq(orderEvents.orderId, orderId), eq(orderEvents.type, event)))) > 0;

/** Writes an event without a status change. The caller has locked the order in a status that allows it. */
export async function noteOrder<Event extends OrderNote>(
  tx: DatabaseOrTransaction,
  orderId: string,
  event: Event,
  actor: ActorOf<Event>,
  data?: OrderEventData,
  staffId?: string | null,
): Promise<void> {
  const order = sql`(SELECT id, status AS from_status, status AS to_status FROM orders WHERE id = ${orderId}::uuid)`;
  await tx.execute(insertOrderEvents(event, actor, order, data, staffId));
}
