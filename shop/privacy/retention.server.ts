/** What the privacy policy says is kept for so long is deleted after it, or loses its person. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { anonymous } from "../orders/anonymous.sql.ts";
import { isCancelable } from "../orders/cancel.server.ts";
import { policy } from "../policies.ts";

const RETENTION_LOCK = 7_652_274;
/** Trial shops keep their mail in the database; this long is enough to look at it. */
const MAILBOX_DAYS = 90;

const before = (amount: number, unit: "years" | "days") => sql`(now() - ${sql.raw(`interval '${amount} ${unit}'`)})`;

/** When an account was last used, for whatever is known of it. `u` is the row of users. */
const lastActive = sql`greatest(u.last_active_at, u.updated_at,
  (SELECT max(updated_at) FROM sessions WHERE user_id = u.id), (SELECT max(created_at) FROM orders WHERE user_id = u.id))`;

/** In this order: what a session tells of its account is written down before the session goes. */
const RULES = [
  [
    "sessions",
    sql`WITH ended AS (DELETE FROM sessions WHERE expires_at < now() RETURNING user_id, updated_at),
      noted AS (
        UPDATE users SET last_active_at = greatest(last_active_at, latest) FROM
          (SELECT user_id, max(updated_at) AS latest FROM ended GROUP BY user_id) AS e WHERE users.id = e.user_id
      ) SELECT user_id FROM ended`,
  ],
  ["verifications", sql`DELETE FROM verifications WHERE expires_at < now()`],
  [
    "guest carts",
    sql`DELETE FROM cart_items WHERE session_id IS NOT NULL AND created_at < ${before(policy.guestCookieYears, "years")}`,
  ],
  ["messages", sql`DELETE FROM contact_messages WHERE created_at < ${before(policy.supportYears, "years")}`],
  [
    "waitlist",
    sql`DELETE FROM waitlist USING users AS u WHERE waitlist.user_id = u.id
      AND waitlist.created_at < ${before(policy.marketingInactiveYears, "years")}
      AND ${lastActive} < ${before(policy.marketingInactiveYears, "years")}`,
  ],
  [
    "accounts of the waitlist",
    sql`DELETE FROM users AS u WHERE ${lastActive} < ${before(policy.marketingInactiveYears, "years")}
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE user_id = u.id) AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = u.id)
      AND NOT EXISTS (SELECT 1 FROM waitlist WHERE user_id = u.id)`,
  ],
  [
    "accounts",
    sql`DELETE FROM users AS u WHERE ${lastActive} < ${before(policy.accountInactiveYears, "years")}
      AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = u.id AND ${isCancelable})`,
  ],
  [
    "orders",
    sql`UPDATE orders SET ${anonymous} WHERE email <> '' AND created_at < ${before(policy.transactionYears, "years")}`,
  ],
  ["mailbox", sql`DELETE FROM mailbox_messages WHERE sent_at < ${before(MAILBOX_DAYS, "days")}`],
] as const satisfies [name: string, statement: SQL][];

export type RetentionRule = (typeof RULES)[number][0];

/**
 * Carries out the retention periods of the privacy policy, in one transaction; answers how many rows of
 * each kind were deleted or made anonymous, or null where another process is at it.
 */
export async function applyRetention(db: Database): Promise<Record<string, number> | null> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS held`);
    if (!rows[0]?.held) return null;
    const counts: Record<string, number> = {};
    for (const [name, statement] of RULES) counts[name] = (await tx.execute(statement)).rowCount ?? 0;
    return counts;
  });
}
