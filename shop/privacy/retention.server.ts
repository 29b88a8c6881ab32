/** What the privacy policy says is kept for so long is deleted after it, or loses its person. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { isCancelable } from "../orders/cancel.server.ts";
import { policy } from "../policies.ts";
import { writeAudit } from "../staff/audit.server.ts";
import { auditLog, type AuditValues } from "../staff/staff.tables.ts";
import { anonymizeOrders } from "./anonymous-orders.sql.ts";

const RETENTION_LOCK = 7_652_274;
/** How many rows one transaction deletes or changes: nobody who orders meanwhile waits for more. */
const BATCH = 1_000;
/** Addresses from which somebody signed in or acted, as the security log keeps them. */
const ADDRESS_DAYS = policy.securityLogDays;
/** Trial shops keep their mail in the database; this long is enough to look at it. */
const MAILBOX_DAYS = 90;

const before = (amount: number, unit: "years" | "days") => sql`(now() - ${sql.raw(`interval '${amount} ${unit}'`)})`;

/** When an account was last used, for whatever is known of it. `u` is the row of users. */
const lastActive = sql`greatest(u.last_active_at, u.updated_at,
  (SELECT max(updated_at) FROM sessions WHERE user_id = u.id), (SELECT max(created_at) FROM orders WHERE user_id = u.id))`;

/** Those of a table that a rule is about, one batch of them. */
const some = (table: SQL, where: SQL): SQL => sql`(SELECT id FROM ${table} WHERE ${where} LIMIT ${BATCH})`;
const deleteSome = (table: SQL, where: SQL): SQL => sql`DELETE FROM ${table} WHERE id IN ${some(table, where)}`;

/** Whoever works in the back office signs in there, which is no visit to the shop. */
const isNoStaff = sql`NOT EXISTS (SELECT FROM staff WHERE user_id = u.id AND disabled_at IS NULL)`;
const idle = (years: number): SQL =>
  sql`${isNoStaff} AND u.last_active_at < ${before(years, "years")} AND ${lastActive} < ${before(years, "years")}`;

/**
 * One batch of each, in this order: what a session tells of its account is written down before the session goes. A statement
 * answers with or changes as many rows as it did something to.
 */
