/** Backdating: steps run now, and their rows are moved to their own times at the end. */
import { sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { shipBy, type ShippingMethod } from "#shop/shipping/methods.ts";

const TIMES = {
  orders: ["created_at", "promised_at", "accepted_at", "delivered_at"],
  delay_notices: ["sent_at", "accepted_at"],
  order_items: ["created_at"],
  order_events: ["at"],
  payments: ["created_at"],
  payment_actions: ["created_at", "sent_at", "done_at"],
  shipments: ["created_at", "shipped_at", "delivered_at"],
  stock_moves: ["at"],
  audit_log: ["at"],
  contact_messages: ["created_at"],
  waitlist: ["created_at", "verified_at"],
  users: ["created_at", "updated_at", "last_active_at"],
};

/** Orders without a day of their own ship by the day that follows from their placing; a delay has moved that day. */
async function promise(tx: DatabaseOrTransaction): Promise<void> {
  const { rows } = await tx.execute<{ id: string; at: string; method: ShippingMethod }>(sql`
    SELECT id, created_at AS at, shipping_method AS method FROM orders WHERE NOT EXISTS (
      SELECT FROM order_items WHERE order_id = orders.id AND ships_from > created_at)`);
  const { shipping } = settings();
  const days = rows.map(({ at, method }) => shipBy(shipping, method, new Date(at)));
  await tx.execute(sql`
    WITH promised AS (SELECT * FROM unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(days)}::date[]) AS day (id, day)),
    moved AS (UPDATE delay_notices SET "from" = day FROM promised WHERE order_id = promised.id)
    UPDATE orders SET ship_by = day FROM promised WHERE orders.id = promised.id
      AND NOT EXISTS (SELECT FROM delay_notices WHERE order_id = orders.id)`);
}

export type Steps = ReturnType<typeof openSteps>;

export function openSteps(db: Database) {
  const taken: { since: string; at: string }[] = [];
  return {
    /** Runs a step of the time `at`. Steps in the future are skipped. */
    async take(at: Date, run: () => Promise<unknown>): Promise<boolean> {
      if (at.getTime() > Date.now()) return false;
      const { rows } = await db.execute<{ since: string }>(sql`SELECT clock_timestamp()::text AS since`);
      taken.push({ since: rows[0]!.since, at: at.toISOString() });
      await run();
      return true;
    },
    backdate: () =>
      db.transaction(async (tx) => {
        const run = (text: string) => tx.execute(sql.raw(text));
        await run("CREATE TEMP TABLE steps (since timestamptz PRIMARY KEY, at timestamptz) ON COMMIT DROP");
        await tx.execute(sql`INSERT INTO steps
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(taken)}) AS (since timestamptz, at timestamptz)`);
        for (const [table, columns] of Object.entries(TIMES)) {
          const set = columns.map(
            (time) => `${time} = coalesce((SELECT steps.at + (x.${time} - since) FROM steps
              WHERE since <= x.${time} ORDER BY since DESC LIMIT 1), x.${time})`,
          );
          // Events and moves are append-only by triggers.
          await run(`ALTER TABLE ${table} DISABLE TRIGGER USER; UPDATE ${table} AS x SET ${set.join()};
            ALTER TABLE ${table} ENABLE TRIGGER USER`);
        }
        // The log is read by its ids, which follow the time.
        await run(`CREATE TEMP TABLE logged ON COMMIT DROP AS SELECT * FROM audit_log; ALTER TABLE logged DROP COLUMN id;
          ALTER TABLE audit_log DISABLE TRIGGER USER; DELETE FROM audit_log; ALTER TABLE audit_log ENABLE TRIGGER USER`);
        const { rows } = await tx.execute<{
          columns: string;
        }>(sql`SELECT string_agg(quote_ident(attname), ', ') AS columns
          FROM pg_attribute WHERE attrelid = 'logged'::regclass AND attnum > 0 AND NOT attisdropped`);
        const { columns } = rows[0]!;
        await run(`INSERT INTO audit_log (${columns}) SELECT ${columns} FROM logged ORDER BY at`);
        await promise(tx);
      }),
  };
}
