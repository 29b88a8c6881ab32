/** Storage of payments and events in their own schema. Each change locks its payment and is written with its events. */
import type Stripe from "stripe";
import type { Pool, PoolClient } from "pg";
import { dueAt, applyDue } from "./lifecycle.ts";
import type { NewEvent, Payment, Work } from "./payment.ts";
import { newId, randomText } from "./secrets.ts";

export const API_VERSION: NonNullable<Stripe.StripeConfig["apiVersion"]> = "2026-10-28.endive";

/** One implicit transaction; the lock serializes processes that start together. */
const SCHEMA = `
SELECT pg_advisory_xact_lock(hashtext('payment_sandbox'));
CREATE SCHEMA IF NOT EXISTS payment_sandbox;

CREATE TABLE IF NOT EXISTS payment_sandbox.settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret_key text NOT NULL,
  clock_offset interval NOT NULL DEFAULT '0',
  sends_webhooks boolean NOT NULL DEFAULT false,
  webhooks_held boolean NOT NULL DEFAULT false
);

-- The document is authoritative; the columns serve lookups and totals.
CREATE TABLE IF NOT EXISTS payment_sandbox.payments (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  intent_id text UNIQUE,
  setup_id text UNIQUE,
  method_id text UNIQUE,
  customer_id text,
  state jsonb NOT NULL,
  due_at timestamptz,
  captured bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND captured)
);
CREATE INDEX IF NOT EXISTS payments_due ON payment_sandbox.payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS payments_customer ON payment_sandbox.payments (customer_id, number);

CREATE TABLE IF NOT EXISTS payment_sandbox.customers (
  id text PRIMARY KEY,
  state jsonb NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false
);

-- Orders of PayPal's sandbox, with their books.
CREATE TABLE IF NOT EXISTS payment_sandbox.paypal_orders (
  id text PRIMARY KEY,
  ids text[] NOT NULL, -- of its authorizations, captures and refunds
  state jsonb NOT NULL,
  due_at timestamptz
);

CREATE TABLE IF NOT EXISTS payment_sandbox.events (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  type text NOT NULL,
  created timestamptz NOT NULL,
  body jsonb NOT NULL
);

-- Undelivered events. Their times are real time, not the sandbox's clock.
CREATE TABLE IF NOT EXISTS payment_sandbox.deliveries (
  event_id text PRIMARY KEY REFERENCES payment_sandbox.events ON DELETE CASCADE,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS deliveries_next ON payment_sandbox.deliveries (next_at);

-- The first response of each idempotency key.
CREATE TABLE IF NOT EXISTS payment_sandbox.answers (
  key text PRIMARY KEY,
  endpoint text NOT NULL,
  params text NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  request_id text NOT NULL,
  created timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS payment_sandbox.faults (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fault jsonb NOT NULL,
  remaining integer NOT NULL CHECK (remaining >= 0)
);

CREATE TABLE IF NOT EXISTS payment_sandbox.tax_calculations (
  id text PRIMARY KEY,
  body jsonb NOT NULL
);

CREATE TABLE IF NOT EXISTS payment_sandbox.tax_transactions (
  id text PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  calculation_id text UNIQUE REFERENCES payment_sandbox.tax_calculations,
  original_id text REFERENCES payment_sandbox.tax_transactions,
  tax integer NOT NULL,
  body jsonb NOT NULL
);

-- Whole seconds, like Stripe's.
CREATE OR REPLACE FUNCTION payment_sandbox.clock() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('second', clock_timestamp()) + clock_offset FROM payment_sandbox.settings $$;
`;

/**
 * Creates the schema if missing, and sets the clock. Returns the secret key, the same for every process on this database.
 */
export async function prepareSchema(pool: Pool, sendsWebhooks: boolean, clockOffsetMs: number): Promise<string> {
  await pool.query(SCHEMA);
  const { rows } = await pool.query<{ secret_key: string }>(
    `INSERT INTO payment_sandbox.settings (secret_key, sends_webhooks, clock_offset)
     VALUES ($1, $2, make_interval(secs => $3))
     ON CONFLICT (only_row) DO UPDATE SET sends_webhooks = $2, clock_offset = excluded.clock_offset RETURNING secret_key`,
    [`sk_test_${randomText(48)}`, sendsWebhooks, clockOffsetMs / 1_000],
  );
  if (!rows[0]) throw new Error("The payment sandbox could not write its settings.");
  return rows[0].secret_key;
}

