/** Staff sign-in by password and second factor, and the code that a sensitive action asks for again. */
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { accounts, twoFactors, users } from "#shop/accounts/account.tables.ts";
import { hashPassword, verifyPassword } from "#shop/accounts/passwords/password-hash.server.ts";
import { checkAppCode, type SecretKey } from "#shop/accounts/second-factor.server.ts";
import { writeAudit } from "#shop/audit/audit.server.ts";
import { newToken, tokenHash, type StaffSession } from "./sessions.server.ts";
import { staff, staffSessions } from "./staff.tables.ts";

/** Wrong codes in a row after which the member is emailed, and after each ten more. */
const ALARMING_CODES = 10;

type Factor = { id: string; secret: string };

/** A member who has shown the password. */
export type SigningIn = Pick<StaffSession, "staffId" | "name" | "email" | "role"> & { factor: Factor };

/** The new session and its token, or a wrong code; `isAlarming` if the member should be told. */
type Verified = { ok: true; token: string; session: StaffSession } | { ok: false; isAlarming: boolean };

let decoy: Promise<string> | undefined;

/**
 * The member of an email and password. Null if they are wrong, nobody's on the staff, or those of a member whose new
 * second factor no owner has approved; all take the same time.
 */
export async function checkStaffPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<SigningIn | null> {
  const [found] = await db
    .select({
      hash: accounts.password,
      member: { staffId: staff.userId, role: staff.role, name: users.name, email: users.email },
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
  return found && isRight ? { ...found.member, factor: found.factor } : null;
}

/** Null if the code is right. Wrong ones in a row are counted. */
async function refuseCode(
  db: Database,
  key: SecretKey,
  staffId: string,
  factor: Factor,
  code: string,
): Promise<(Verified & { ok: false }) | null> {
  const isRight = (await checkAppCode(db, key, factor, code)) === "right";
  const [counted] = await db
    .update(staff)
    .set({ wrongCodes: isRight ? 0 : sql`${staff.wrongCodes} + 1` })
    .where(eq(staff.userId, staffId))
    .returning({ wrongCodes: staff.wrongCodes });
  return isRight ? null : { ok: false, isAlarming: (counted?.wrongCodes ?? 1) % ALARMING_CODES === 0 };
}

type Browser = { address: string; userAgent: string; requestId: string | null };

/** Opens a session with a code. The one of `formerToken`, which the browser held before, ends. */
export async function signInStaff(
  db: Database,
  key: SecretKey,
  { factor, ...member }: SigningIn,
  code: string,
  { userAgent, ...from }: Browser,
  formerToken = "",
): Promise<Verified> {
  const { staffId, role } = member;
  const refusal = await refuseCode(db, key, staffId, factor, code);
  if (refusal) return refusal;
  const token = newToken();
  return db.transaction(async (tx) => {
    await tx
      .update(staffSessions)
      .set({ endedAt: sql`pg_catalog.now()`, endReason: "replaced" })
      .where(and(eq(staffSessions.tokenHash, tokenHash(formerToken)), isNull(staffSessions.endedAt)));
    const [made] = await tx
      .insert(staffSessions)
      .values({ userId: staffId, tokenHash: tokenHash(token), ipAddress: from.address, userAgent })
      .returning({ id: staffSessions.id });
    await writeAudit(tx, { staffId, role, ...from }, { action: "session.begin" });
    return { ok: true, token, session: { ...member, id: made!.id, isFresh: true } };
  });
}

/** Replaces a session by a fresh one with a code. It ends when the former would have. */
export async function proveStaff(db: Database, key: SecretKey, session: StaffSession, code: string): Promise<Verified> {
  const { staffId } = session;
  const [factor] = await db
    .select({ id: twoFactors.id, secret: twoFactors.secret })
    .from(twoFactors)
    .innerJoin(staff, eq(staff.factorId, twoFactors.id))
    .where(eq(staff.userId, staffId));
  if (!factor) return { ok: false, isAlarming: false };
  const refusal = await refuseCode(db, key, staffId, factor, code);
  if (refusal) return refusal;
  const token = newToken();
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH former AS (
      UPDATE staff_sessions SET ended_at = pg_catalog.now(), end_reason = 'replaced'
      WHERE id = ${session.id} AND ended_at IS NULL RETURNING *
    )
    INSERT INTO staff_sessions (user_id, token_hash, created_at, ip_address, user_agent)
    SELECT user_id, ${tokenHash(token)}, created_at, ip_address, user_agent FROM former RETURNING id`);
  const [made] = rows;
  return made
    ? { ok: true, token, session: { ...session, id: made.id, isFresh: true } }
    : { ok: false, isAlarming: false };
}
