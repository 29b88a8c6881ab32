/** Facts of the database about a shop's readiness. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Facts, Setup } from "./checks.ts";

/** Completes the facts. Times are UTC. */
export async function readFacts(db: Database, setup: Setup): Promise<Facts> {
  const { rows } = await db.execute<{ webhook: string | null; backup: string | null; owners: number }>(sql`
    SELECT (SELECT max(received_at) FROM payment_inbox WHERE NOT missed AND provider = 'stripe'
        AND mode = ${setup.payments} AND mode <> 'sandbox') AS webhook,
      (SELECT max(moment) FROM backups) AS backup,
      (SELECT count(*)::int FROM staff JOIN two_factors ON two_factors.id = factor_id
        WHERE role = 'owner' AND disabled_at IS NULL) AS owners`);
  const { webhook = null, backup = null, owners = 0 } = rows[0] ?? {};
  const time = (value: string | null) => (value === null ? null : new Date(value));
  return { ...setup, webhookAt: time(webhook), backupAt: time(backup), owners };
}
