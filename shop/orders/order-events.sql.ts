/** What happened to an order is written down by the statement that makes it happen, never alone and never later. */
import { sql, type SQL } from "drizzle-orm";
import { statusAfter, type ActorOf, type OrderEvent } from "./lifecycle.ts";

/** An INSERT of one event for each row of `changed`, a relation of (id, from_status): which order, and where it stood. */
export function insertOrderEvents<Event extends OrderEvent>(event: Event, actor: ActorOf<Event>, changed: SQL): SQL {
  return sql`INSERT INTO order_events (order_id, type, from_status, to_status, actor)
    SELECT id, ${event}, from_status, ${statusAfter(event)}, ${actor} FROM ${changed}`;
}
