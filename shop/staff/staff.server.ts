/** The staff and their roles. One owner always remains, and a lost role ends at once. */
import { and, asc, eq, getTableColumns, isNull, or, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { removeSecondFactor } from "#shop/accounts/second-factor.server.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import type { MailPermit } from "#shop/mail/enqueue-email.server.ts";
import type { Role } from "#shop/roles.ts";
import { lockStaff, sendInvitation } from "./invitations.server.ts";
import { endSessionsOf, SESSION_END } from "./sessions.server.ts";
import { staff, staffInvitations } from "./staff.tables.ts";

export type Member = {
  id: string;
  name: string;
  email: string;
  role: Role;
  disabledAt: Date | null;
  /** False from a reset until the member has set up a new second factor and joined again. */
  hasFactor: boolean;
  /** Live sessions. */
  sessions: number;
  lastSeenAt: Date | null;
};

/** Current and former staff, by name. */
export async function listStaff(db: Database): Promise<Member[]> {
  const { rows } = await db.execute<Record<keyof Member, never>>(sql`
    SELECT m.user_id AS id, u.name, u.email, m.role, m.disabled_at AS "disabledAt",
      EXISTS (SELECT FROM two_factors f WHERE f.id = m.factor_id) AS "hasFactor",
      (SELECT count(*)::int FROM staff_sessions s WHERE s.user_id = m.user_id AND ${SESSION_END} IS NULL) AS sessions,
      (SELECT max(last_seen_at) FROM staff_sessions s WHERE s.user_id = m.user_id) AS "lastSeenAt"
    FROM staff m JOIN users u ON u.id = m.user_id ORDER BY m.disabled_at NULLS FIRST, u.name, m.user_id`);
  const time = (value: string | null) => (value === null ? null : new Date(value));
  return rows.map((row) => ({ ...row, disabledAt: time(row.disabledAt), lastSeenAt: time(row.lastSeenAt) }));
}

/** Names by id. */
export const staffNames = (db: Database) =>
  db
    .select({ id: staff.userId, name: users.name })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .orderBy(asc(users.name));

/** True for active staff; a disabled member is a customer like any other. */
export async function isStaff(db: DatabaseOrTransaction, userId: string): Promise<boolean> {
  return (await db.$count(staff, and(eq(staff.userId, userId), isNull(staff.disabledAt)))) > 0;
}

export type StaffResult = { ok: true } | { ok: false; reason: "not-found" | "last-owner" | "disabled" };

type Row = typeof staff.$inferSelect;
type Change = (tx: DatabaseOrTransaction, row: Row) => Promise<AuditEntry>;

/**
 * Changes and audits a member. Locks the staff, so that two owners cannot remove each other; an owner remains who can sign
 * in.
 */
const changeMember = (
  db: Database,
  by: Acting | null,
  staffId: string,
  change: Change,
  { endsOwner = false, isActive = false } = {},
): Promise<StaffResult> =>
  db.transaction(async (tx): Promise<StaffResult> => {
    await lockStaff(tx);
    const hasFactor = sql<boolean>`EXISTS (SELECT FROM two_factors f WHERE f.id = factor_id)`;
    const rows = await tx.select({ ...getTableColumns(staff), hasFactor }).from(staff);
    const row = rows.find(({ userId }) => userId === staffId);
    if (!row) return { ok: false, reason: "not-found" };
    if (isActive && row.disabledAt) return { ok: false, reason: "disabled" };
    const owners = rows.filter(({ role, disabledAt }) => role === "owner" && !disabledAt);
    const isNeeded = owners.includes(row) && !owners.some((other) => other !== row && other.hasFactor);
    if (endsOwner && isNeeded) return { ok: false, reason: "last-owner" };
    await writeAudit(tx, by, { subject: `staff:${staffId}`, ...(await change(tx, row)) });
    return { ok: true };
  });

/** The member's open invitation, as of a reset. */
const invitationOf = (staffId: string) =>
  and(
    eq(staffInvitations.email, sql`(SELECT email FROM users WHERE id = ${staffId}::uuid)`),
    isNull(staffInvitations.acceptedAt),
  );

/** Open invitations by a member who no longer may invite. */
const invitationsBy = (staffId: string) =>
  and(eq(staffInvitations.invitedBy, staffId), isNull(staffInvitations.acceptedAt));

/**
 * Changes the role from the next request on, and that of an open invitation; those by a former owner end. Refused:
 * 'last-owner'.
 */
export const changeRole = (db: Database, by: Acting, staffId: string, role: Role) => {
  const change: Change = async (tx, row) => {
    await tx.update(staff).set({ role }).where(eq(staff.userId, staffId));
    await tx.update(staffInvitations).set({ role }).where(invitationOf(staffId));
    if (role !== "owner") await tx.delete(staffInvitations).where(invitationsBy(staffId));
    return { action: "staff.role", before: { role: row.role }, after: { role } };
  };
  return changeMember(db, by, staffId, change, { endsOwner: role !== "owner" });
};

/** Disables a member and ends their sessions, open invitation and those by them. Refused: 'last-owner'. */
export const disableStaff = (db: Database, by: Acting, staffId: string) => {
  const change: Change = async (tx) => {
    const disabledAt = sql`coalesce(${staff.disabledAt}, now())`;
    await tx.update(staff).set({ disabledAt }).where(eq(staff.userId, staffId));
    await endSessionsOf(tx, staffId, "owner");
    await tx.delete(staffInvitations).where(or(invitationOf(staffId), invitationsBy(staffId)));
    return { action: "staff.disable" };
  };
  return changeMember(db, by, staffId, change, { endsOwner: true });
};

export const enableStaff = (db: Database, by: Acting, staffId: string) =>
  changeMember(db, by, staffId, async (tx) => {
    await tx.update(staff).set({ disabledAt: null }).where(eq(staff.userId, staffId));
    return { action: "staff.enable" };
  });

export const endStaffSessions = (db: Database, by: Acting, staffId: string) =>
  changeMember(db, by, staffId, async (tx) => {
    await endSessionsOf(tx, staffId, "owner");
    return { action: "staff.sign-out" };
  });

/**
 * Resets a lost second factor: the account needs its password alone again, all its sessions end, and the member is
 * emailed a link that binds the next second factor. `by` is null for the operator. Refused: 'disabled', because the
 * link would enable the member.
 */
export const resetFactor = (db: Database, by: Acting | null, staffId: string, secret: string, permit: MailPermit) => {
  const change: Change = async (tx, { role }) => {
    const { email } = await removeSecondFactor(tx, staffId);
    await tx.update(staff).set({ factorId: null, wrongCodes: 0 }).where(eq(staff.userId, staffId));
    await endSessionsOf(tx, staffId, "reset");
    await sendInvitation(tx, { email, role, invitedBy: by?.staffId ?? null }, secret, permit);
    return { action: "staff.factor" };
  };
  return changeMember(db, by, staffId, change, { isActive: true });
};
