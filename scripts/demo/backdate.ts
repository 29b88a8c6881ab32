/** Backdating: steps run now, and their rows are moved to their own times at the end. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { shippingPolicy } from "#shop/policies.ts";

const TIMES = {
  orders: ["created_at", "accepted_at", "delivered_at"],
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
        const day = (time: string) =>
          `(${time} AT TIME ZONE 'America/New_York')::date + ${shippingPolicy.shipWithinDays}`;
        await run(`UPDATE orders SET promised_on = ${day("created_at")}, ship_by = ship_by + (${day("created_at")} - promised_on)
          WHERE promised_on = ${day("now()")}`);
      }),
  };
}
