/** Payments in the database: each change holds the payment's lock, and is there whole, with its events, or not at all. */
import type { Pool, PoolClient } from "pg";
import { dueAt, settleDue } from "./lifecycle/due.ts";
import { saveEvents, type Cause } from "./events.ts";
import { objectsOf, type Payment, type SandboxObject, type Work } from "./payment.ts";

export async function inTransaction<Result>(pool: Pool, run: (sql: PoolClient) => Promise<Result>): Promise<Result> {
  const sql = await pool.connect();
  try {
    await sql.query("BEGIN");
    const result = await run(sql);
    await sql.query("COMMIT");
    sql.release();
    return result;
  } catch (error) {
    const isBroken = await sql.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    sql.release(isBroken);
    throw error;
  }
}

/** The sandbox's clock, in seconds. */
export async function readClock(sql: PoolClient): Promise<number> {
  const { rows } = await sql.query<{ now: number }>(
    "SELECT extract(epoch FROM payment_sandbox.clock())::float8 AS now",
  );
  if (!rows[0]) throw new Error("The payment sandbox has no clock.");
  return rows[0].now;
}

export const parentsOf = (object: SandboxObject): string[] => {
  if (object.object === "checkout.session" || object.object === "payment_intent") return [];
  const { payment_intent: intent } = object;
  const charge = object.object === "charge" ? null : object.charge;
  return [intent, charge].filter((parent) => typeof parent === "string");
};

/** What was captured, and what of it went back; not what was only held and let go. */
export function sumsOf({ intent, refunds, charges }: Payment): { captured: number; refunded: number } {
  const captured = intent?.amount_received ?? 0;
  const charge = charges.find((made) => made.captured);
  if (!charge) return { captured, refunded: 0 };
  const released = refunds
    .filter(({ destination_details: to }) => to?.card?.type === "reversal")
    .reduce((sum, { amount }) => sum + amount, 0);
  return { captured, refunded: charge.amount_refunded - released };
}

export async function insertPayment(sql: PoolClient, payment: Payment): Promise<void> {
  await sql.query(
    "INSERT INTO payment_sandbox.payments (id, state, due_at, amount) VALUES ($1, $2, to_timestamp($3), $4)",
    [payment.session.id, payment, dueAt(payment), payment.session.amount_total],
  );
  await insertObjects(sql, payment, new Set());
}

async function insertObjects(sql: PoolClient, payment: Payment, known: Set<string>): Promise<void> {
  for (const object of objectsOf(payment).filter(({ id }) => !known.has(id))) {
    await sql.query(
      `INSERT INTO payment_sandbox.objects (id, payment_id, kind, created, parents)
       VALUES ($1, $2, $3, to_timestamp($4), $5)`,
      [object.id, payment.session.id, object.object, object.created, parentsOf(object)],
    );
  }
}

async function savePayment(
  sql: PoolClient,
  { payment, events, now }: Work,
  known: Set<string>,
  cause: Cause,
): Promise<void> {
  const { captured, refunded } = sumsOf(payment);
  await sql.query(
    `UPDATE payment_sandbox.payments SET state = $2, due_at = to_timestamp($3), captured = $4, refunded = $5 WHERE id = $1`,
    [payment.session.id, payment, dueAt(payment), captured, refunded],
  );
  await insertObjects(sql, payment, known);
  await saveEvents(sql, events, now, cause);
}

/** Who causes a change without a call to the API: the payer on the page, or time. */
export const NO_CALL: Cause = { requestId: null, idempotencyKey: null };

/**
 * Locks the payment that `id` stands in and changes it; null where there is none. What time has brought meanwhile comes
 * first, and stays where `change` refuses.
 */
export async function changePayment<Result>(
  sql: PoolClient,
  id: string,
  cause: Cause,
  change: (work: Work) => Result,
): Promise<Result | null> {
  const { rows } = await sql.query<{ state: Payment; now: number }>(
    `SELECT state, extract(epoch FROM payment_sandbox.clock())::float8 AS now FROM payment_sandbox.payments
      WHERE id = (SELECT payment_id FROM payment_sandbox.objects WHERE id = $1) FOR UPDATE`,
    [id],
  );
  const [row] = rows;
  if (!row) return null;
  const { state: payment, now } = row;
  const known = () => new Set(objectsOf(payment).map((object) => object.id));
  const before = known();
  const due: Work = { payment, now, events: [] };
  settleDue(due);
  if (due.events.length > 0) await savePayment(sql, due, before, NO_CALL);
  const settled = known();
  const work: Work = { payment, now, events: [] };
  const result = change(work);
  await savePayment(sql, work, settled, cause);
  return result;
}

/** Does what time has brought to every payment: one transaction each, so that none waits for two. */
export async function settleAllDue(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM payment_sandbox.payments WHERE due_at <= payment_sandbox.clock() ORDER BY due_at",
  );
  for (const { id } of rows) await inTransaction(pool, (sql) => changePayment(sql, id, NO_CALL, () => {}));
}

/** The payment that `id` stands in, as it is now. */
export async function readPayment(pool: Pool, id: string): Promise<Payment | null> {
  const { rows } = await pool.query<{ state: Payment; is_due: boolean | null }>(
    `SELECT state, due_at <= payment_sandbox.clock() AS is_due FROM payment_sandbox.payments
      WHERE id = (SELECT payment_id FROM payment_sandbox.objects WHERE id = $1)`,
    [id],
  );
  const [row] = rows;
  if (!row?.is_due) return row?.state ?? null;
  return inTransaction(pool, (sql) => changePayment(sql, id, NO_CALL, ({ payment }) => payment));
}
