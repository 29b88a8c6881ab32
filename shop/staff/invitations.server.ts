/** Staff invitations: a link that works once, for an account with a second factor. */
import { createHash, randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { twoFactors } from "#shop/accounts/account.tables.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { signed } from "#shop/purpose-key.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import type { Role } from "#shop/roles.ts";
import { staff, staffInvitations } from "./staff.tables.ts";

export const INVITATION_DAYS = 7;

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The token is derived from the id when the email is rendered, so none waits in the queue. */
export const invitationToken = (id: string, secret: string): string => signed(secret, "staff invitation", id);

export const joinPath = (token: string): string => `/admin/join?token=${encodeURIComponent(token)}`;

export type Invitation = typeof staffInvitations.$inferSelect;

const isOpen = and(isNull(staffInvitations.acceptedAt), gt(staffInvitations.expiresAt, sql`now()`));

/** The invitation of a valid link, or null. Does not consume it. */
export async function findInvitation(db: Database, token: string): Promise<Invitation | null> {
  const [found] = await db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.tokenHash, hashOf(token)), isOpen));
  return found ?? null;
}

/** Path of the open invitation of an email; null without one. Only for who has proven that the email is theirs. */
export async function joinPathOf(db: Database, email: string, secret: string): Promise<string | null> {
  const [found] = await db
    .select({ id: staffInvitations.id })
    .from(staffInvitations)
    .where(and(eq(staffInvitations.email, email.toLowerCase()), isOpen));
  return found ? joinPath(invitationToken(found.id, secret)) : null;
}

/** Pending and expired invitations, newest first. */
export const listInvitations = (db: Database) =>
  db
    .select()
    .from(staffInvitations)
    .where(isNull(staffInvitations.acceptedAt))
    .orderBy(desc(staffInvitations.createdAt));

/**
 * Invites an email as a role and sends the link; an earlier invitation ends. Refused: 'is-staff', of active members and
 * of those whom an owner need only enable.
 */
export const inviteStaff = (
  db: Database,
  by: Acting,
  { email, role }: { email: string; role: Role },
  secret: string,
  permit: MailPermit,
): Promise<{ ok: true } | { ok: false; reason: "is-staff" }> =>
  db.transaction(async (tx) => {
    await lockStaff(tx);
    const { rowCount } = await tx.execute(
      sql`SELECT FROM staff m JOIN users u ON u.id = m.user_id
        WHERE u.email = lower(${email}) AND (m.factor_id IS NOT NULL OR m.disabled_at IS NULL)`,
    );
    if (rowCount) return { ok: false, reason: "is-staff" };
    const invitation = { email: email.toLowerCase(), role, invitedBy: by.staffId };
    const invitationId = await sendInvitation(tx, invitation, secret, permit);
    await writeAudit(tx, by, { action: "staff.invite", subject: `invitation:${invitationId}`, after: { role } });
    return { ok: true };
  });

type NewInvitation = Pick<Invitation, "email" | "role" | "invitedBy">;

/** Emails a new invitation, which replaces the one before it. Returns its id. */
export async function sendInvitation(
  tx: DatabaseOrTransaction,
  invitation: NewInvitation,
  secret: string,
  permit: MailPermit,
): Promise<string> {
  const invitationId = await insertInvitation(tx, invitation, secret);
  await enqueueEmail(tx, { template: "staff-invitation", invitationId }, permit);
  return invitationId;
}

async function insertInvitation(
  tx: DatabaseOrTransaction,
  { email, role, invitedBy }: NewInvitation,
  secret: string,
): Promise<string> {
  if (email) {
    await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.email, email), isNull(staffInvitations.acceptedAt)));
  }
  const id = randomUUID();
  await tx.insert(staffInvitations).values({
    id,
    email,
    role,
    invitedBy,
    tokenHash: hashOf(invitationToken(id, secret)),
    expiresAt: sql`now() + ${email ? INVITATION_DAYS : 1} * interval '1 day'`,
  });
  return id;
}

/** Revokes an invitation. */
export const revokeInvitation = (db: Database, by: Acting, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const gone = await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.id, id), isNull(staffInvitations.acceptedAt)))
      .returning({ role: staffInvitations.role });
    if (gone[0]) await writeAudit(tx, by, { action: "staff.uninvite", subject: `invitation:${id}`, before: gone[0] });
  });

type JoinResult = { ok: true } | { ok: false; reason: "gone" | "other-email" | "no-factor" };

/** Serializes inviting, joining and changes of members: they read who is on the team, and write invitations. */
export const lockStaff = (tx: DatabaseOrTransaction) =>
  tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('polara: staff'))`);

/**
 * Makes an account staff and binds its current second factor. A former member gets the new role, an active one keeps
 * theirs. Refused: 'gone' (link used, expired, or an owner exists), 'other-email', 'no-factor'.
 */
export const joinStaff = (
  db: Database,
  token: string,
  account: { id: string; email: string },
  from: { address: string; requestId: string | null },
): Promise<JoinResult> =>
  db.transaction(async (tx): Promise<JoinResult> => {
    await lockStaff(tx);
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
    const { invitedBy } = invitation;
    const [member] = await tx
      .select({ role: staff.role })
      .from(staff)
      .where(and(eq(staff.userId, account.id), isNull(staff.disabledAt)));
    const role = member?.role ?? invitation.role;
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

/** Replaces the first owner's link; null if there is an owner. */
export const firstOwnerToken = (db: Database, secret: string): Promise<string | null> =>
  db.transaction(async (tx) => {
    await lockStaff(tx);
    if (await hasOwner(tx)) return null;
    await tx.delete(staffInvitations).where(and(isNull(staffInvitations.email), isNull(staffInvitations.acceptedAt)));
    const id = await insertInvitation(tx, { email: null, role: "owner", invitedBy: null }, secret);
    return invitationToken(id, secret);
  });
