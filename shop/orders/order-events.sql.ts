/** The event of a change is written by the statement that makes the change, never by another one. */
import { sql, type SQL } from "drizzle-orm";
import { statusAfter, type ActorOf, type OrderNote, type OrderTransition } from "./lifecycle.ts";
import type { OrderEventData } from "./order.tables.ts";

/**
 * An INSERT of one event for each row of `changed`, a relation of (id, from_status): the order and its status before.
 * `data` is of every row alike, and so is `staffId`: who of the staff it was.
 */
export function insertOrderEvents<Event extends OrderTransition>(
  event: Event,
  actor: ActorOf<Event>,
  changed: SQL,
  data?: OrderEventData,
  staffId: string | null = null,
): SQL {
  return sql`INSERT INTO order_events (order_id, type, from_status, to_status, actor, data, staff_id)
    SELECT id, ${event}, from_status, ${statusAfter(event)}, ${actor}, ${json(data)}, ${uuid(staffId)} FROM ${changed} AS changed`;
}

/** An INSERT of one event that leaves the status as it is, for each row of `noted`, a relation of (id, status). */
export function insertOrderNotes<Event extends OrderNote>(
  event: Event,
  actor: ActorOf<Event>,
  noted: SQL,
  data?: OrderEventData,
  staffId: string | null = null,
): SQL {
  return sql`INSERT INTO order_events (order_id, type, from_status, to_status, actor, data, staff_id)
    SELECT id, ${event}, status, status, ${actor}, ${json(data)}, ${uuid(staffId)} FROM ${noted} AS noted`;
}

const json = (data: OrderEventData | undefined): SQL => (data ? sql`${JSON.stringify(data)}::jsonb` : sql`NULL::jsonb`);

const uuid = (id: string | null): SQL => (id ? sql`${id}::uuid` : sql`NULL::uuid`);