const RULES = [
  [
    "sessions",
    sql`WITH ended AS (DELETE FROM sessions WHERE id IN ${some(sql`sessions`, sql`expires_at < now()`)} RETURNING user_id, updated_at),
      noted AS (
        UPDATE users SET last_active_at = greatest(last_active_at, latest) FROM
          (SELECT user_id, max(updated_at) AS latest FROM ended GROUP BY user_id) AS e WHERE users.id = e.user_id
      ) SELECT user_id FROM ended`,
  ],
  [
    "addresses of sessions",
    sql`UPDATE sessions SET ip_address = NULL, user_agent = NULL WHERE id IN ${some(
      sql`sessions`,
      sql`num_nonnulls(ip_address, user_agent) > 0 AND created_at < ${before(ADDRESS_DAYS, "days")}`,
    )}`,
  ],
  [
    "addresses of staff",
    sql`UPDATE staff_sessions SET ip_address = NULL, user_agent = NULL WHERE id IN ${some(
      sql`staff_sessions`,
      sql`num_nonnulls(ip_address, user_agent) > 0 AND created_at < ${before(ADDRESS_DAYS, "days")}`,
    )}`,
  ],
  [
    // The newest of each says when they were last here.
    "sessions of staff",
    deleteSome(
      sql`staff_sessions`,
      sql`created_at < ${before(ADDRESS_DAYS, "days")} AND EXISTS
        (SELECT FROM staff_sessions newer WHERE newer.user_id = staff_sessions.user_id AND newer.created_at > staff_sessions.created_at)`,
    ),
  ],
  [
    "invitations of staff",
    deleteSome(sql`staff_invitations`, sql`least(accepted_at, expires_at) < ${before(ADDRESS_DAYS, "days")}`),
  ],
  [
    "addresses of the audit log",
    sql`UPDATE audit_log SET address = NULL WHERE id IN ${some(
      sql`audit_log`,
      sql`address IS NOT NULL AND at < ${before(ADDRESS_DAYS, "days")}`,
    )}`,
  ],
  ["verifications", deleteSome(sql`verifications`, sql`expires_at < now()`)],
  [
    "guest carts",
    deleteSome(
      sql`cart_items`,
      sql`session_id IS NOT NULL AND created_at < ${before(policy.guestCookieYears, "years")}`,
    ),
  ],
  ["messages", deleteSome(sql`contact_messages`, sql`created_at < ${before(policy.supportYears, "years")}`)],
  [
    "privacy requests",
    sql`UPDATE privacy_requests SET email = NULL, note = NULL, extension_reason = NULL WHERE id IN ${some(
      sql`privacy_requests`,
      sql`num_nonnulls(email, note, extension_reason) > 0 AND closed_at < ${before(policy.supportYears, "years")}`,
    )}`,
  ],
  [
    "waitlist",
    sql`DELETE FROM waitlist WHERE id IN (SELECT w.id FROM waitlist w JOIN users u ON u.id = w.user_id
      WHERE w.created_at < ${before(policy.marketingInactiveYears, "years")}
        AND ${lastActive} < ${before(policy.marketingInactiveYears, "years")} LIMIT ${BATCH})`,
  ],
  [
    "accounts of the waitlist",
    deleteSome(
      sql`users u`,
      sql`${idle(policy.marketingInactiveYears)} AND NOT EXISTS (SELECT 1 FROM accounts WHERE user_id = u.id)
        AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = u.id) AND NOT EXISTS (SELECT 1 FROM waitlist WHERE user_id = u.id)`,
    ),
  ],
  [
    "accounts",
    deleteSome(
      sql`users u`,
      sql`${idle(policy.accountInactiveYears)}
        AND NOT EXISTS (SELECT 1 FROM orders WHERE user_id = u.id AND ${isCancelable})`,
    ),
  ],
  [
    "orders",
    anonymizeOrders(
      sql`id IN ${some(sql`orders`, sql`email <> '' AND created_at < ${before(policy.transactionYears, "years")}`)}`,
    ),
  ],
  ["mailbox", deleteSome(sql`mailbox_messages`, sql`sent_at < ${before(MAILBOX_DAYS, "days")}`)],
] as const satisfies [name: string, batch: SQL][];

export type RetentionRule = (typeof RULES)[number][0];

/** How many rows one batch did something to, or null where another process is at it. */
const runBatch = (db: Database, batch: SQL): Promise<number | null> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS held`);
    return rows[0]?.held ? ((await tx.execute(batch)).rowCount ?? 0) : null;
  });

const AUDITED = "privacy.retention";

/**
 * Carries out the retention periods of the privacy policy, in batches, each a transaction; answers how many rows of
 * each kind were deleted or made anonymous, or null where another process is at it. Each run stands in the audit log.
 */
export async function applyRetention(db: Database): Promise<Record<string, number> | null> {
  const counts: Record<string, number> = {};
  for (const [name, batch] of RULES) {
    counts[name] = 0;
    for (let done: number | null = BATCH; done === BATCH; counts[name] += done) {
      done = await runBatch(db, batch);
      if (done === null) return null;
    }
  }
  const found = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  await writeAudit(db, null, { action: AUDITED, after: found });
  return counts;
}

/** The last run: when it ended, and how many rows of which kind it was about. Null before the first. */
export async function lastRetention(db: Database): Promise<{ at: Date; counts: AuditValues } | null> {
  const [found] = await db
    .select({ at: auditLog.at, counts: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, AUDITED))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return found ? { at: found.at, counts: found.counts ?? {} } : null;
}
