/** Retention periods of the privacy policy. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { isCancelable } from "#shop/orders/cancel.server.ts";
import { policy } from "#shop/policies.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { auditLog, type AuditValues } from "#shop/audit/audit.tables.ts";
import { anonymizeOrders } from "./erase-account.server.ts";

const RETENTION_LOCK = 7_652_274;
/** Rows in one transaction, so that orders do not wait. */
const BATCH = 1_000;
/** Network addresses in sessions and the audit log. */
const ADDRESS_DAYS = policy.securityLogDays;
const ADDRESS = ["ip_address", "user_agent"];
/** The mailbox of a trial shop. */
const MAILBOX_DAYS = 90;

const before = (amount: number, unit: "years" | "days") => sql`(now() - ${sql.raw(`interval '${amount} ${unit}'`)})`;

/** Last use of an account. `u` is the row of users. */
const lastActive = sql`greatest(u.last_active_at, u.updated_at,
  (SELECT max(updated_at) FROM sessions WHERE user_id = u.id), (SELECT max(created_at) FROM orders WHERE user_id = u.id))`;

/** One batch of a rule's rows. */
const some = (table: SQL, where: SQL): SQL => sql`(SELECT id FROM ${table} WHERE ${where} LIMIT ${BATCH})`;
const deleteSome = (table: SQL, where: SQL): SQL => sql`DELETE FROM ${table} WHERE id IN ${some(table, where)}`;
/** Empties columns of one batch. */
const clearSome = (table: string, columns: string[], where: SQL): SQL => {
  const name = sql.raw(table);
  const set = sql.raw(columns.map((column) => `${column} = NULL`).join());
  const isFilled = sql.raw(`num_nonnulls(${columns.join()}) > 0`);
  return sql`UPDATE ${name} SET ${set} WHERE id IN ${some(name, sql`${isFilled} AND ${where}`)}`;
};

/** Staff sign in to the back office, which is no use of the shop. */
const isNoStaff = sql`NOT EXISTS (SELECT FROM staff WHERE user_id = u.id AND disabled_at IS NULL)`;
const idle = (years: number): SQL =>
  sql`${isNoStaff} AND u.last_active_at < ${before(years, "years")} AND ${lastActive} < ${before(years, "years")}`;

/** One batch for each rule, in this order: an account's last use is stored before its sessions go. */
const RULES = [
  [
    "sessions",
    sql`WITH ended AS (DELETE FROM sessions WHERE id IN ${some(sql`sessions`, sql`expires_at < pg_catalog.now()`)} RETURNING user_id, updated_at),
      noted AS (
        UPDATE users SET last_active_at = greatest(last_active_at, latest) FROM
          (SELECT user_id, max(updated_at) AS latest FROM ended GROUP BY user_id) AS e WHERE users.id = e.user_id
      ) SELECT user_id FROM ended`,
  ],
  ["addresses of sessions", clearSome("sessions", ADDRESS, sql`created_at < ${before(ADDRESS_DAYS, "days")}`)],
  ["addresses of staff", clearSome("staff_sessions", ADDRESS, sql`created_at < ${before(ADDRESS_DAYS, "days")}`)],
  [
    // The newest session holds the last use.
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
  ["addresses of the audit log", clearSome("audit_log", ["address"], sql`at < ${before(ADDRESS_DAYS, "days")}`)],
  ["verifications", deleteSome(sql`verifications`, sql`expires_at < pg_catalog.now()`)],
  [
    "guest carts",
    deleteSome(
      sql`cart_items`,
      sql`session_id IS NOT NULL AND created_at < ${before(policy.guestCookieYears, "years")}`,
    ),
  ],
  ["messages", deleteSome(sql`contact_messages`, sql`created_at < ${before(policy.supportYears, "years")}`)],
  [
    "texts of privacy requests",
    clearSome(
      "privacy_requests",
      ["email", "note", "extension_reason", "answer"],
      sql`kind <> 'arbitration-opt-out' AND closed_at < ${before(policy.supportYears, "years")}`,
    ),
  ],
  ["notices", deleteSome(sql`notice_recipients`, sql`created_at < ${before(policy.supportYears, "years")}`)],
  [
    "waitlist",
    sql`DELETE FROM waitlist WHERE id IN (SELECT w.id FROM waitlist w JOIN users u ON u.id = w.user_id
      WHERE w.created_at < ${before(policy.marketingInactiveYears, "years")}
        AND ${lastActive} < ${before(policy.marketingInactiveYears, "years")} LIMIT ${BATCH})`,
  ],
  ["letters", deleteSome(sql`letter_recipients`, sql`created_at < ${before(policy.marketingInactiveYears, "years")}`)],
  [
    "consents",
    deleteSome(
      sql`consents c`,
      sql`greatest(c.created_at, c.told_at, c.withdrawn_at) < ${before(policy.marketingInactiveYears, "years")}
        AND NOT EXISTS (SELECT FROM users u WHERE u.email = c.email AND ${lastActive} >= ${before(policy.marketingInactiveYears, "years")})`,
    ),
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
    "names and addresses of orders",
    anonymizeOrders(
      sql`id IN ${some(sql`orders`, sql`email <> '' AND created_at < ${before(policy.transactionYears, "years")}`)}`,
    ),
  ],
  [
    // A notice counts for as long as somebody buys here.
    "arbitration notices",
    deleteSome(
      sql`privacy_requests a`,
      sql`kind = 'arbitration-opt-out' AND created_at < ${before(policy.transactionYears, "years")}
        AND NOT EXISTS (SELECT FROM users WHERE users.email = lower(a.email))
        AND NOT EXISTS (SELECT FROM orders WHERE lower(orders.email) = lower(a.email))`,
    ),
  ],
  [
    "notes about customers",
    deleteSome(
      sql`customer_notes n`,
      sql`NOT EXISTS (SELECT FROM users WHERE users.email = n.email)
        AND NOT EXISTS (SELECT FROM orders WHERE lower(orders.email) = n.email)
        AND NOT EXISTS (SELECT FROM contact_messages m WHERE lower(m.email) = n.email)`,
    ),
  ],
  ["mailbox", deleteSome(sql`mailbox_messages`, sql`sent_at < ${before(MAILBOX_DAYS, "days")}`)],
] as const satisfies [name: string, batch: SQL][];

export type RetentionRule = (typeof RULES)[number][0];

/** Rows changed by one batch, or null if another process runs it. */
const runBatch = (db: Database, batch: SQL): Promise<number | null> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS locked`);
    return rows[0]?.locked ? ((await tx.execute(batch)).rowCount ?? 0) : null;
  });

const AUDITED = "privacy.retention";

/**
 * Applies the retention periods in batches and writes an audit row. Returns the number of rows by kind, or null if
 * another process is at work.
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

/** Time and row counts of the last run; null before the first. */
export async function lastRetention(db: Database): Promise<{ at: Date; counts: AuditValues } | null> {
  const [found] = await db
    .select({ at: auditLog.at, counts: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, AUDITED))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return found ? { at: found.at, counts: found.counts ?? {} } : null;
}
