/**
 * Staff sessions. They end after 12 hours, after 30 minutes without a request, with a new password (a trigger of the
 * database), and when the member or an owner ends them.
 */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import type { Role } from "#shop/roles.ts";
import { staffSessions, type EndReason } from "./staff.tables.ts";

/** Minutes for which a code counts. */
const FRESH_MINUTES = 10;

export type StaffSession = {
  id: string;
  staffId: string;
  name: string;
  email: string;
  role: Role;
  isFresh: boolean;
};

/** `factor`: the account has another second factor than the one that the member joined with. */
export type SessionEnd = EndReason | "disabled" | "factor" | "expired";

export const newToken = () => randomBytes(32).toString("base64url");
export const tokenHash = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The reason why a session (s) of a member (m) no longer counts; null while it does. */
export const SESSION_END = sql<SessionEnd | null>`CASE
  WHEN m.disabled_at IS NOT NULL THEN 'disabled'
  WHEN s.ended_at IS NOT NULL THEN s.end_reason
  WHEN NOT EXISTS (SELECT FROM two_factors f WHERE f.id = m.factor_id AND f.user_id = m.user_id AND f.verified)
    THEN 'factor'
  WHEN s.created_at <= pg_catalog.now() - interval '12 hours' OR s.last_seen_at <= pg_catalog.now() - interval '30 minutes'
    THEN 'expired' END`;

/**
 * The session of a token, the reason of its end, or null if unknown. Reading it counts as activity, except with
 * `watches` (live updates of an open page).
 */
export async function readStaffSession(
  db: Database,
  token: string,
  { watches = false } = {},
): Promise<StaffSession | SessionEnd | null> {
  const { rows } = await db.execute<StaffSession & { end: SessionEnd | null; isSeen: boolean }>(sql`
    SELECT s.id, s.user_id AS "staffId", u.name, u.email, m.role, ${SESSION_END} AS "end",
      s.proved_at > pg_catalog.now() - ${FRESH_MINUTES} * interval '1 minute' AS "isFresh",
      s.last_seen_at > pg_catalog.now() - interval '1 minute' AS "isSeen"
    FROM staff_sessions s JOIN staff m ON m.user_id = s.user_id JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${tokenHash(token)}`);
  const [found] = rows;
  if (!found) return null;
  const { end, isSeen, ...session } = found;
  if (end) return end;
  if (!isSeen && !watches) {
    await db
      .update(staffSessions)
      .set({ lastSeenAt: sql`pg_catalog.now()` })
      .where(eq(staffSessions.id, session.id));
  }
  return session;
}

/** A member's live sessions, last used first. Customers have none. */
export async function listStaffSessions(db: Database, userId: string) {
  const { rows } = await db.execute<{ id: string; userAgent: string | null; lastUsedAt: string }>(sql`
    SELECT s.id, s.user_agent AS "userAgent", s.last_seen_at AS "lastUsedAt"
    FROM staff_sessions s JOIN staff m ON m.user_id = s.user_id
    WHERE s.user_id = ${userId} AND ${SESSION_END} IS NULL ORDER BY s.last_seen_at DESC, s.id`);
  return rows.map((row) => ({ ...row, lastUsedAt: new Date(row.lastUsedAt) }));
}

/** Tells open pages to ask whether their session goes on. */
export const SESSION_ENDED = "session";

/** Ends the sessions of a member, or `only` one of them; their open pages leave. Returns how many. */
export async function endSessionsOf(
  tx: DatabaseOrTransaction,
  userId: string,
  endReason: EndReason,
  only?: string,
): Promise<number> {
  const open = and(eq(staffSessions.userId, userId), isNull(staffSessions.endedAt));
  const { rowCount } = await tx
    .update(staffSessions)
    .set({ endedAt: sql`pg_catalog.now()`, endReason })
    .where(only ? and(open, eq(staffSessions.id, only)) : open);
  await tx.execute(sql`SELECT pg_notify('office', ${SESSION_ENDED})`);
  return rowCount ?? 0;
}

export const isSessionOfAnother = async (db: Database, userId: string, sessionId: string): Promise<boolean> =>
  (await db.$count(staffSessions, and(eq(staffSessions.id, sessionId), ne(staffSessions.userId, userId)))) > 0;

/** Signs a member out. */
export const endStaffSession = (db: Database, by: Acting, sessionId: string): Promise<void> =>
  db.transaction(async (tx) => {
    await endSessionsOf(tx, by.staffId, "self", sessionId);
    await writeAudit(tx, by, { action: "session.end" });
  });
