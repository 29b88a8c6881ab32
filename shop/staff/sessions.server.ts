/**
 * Staff sessions, opened by password and second factor together. They end after 12 hours, after 30 minutes without a
 * request, or when an owner ends them.
 */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { accounts, twoFactors, users } from "#shop/accounts/account.tables.ts";
import { hashPassword, verifyPassword } from "#shop/accounts/passwords/password-hash.server.ts";
import { checkAppCode, type SecretKey } from "#shop/accounts/second-factor.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import type { Role } from "#shop/roles.ts";
import { staff, staffSessions } from "./staff.tables.ts";

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

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

const IS_LIVE = sql`s.ended_at IS NULL AND s.created_at > now() - interval '12 hours'
  AND s.last_seen_at > now() - interval '30 minutes' AND m.disabled_at IS NULL`;

/**
 * The session of a token, 'ended', or null if unknown. Reading it counts as activity, except with `watches` (live
 * updates of an open page).
 */
export async function readStaffSession(
  db: Database,
  token: string,
  { watches = false } = {},
): Promise<StaffSession | "ended" | null> {
  if (token === "") return null;
  const { rows } = await db.execute<StaffSession & { isLive: boolean; isSeen: boolean }>(sql`
    SELECT s.id, s.user_id AS "staffId", u.name, u.email, m.role,
      s.proved_at > now() - ${FRESH_MINUTES} * interval '1 minute' AS "isFresh",
      s.last_seen_at > now() - interval '1 minute' AS "isSeen",
      ${IS_LIVE} AND EXISTS (SELECT FROM two_factors f WHERE f.id = m.factor_id AND f.user_id = u.id AND f.verified) AS "isLive"
    FROM staff_sessions s JOIN staff m ON m.user_id = s.user_id JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${hashOf(token)}`);
  const [found] = rows;
  if (!found) return null;
  const { isLive, isSeen, ...session } = found;
  if (!isLive) return "ended";
  if (!isSeen && !watches) {
    await db
      .update(staffSessions)
      .set({ lastSeenAt: sql`now()` })
      .where(eq(staffSessions.id, session.id));
  }
  return session;
}

type Device = { address: string; userAgent: string; requestId: string | null };

let decoy: Promise<string> | undefined;

/**
 * Signs a member of the staff in. Null for wrong credentials, no staff, or a new second factor that no owner has
 * approved; all take the same time.
 */
export async function signInStaff(
  db: Database,
  key: SecretKey,
  { email, password, code }: { email: string; password: string; code: string },
  device: Device,
): Promise<{ token: string; session: StaffSession } | null> {
  const [found] = await db
    .select({
      staffId: staff.userId,
      role: staff.role,
      name: users.name,
      email: users.email,
      hash: accounts.password,
      factor: { id: twoFactors.id, secret: twoFactors.secret },
    })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .innerJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, "credential")))
    .innerJoin(
      twoFactors,
      and(eq(twoFactors.userId, users.id), eq(twoFactors.id, staff.factorId), eq(twoFactors.verified, true)),
    )
    .where(and(eq(users.email, email.toLowerCase()), isNull(staff.disabledAt)));
  const isRight = await verifyPassword(found?.hash ?? (await (decoy ??= hashPassword("nobody's"))), password);
  if (!found || !isRight) return null;
  if ((await checkAppCode(db, key, found.factor, code)) !== "right") return null;
  const { staffId, role, name } = found;
  const token = randomBytes(32).toString("base64url");
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(staffSessions)
      .values({ userId: staffId, tokenHash: hashOf(token), ipAddress: device.address, userAgent: device.userAgent })
      .returning({ id: staffSessions.id });
    await writeAudit(tx, { staffId, role, ...device }, { action: "session.begin" });
    return { token, session: { id: made!.id, staffId, role, name, email: found.email, isFresh: true } };
  });
}

/** Checks a code; a right one makes the session fresh again. */
export async function proveStaff(db: Database, key: SecretKey, session: StaffSession, code: string): Promise<boolean> {
  const [factor] = await db
    .select({ id: twoFactors.id, secret: twoFactors.secret })
    .from(twoFactors)
    .innerJoin(staff, eq(staff.factorId, twoFactors.id))
    .where(eq(staff.userId, session.staffId));
  if (!factor || (await checkAppCode(db, key, factor, code)) !== "right") return false;
  await db
    .update(staffSessions)
    .set({ provedAt: sql`now()` })
    .where(eq(staffSessions.id, session.id));
  return true;
}

export const endStaffSession = (db: Database, by: Acting, sessionId: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx
      .update(staffSessions)
      .set({ endedAt: sql`now()` })
      .where(and(eq(staffSessions.id, sessionId), eq(staffSessions.userId, by.staffId), isNull(staffSessions.endedAt)));
    await writeAudit(tx, by, { action: "session.end" });
  });
