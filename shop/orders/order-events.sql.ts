/** The event of a change is written by the statement that makes the change, never by another one. */
import { sql, type SQL } from "drizzle-orm";
import { statusAfter, type ActorOf, type OrderEvent } from "./lifecycle.ts";

/** An INSERT of one event for each row of `changed`, a relation of (id, from_status): the order and its status before. */
export function insertOrderEvents<Event extends OrderEvent>(event: Event, actor: ActorOf<Event>, changed: SQL): SQL {
  return sql`INSERT INTO order_events (order_id, type, from_status, to_status, actor)
    SELECT id, ${event}, from_status, ${statusAfter(event)}, ${actor} FROM ${changed} AS changed`;
}
