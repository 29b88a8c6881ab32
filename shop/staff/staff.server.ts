/** Who works in the back office, as what. There is always an owner left, and whoever loses a role loses it at once. */
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import { writeAudit, type Acting, type AuditEntry } from "./audit.server.ts";
import type { Role } from "./roles.ts";
import { staff } from "./staff.tables.ts";

export type Member = {
  id: string;
  name: string;
  email: string;
  role: Role;
  disabledAt: Date | null;
  /** False after an owner let them set up another second factor, until they have. */
  hasFactor: boolean;
  /** Sessions that hold. */
  sessions: number;
  lastSeenAt: Date | null;
};

/** Everybody who works or worked here, by name. */
export async function listStaff(db: Database): Promise<Member[]> {
  const { rows } = await db.execute<Record<keyof Member, never>>(sql`
    SELECT m.user_id AS id, u.name, u.email, m.role, m.disabled_at AS "disabledAt",
      EXISTS (SELECT FROM two_factors f WHERE f.id = m.factor_id) AS "hasFactor",
      (SELECT count(*)::int FROM staff_sessions s WHERE s.user_id = m.user_id AND s.ended_at IS NULL
        AND s.created_at > now() - interval '12 hours' AND s.last_seen_at > now() - interval '30 minutes') AS sessions,
      (SELECT max(last_seen_at) FROM staff_sessions s WHERE s.user_id = m.user_id) AS "lastSeenAt"
    FROM staff m JOIN users u ON u.id = m.user_id ORDER BY m.disabled_at NULLS FIRST, u.name, m.user_id`);
  const time = (value: string | null) => (value === null ? null : new Date(value));
  return rows.map((row) => ({ ...row, disabledAt: time(row.disabledAt), lastSeenAt: time(row.lastSeenAt) }));
}

/** Their names by id, for what they did. */
export const staffNames = (db: Database) =>
  db
    .select({ id: staff.userId, name: users.name })
    .from(staff)
    .innerJoin(users, eq(users.id, staff.userId))
    .orderBy(asc(users.name));

/** Whether an account works here. One that is disabled does not, and is a customer's like any other. */
export async function isStaff(db: DatabaseOrTransaction, userId: string): Promise<boolean> {
  return (await db.$count(staff, and(eq(staff.userId, userId), isNull(staff.disabledAt)))) > 0;
}

export type StaffResult = { ok: true } | { ok: false; reason: "not-found" | "last-owner" };

type Row = typeof staff.$inferSelect;

/** Changes one member under a lock of all owners, so that two owners cannot remove each other. */
const change = (
  db: Database,
  by: Acting,
  staffId: string,
  act: (tx: DatabaseOrTransaction, row: Row) => Promise<{ entry: AuditEntry; endsOwner: boolean }>,
): Promise<StaffResult> =>
  db
    .transaction(async (tx): Promise<StaffResult> => {
      const rows = await tx.select().from(staff).orderBy(asc(staff.userId)).for("update");
      const row = rows.find(({ userId }) => userId === staffId);
      if (!row) return { ok: false, reason: "not-found" };
      const others = rows.filter((other) => other !== row && other.role === "owner" && !other.disabledAt);
      const { entry, endsOwner } = await act(tx, row);
      if (endsOwner && row.role === "owner" && !row.disabledAt && others.length === 0) throw new LastOwner();
      await writeAudit(tx, by, { subject: `staff:${staffId}`, ...entry });
      return { ok: true };
    })
    .catch((error: unknown): StaffResult => {
      if (error instanceof LastOwner) return { ok: false, reason: "last-owner" };
      throw error;
    });

class LastOwner extends Error {}

const endSessions = (tx: DatabaseOrTransaction, staffId: string) =>
  tx.execute(sql`UPDATE staff_sessions SET ended_at = now() WHERE user_id = ${staffId}::uuid AND ended_at IS NULL`);

/** Gives another role; it counts from the next request on. Refused: 'last-owner'. */
export const changeRole = (db: Database, by: Acting, staffId: string, role: Role) =>
  change(db, by, staffId, async (tx, row) => {
    await tx.update(staff).set({ role }).where(eq(staff.userId, staffId));
    const entry = { action: "staff.role", before: { role: row.role }, after: { role } };
    return { entry, endsOwner: role !== "owner" };
  });

/** Keeps somebody out, whose sessions end at once. Refused: 'last-owner'. */
export const disableStaff = (db: Database, by: Acting, staffId: string) =>
  change(db, by, staffId, async (tx) => {
    await tx
      .update(staff)
      .set({ disabledAt: sql`coalesce(${staff.disabledAt}, now())` })
      .where(eq(staff.userId, staffId));
    await endSessions(tx, staffId);
    return { entry: { action: "staff.disable" }, endsOwner: true };
  });

/** Lets somebody in again. */
export const enableStaff = (db: Database, by: Acting, staffId: string) =>
  change(db, by, staffId, async (tx) => {
    await tx.update(staff).set({ disabledAt: null }).where(eq(staff.userId, staffId));
    return { entry: { action: "staff.enable" }, endsOwner: false };
  });

/** Signs somebody out everywhere. */
export const endStaffSessions = (db: Database, by: Acting, staffId: string) =>
  change(db, by, staffId, async (tx) => {
    await endSessions(tx, staffId);
    return { entry: { action: "staff.sign-out" }, endsOwner: false };
  });

/**
 * For somebody who has lost their second factor: the one they set up next in their account counts, once they have
 * confirmed it by a link that is mailed to them. Their sessions end.
 */
export const forgetFactor = (db: Database, by: Acting, staffId: string) =>
  change(db, by, staffId, async (tx) => {
    await tx.update(staff).set({ factorId: null }).where(eq(staff.userId, staffId));
    await endSessions(tx, staffId);
    return { entry: { action: "staff.factor" }, endsOwner: false };
  });
