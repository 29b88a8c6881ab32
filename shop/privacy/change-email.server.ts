/**
 * Another email for an account. It counts once the link mailed to it is opened in a browser that is signed in, so that a
 * mistyped address gives the account to nobody (decision 047). Records of the former, proven email follow.
 */
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { isUniqueViolation, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { accounts, sessions, users } from "#shop/accounts/account.tables.ts";
import { endResetLinks, readVerifyToken, type Shop } from "#shop/accounts/email-links.server.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { endSessionsOf } from "#shop/staff/sessions.server.ts";
import { staffInvitations } from "#shop/staff/staff.tables.ts";
import { emailHash } from "./requests.server.ts";

/** Remembers the address and queues its link. It may be another account's: only the link's page tells. */
export const askForEmail = (db: Database, userId: string, newEmail: string, permit: MailPermit): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.update(users).set({ newEmail }).where(eq(users.id, userId));
    await enqueueEmail(tx, { template: "change-email", userId }, permit);
  });

/** The address that a link would give to this customer, or null: expired, replaced by a later one, or another's. */
export async function readEmailChange(
  db: DatabaseOrTransaction,
  token: string,
  userId: string,
  shop: Shop,
): Promise<string | null> {
  const link = await readVerifyToken(token, shop);
  if (typeof link === "string" || link.userId !== userId) return null;
  const [user] = await db.select({ newEmail: users.newEmail }).from(users).where(eq(users.id, userId));
  return user?.newEmail && link.isFor(user.newEmail) ? user.newEmail : null;
}

type Change = { token: string; userId: string; sessionId: string; permit: MailPermit | null };
type ChangeResult = { ok: true } | { ok: false; reason: "expired" | "taken" };

/**
 * Changes the email as a new password would: every other session ends, of the back office too, and so do mailed links
 * and the sign-in by Google, which the former address may open. The second factor stays. The former address is told, with a permit and if it was verified. Refused: 'expired', 'taken'.
 */
export async function changeEmail(db: Database, change: Change, shop: Shop): Promise<ChangeResult> {
  const { token, userId, sessionId, permit } = change;
  try {
    return await db.transaction(async (tx): Promise<ChangeResult> => {
      const email = await readEmailChange(tx, token, userId, shop);
      const [was] = await tx.select().from(users).where(eq(users.id, userId));
      if (!email || !was) return { ok: false, reason: "expired" };
      const changed = await tx
        .update(users)
        .set({ email, emailVerified: true, newEmail: null, updatedAt: sql`pg_catalog.now()` })
        .where(and(eq(users.id, userId), eq(users.newEmail, email)));
      // The button was pressed twice.
      if (!changed.rowCount) return { ok: false, reason: "expired" };
      await tx.execute(sql`UPDATE waitlist SET email = ${email} WHERE user_id = ${userId}::uuid`);
      if (was.emailVerified) await moveRecords(tx, userId, { from: was.email, to: email }, shop.secret);
      await tx.delete(accounts).where(and(eq(accounts.userId, userId), ne(accounts.providerId, "credential")));
      await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)));
      await endSessionsOf(tx, userId, "self");
      await endResetLinks(tx, userId);
      if (permit && was.emailVerified) await enqueueEmail(tx, { template: "email-changed", email: was.email }, permit);
      return { ok: true };
    });
  } catch (error) {
    if (isUniqueViolation(error, "users_email_unique")) return { ok: false, reason: "taken" };
    throw error;
  }
}

/**
 * Moves records found by email alone, which the download and the deletion of the account would miss otherwise. Links to
 * orders and an open invitation to the staff end, because they are in the former mailbox.
 */
async function moveRecords(
  tx: DatabaseOrTransaction,
  userId: string,
  { from, to }: { from: string; to: string },
  secret: string,
): Promise<void> {
  await tx.delete(staffInvitations).where(and(eq(staffInvitations.email, from), isNull(staffInvitations.acceptedAt)));
  await tx.execute(sql`UPDATE contact_messages SET email = ${to} WHERE lower(email) = ${from}`);
  // An open consent counts once, also if both addresses gave it.
  await tx.execute(sql`
    DELETE FROM consents c USING consents o WHERE c.email = ${from} AND o.email = ${to} AND o.kind = c.kind
      AND o.product_id IS NOT DISTINCT FROM c.product_id AND num_nonnulls(c.withdrawn_at, c.told_at, o.withdrawn_at, o.told_at) = 0`);
  await tx.execute(sql`
    DELETE FROM letter_recipients r USING letter_recipients o
    WHERE r.email = ${from} AND o.email = ${to} AND o.letter_id = r.letter_id`);
  await tx.execute(sql`UPDATE letter_recipients SET email = ${to} WHERE email = ${from}`);
  await tx.execute(sql`UPDATE consents SET email = ${to} WHERE email = ${from}`);
  await tx.execute(sql`
    UPDATE notice_recipients n SET email = ${to} WHERE lower(email) = ${from}
      AND NOT EXISTS (SELECT FROM notice_recipients o WHERE o.notice_id = n.notice_id AND lower(o.email) = ${to})`);
  await tx.execute(sql`
    UPDATE orders SET email = ${to}, link_version = link_version + 1
    WHERE lower(email) = ${from} AND (user_id = ${userId}::uuid OR user_id IS NULL)`);
  await tx.execute(sql`
    WITH former AS (DELETE FROM customer_notes WHERE email = ${from} RETURNING note, tags)
    INSERT INTO customer_notes AS kept (email, note, tags) SELECT ${to}, note, tags FROM former
    ON CONFLICT (email) DO UPDATE SET note = concat_ws(E'\\n', nullif(kept.note, ''), nullif(excluded.note, '')),
      tags = ARRAY(SELECT DISTINCT unnest(kept.tags || excluded.tags) ORDER BY 1)`);
  // An open request, or opting out of arbitration, stays behind if the new address has one of the same kind.
  await tx.execute(sql`
    UPDATE privacy_requests r SET email = ${to}, email_hash = ${emailHash(to, secret)} WHERE lower(email) = ${from}
      AND NOT EXISTS (SELECT FROM privacy_requests o WHERE lower(o.email) = ${to} AND o.kind = r.kind
        AND (r.kind = 'arbitration-opt-out' OR (o.state = 'open' AND r.state = 'open')))`);
}
