/** How somebody comes to work in the back office: by a link that works once, in an account with a second factor. */
import { createHash, createHmac } from "node:crypto";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { twoFactors } from "../accounts/account.tables.ts";
import { enqueueEmail } from "../mail/enqueue-email.server.ts";
import type { MailPermit } from "../mail/mail-budget.server.ts";
import { purposeKey } from "../purpose-key.server.ts";
import { writeAudit, type Acting } from "./audit.server.ts";
import type { Role } from "./roles.ts";
import { staff, staffInvitations } from "./staff.tables.ts";

/** For how long a mailed link works. */
export const INVITATION_DAYS = 7;
/** For how long the printed link of the first owner works. */
export const FIRST_OWNER_HOURS = 24;

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The token of an invitation, made from its id when its email is written, so that none waits in the outbox. */
export const invitationToken = (id: string, secret: string): string =>
  createHmac("sha256", purposeKey(secret, "staff invitation")).update(id).digest("base64url");

export type Invitation = {
  id: string;
  /** Null: whoever has the link, which is the first owner. */
  email: string | null;
  role: Role;
  expiresAt: Date;
};

const isOpen = and(isNull(staffInvitations.acceptedAt), gt(staffInvitations.expiresAt, sql`now()`));

/** The invitation of a link that still works, or null. Looking does not use it up. */
export async function findInvitation(db: Database, token: string): Promise<Invitation | null> {
  const [found] = await db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.tokenHash, hashOf(token)), isOpen));
  return found ?? null;
}

/** Those that were sent and not accepted, also where their time is over; the newest first. */
export const listInvitations = (db: Database) =>
  db
    .select()
    .from(staffInvitations)
    .where(isNull(staffInvitations.acceptedAt))
    .orderBy(desc(staffInvitations.createdAt));

/**
 * Invites an email as a role, and mails the link. An invitation to the same email before ends. Refused: 'is-staff' where
 * they work here, by whatever role.
 */
export const inviteStaff = (
  db: Database,
  by: Acting,
  { email, role }: { email: string; role: Role },
  secret: string,
  permit: MailPermit,
): Promise<{ ok: true } | { ok: false; reason: "is-staff" }> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(
      sql`SELECT FROM staff m JOIN users u ON u.id = m.user_id WHERE u.email = lower(${email}) AND m.factor_id IS NOT NULL`,
    );
    if (rowCount) return { ok: false, reason: "is-staff" };
    const invitationId = await insertInvitation(
      tx,
      { email: email.toLowerCase(), role, invitedBy: by.staffId },
      secret,
    );
    await writeAudit(tx, by, { action: "staff.invite", subject: `invitation:${invitationId}`, after: { role } });
    await enqueueEmail(tx, { template: "staff-invitation", invitationId }, permit);
    return { ok: true };
  });

async function insertInvitation(
  tx: DatabaseOrTransaction,
  { email, role, invitedBy }: { email: string | null; role: Role; invitedBy: string | null },
  secret: string,
): Promise<string> {
  if (email) {
    await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.email, email), isNull(staffInvitations.acceptedAt)));
  }
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT gen_random_uuid() AS id`);
  const { id } = rows[0]!;
  await tx.insert(staffInvitations).values({
    id,
    email,
    role,
    invitedBy,
    tokenHash: hashOf(invitationToken(id, secret)),
    expiresAt: email
      ? sql`now() + ${INVITATION_DAYS} * interval '1 day'`
      : sql`now() + ${FIRST_OWNER_HOURS} * interval '1 hour'`,
  });
  return id;
}

/** Takes an invitation back. */
export const revokeInvitation = (db: Database, by: Acting, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const gone = await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.id, id), isNull(staffInvitations.acceptedAt)))
      .returning({ role: staffInvitations.role });
    if (gone[0]) await writeAudit(tx, by, { action: "staff.uninvite", subject: `invitation:${id}`, before: gone[0] });
  });

export type JoinResult = { ok: true } | { ok: false; reason: "gone" | "other-email" | "no-factor" };

/**
 * Makes an account staff, by the link it was sent. Its second factor of this moment is the one that opens the back
 * office. Whoever joined before gets the new role, and may sign in with a new second factor. Refused: 'gone' where the
 * link works no more or, for the first owner's, where there is an owner; 'other-email'; 'no-factor'.
 */
export const joinStaff = (
  db: Database,
  token: string,
  account: { id: string; email: string },
  from: { address: string; requestId: string | null },
): Promise<JoinResult> =>
  db.transaction(async (tx): Promise<JoinResult> => {
    // One at a time: of two who open the first owner's link, one becomes it.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('polara: staff'))`);
    const [invitation] = await tx
      .select()
      .from(staffInvitations)
      .where(and(eq(staffInvitations.tokenHash, hashOf(token)), isOpen))
      .for("update");
    if (!invitation) return { ok: false, reason: "gone" };
    if (invitation.email === null && (await hasOwner(tx))) return { ok: false, reason: "gone" };
    if (invitation.email !== null && invitation.email !== account.email.toLowerCase()) {
      return { ok: false, reason: "other-email" };
    }
    const [factor] = await tx
      .select({ id: twoFactors.id })
      .from(twoFactors)
      .where(and(eq(twoFactors.userId, account.id), eq(twoFactors.verified, true)));
    if (!factor) return { ok: false, reason: "no-factor" };
    const { role, invitedBy } = invitation;
    await tx
      .insert(staff)
      .values({ userId: account.id, role, invitedBy, factorId: factor.id })
      .onConflictDoUpdate({ target: staff.userId, set: { role, factorId: factor.id, disabledAt: null } });
    await tx
      .update(staffInvitations)
      .set({ acceptedAt: sql`now()` })
      .where(eq(staffInvitations.id, invitation.id));
    const by = { staffId: account.id, role, ...from };
    await writeAudit(tx, by, { action: "staff.join", subject: `staff:${account.id}`, after: { role } });
    return { ok: true };
  });

async function hasOwner(tx: DatabaseOrTransaction): Promise<boolean> {
  return (await tx.$count(staff, and(eq(staff.role, "owner"), isNull(staff.disabledAt)))) > 0;
}

/** A new link for the first owner, in the place of those before; null where there is an owner. */
export const firstOwnerToken = (db: Database, secret: string): Promise<string | null> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('polara: staff'))`);
    if (await hasOwner(tx)) return null;
    await tx.delete(staffInvitations).where(and(isNull(staffInvitations.email), isNull(staffInvitations.acceptedAt)));
    const id = await insertInvitation(tx, { email: null, role: "owner", invitedBy: null }, secret);
    return invitationToken(id, secret);
  });
