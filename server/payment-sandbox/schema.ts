/** The sandbox's own tables, in a schema that nothing else of the shop knows. It makes them itself at each start. */
import type { Pool } from "pg";
import { newId } from "./secrets.ts";

/** One statement list, so one transaction; the lock lets only one process at a time make what is missing. */
const SCHEMA = `
SELECT pg_advisory_xact_lock(hashtext('payment_sandbox'));
CREATE SCHEMA IF NOT EXISTS payment_sandbox;

-- What all processes share: one row.
CREATE TABLE IF NOT EXISTS payment_sandbox.settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret_key text NOT NULL,
  clock_offset interval NOT NULL DEFAULT '0',
  sends_webhooks boolean NOT NULL DEFAULT false,
  -- A test holds them back.
  webhooks_held boolean NOT NULL DEFAULT false
);

-- A session and all that belongs to it. state is the truth; the columns are for looking up and for the books.
CREATE TABLE IF NOT EXISTS payment_sandbox.payments (
  id text PRIMARY KEY,
  state jsonb NOT NULL,
  due_at timestamptz,
  amount bigint NOT NULL CHECK (amount > 0),
  captured bigint NOT NULL DEFAULT 0 CHECK (captured BETWEEN 0 AND amount),
  refunded bigint NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND captured)
);
CREATE INDEX IF NOT EXISTS payments_due ON payment_sandbox.payments (due_at) WHERE due_at IS NOT NULL;

-- Which payment an id stands in, and the order in which lists show it.
CREATE TABLE IF NOT EXISTS payment_sandbox.objects (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  payment_id text NOT NULL REFERENCES payment_sandbox.payments ON DELETE CASCADE,
  kind text NOT NULL,
  created timestamptz NOT NULL,
  -- The intent and the charge that it belongs to.
  parents text[] NOT NULL
);
CREATE INDEX IF NOT EXISTS objects_listed ON payment_sandbox.objects (kind, number DESC);
CREATE INDEX IF NOT EXISTS objects_of_payment ON payment_sandbox.objects (payment_id);

CREATE TABLE IF NOT EXISTS payment_sandbox.events (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  type text NOT NULL,
  created timestamptz NOT NULL,
  body jsonb NOT NULL
);

-- Events that the shop has not taken yet. Their times are real ones, whatever the sandbox's clock says.
CREATE TABLE IF NOT EXISTS payment_sandbox.deliveries (
  event_id text PRIMARY KEY REFERENCES payment_sandbox.events ON DELETE CASCADE,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS deliveries_next ON payment_sandbox.deliveries (next_at);

-- The first answer to each idempotency key.
CREATE TABLE IF NOT EXISTS payment_sandbox.answers (
  key text PRIMARY KEY,
  endpoint text NOT NULL,
  params text NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  request_id text NOT NULL,
  created timestamptz NOT NULL
);

-- What a test has ordered to go wrong.
CREATE TABLE IF NOT EXISTS payment_sandbox.faults (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "order" jsonb NOT NULL,
  remaining integer NOT NULL CHECK (remaining >= 0)
);

-- The sandbox's clock, in whole seconds as Stripe's.
CREATE OR REPLACE FUNCTION payment_sandbox.clock() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('second', clock_timestamp()) + clock_offset FROM payment_sandbox.settings $$;
`;

/** Makes what is missing. Returns the secret key, which is the same for every process over this database. */
export async function prepareSchema(pool: Pool, sendsWebhooks: boolean): Promise<string> {
  await pool.query(SCHEMA);
  const { rows } = await pool.query<{ secret_key: string }>(
    `INSERT INTO payment_sandbox.settings (secret_key, sends_webhooks) VALUES ($1, $2)
     ON CONFLICT (only_row) DO UPDATE SET sends_webhooks = $2 RETURNING secret_key`,
    [newId.secretKey(), sendsWebhooks],
  );
  const [settings] = rows;
  if (!settings) throw new Error("The payment sandbox could not write its settings.");
  return settings.secret_key;
}