export async function inTransaction<Result>(pool: Pool, run: (sql: PoolClient) => Promise<Result>): Promise<Result> {
  const sql = await pool.connect();
  let isBroken = false;
  try {
    await sql.query("BEGIN");
    const result = await run(sql);
    await sql.query("COMMIT");
    return result;
  } catch (error) {
    await sql.query("ROLLBACK").catch(() => (isBroken = true));
    throw error;
  } finally {
    sql.release(isBroken);
  }
}

/** The sandbox's clock in seconds. */
export async function readClock(sql: PoolClient): Promise<number> {
  const { rows } = await sql.query<{ now: number }>(
    "SELECT extract(epoch FROM payment_sandbox.clock())::float8 AS now",
  );
  return rows[0]?.now ?? 0;
}

/** Inserts or updates a payment, under the id of its session or, without one, of its intent. Released authorizations count as neither captured nor refunded. */
export async function savePayment(sql: PoolClient, payment: Payment): Promise<void> {
  const { session, intent, setup, method, charges } = payment;
  const refunded = charges
    .filter(({ captured }) => captured)
    .reduce((sum, { amount, amount_captured: taken, amount_refunded: given }) => sum + given - (amount - taken), 0);
  await sql.query(
    `INSERT INTO payment_sandbox.payments
       (id, state, intent_id, setup_id, method_id, customer_id, due_at, captured, refunded)
     VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7), $8, $9)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, intent_id = excluded.intent_id,
       method_id = excluded.method_id, due_at = excluded.due_at, captured = excluded.captured,
       refunded = excluded.refunded`,
    [
      session?.id ?? intent?.id,
      payment,
      intent?.id ?? null,
      setup?.id ?? null,
      method?.id ?? null,
      session?.customer ?? intent?.customer ?? null,
      dueAt(payment),
      intent?.amount_received ?? 0,
      refunded,
    ],
  );
}

export async function saveWork(sql: PoolClient, { payment, events, now }: Work): Promise<void> {
  await savePayment(sql, payment);
  for (const event of events) await saveEvent(sql, event, now);
}

function saveEvent(sql: PoolClient, { type, object }: NewEvent, now: number): Promise<void> {
  const event = {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: now,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
  };
  return insertEvent(sql, type, now, event);
}

/** Stores an event in its provider's format, to be delivered. */
export async function insertEvent(sql: PoolClient, type: string, now: number, body: { id: string }): Promise<void> {
  await sql.query(
    "INSERT INTO payment_sandbox.events (id, type, created, body) VALUES ($1, $2, to_timestamp($3), $4)",
    [body.id, type, now, body],
  );
  await sql.query(
    "INSERT INTO payment_sandbox.deliveries (event_id) SELECT $1 FROM payment_sandbox.settings WHERE sends_webhooks",
    [body.id],
  );
}

/**
 * Locks and changes the payment of a session or intent; null if there is none. Timed transitions come first and persist
 * even if `change` throws.
 */
export async function changePayment<Result>(
  sql: PoolClient,
  id: string,
  change: (work: Work) => Result,
): Promise<Result | null> {
  const { rows } = await sql.query<{ payment: Payment; now: number }>(
    `SELECT state AS payment, extract(epoch FROM payment_sandbox.clock())::float8 AS now
       FROM payment_sandbox.payments WHERE id = $1 OR intent_id = $1 FOR UPDATE`,
    [id],
  );
  if (!rows[0]) return null;
  const { payment, now } = rows[0];
  const due: Work = { payment, now, events: [] };
  applyDue(due);
  if (due.events.length > 0) await saveWork(sql, due);
  const work: Work = { payment, now, events: [] };
  const result = change(work);
  await saveWork(sql, work);
  return result;
}

/** Applies timed transitions to every payment, each in its own transaction, so that none waits for two locks. */
export async function applyAllDue(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM payment_sandbox.payments WHERE due_at <= payment_sandbox.clock() ORDER BY due_at",
  );
  for (const { id } of rows) await inTransaction(pool, (sql) => changePayment(sql, id, () => {}));
}

/** Reads a payment by the id of its session, intent, setup or saved card. */
export async function readPayment(sql: Pick<Pool, "query">, id: string): Promise<Payment | null> {
  const { rows } = await sql.query<{ state: Payment }>(
    `SELECT state FROM payment_sandbox.payments
      WHERE id = $1 OR intent_id = $1 OR setup_id = $1 OR method_id = $1`,
    [id],
  );
  return rows[0]?.state ?? null;
}
