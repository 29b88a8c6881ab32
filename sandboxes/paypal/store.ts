/** Storage of PayPal's orders, each one document under one lock, written with its events. */
import type { Pool, PoolClient } from "pg";
import { inTransaction, insertEvent, readClock } from "../stripe/store.ts";
import {
  applyDue,
  booksOf,
  dueAt,
  isForgotten,
  newId,
  paymentsOf,
  refuse,
  timeOf,
  type PayPalOrder,
  type Work,
} from "./order.ts";

async function save(sql: PoolClient, work: Work): Promise<void> {
  const { paid, now, events } = work;
  const { authorizations, captures, refunds } = paymentsOf(paid);
  await sql.query(
    `INSERT INTO payment_sandbox.paypal_orders (id, ids, state, due_at) VALUES ($1, $2, $3, to_timestamp($4))
     ON CONFLICT (id) DO UPDATE SET ids = excluded.ids, state = excluded.state, due_at = excluded.due_at`,
    [
      paid.order.id,
      [
        ...[...authorizations, ...captures, ...refunds].map(({ id }) => id),
        ...(paid.dispute ? [paid.dispute.dispute_id] : []),
      ],
      { ...paid, books: booksOf(paid) },
      dueAt(work),
    ],
  );
  for (const { type, resource } of events.splice(0)) {
    const body = { id: `WH-${newId()}`, create_time: timeOf(now), event_type: type, event_version: "1.0", resource };
    await insertEvent(sql, type, now, body);
  }
}

export async function createOrder(sql: PoolClient, make: (now: number) => PayPalOrder): Promise<PayPalOrder> {
  const now = await readClock(sql);
  const paid = make(now);
  await save(sql, { paid, now, events: [] });
  return paid;
}

/** Locks and changes the order with this id, or with a payment of this id. Timed transitions come first. */
export async function changeOrder<Result>(
  sql: PoolClient,
  id: string,
  change: (work: Work) => Result,
): Promise<Result> {
  const { rows } = await sql.query<{ paid: PayPalOrder; now: number }>(
    `SELECT state AS paid, extract(epoch FROM payment_sandbox.clock())::float8 AS now
       FROM payment_sandbox.paypal_orders WHERE id = $1 OR $1 = ANY (ids) FOR UPDATE`,
    [id],
  );
  const [found] = rows;
  if (!found || isForgotten(found.paid, found.now)) throw refuse("INVALID_RESOURCE_ID", 404);
  const work: Work = { ...found, events: [] };
  applyDue(work);
  await save(sql, work);
  const result = change(work);
  await save(sql, work);
  return result;
}

/** Applies timed transitions, each order in its own transaction. */
export async function applyAllDueOrders(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM payment_sandbox.paypal_orders WHERE due_at <= payment_sandbox.clock()",
  );
  for (const { id } of rows) await inTransaction(pool, (sql) => changeOrder(sql, id, () => {}));
}
