/** Waitlist sign-up. A new email gets a silent account: no password, entered only through the emailed link. */
import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { accountLimits } from "#shop/accounts/account-limits.ts";
import { isSilent, users } from "#shop/accounts/account.tables.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import {
  consumeMail,
  enqueueEmail,
  enqueueEmailCall,
  type MailPermit,
  refundMail,
} from "#shop/mail/enqueue-email.server.ts";
import { isSame, signed } from "#shop/purpose-key.server.ts";
import { type RateLimits, waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import type { WaitlistEntry } from "./waitlist-form.ts";
import { waitlist } from "./waitlist.tables.ts";

type WaitlistCaller = {
  network: string;
  customer: { id: string; email: string; emailVerified: boolean } | null;
};

type JoinResult =
  /** `isConfirmed` is true only for a customer's own verified email. */
  | { ok: true; isConfirmed: boolean }
  | { ok: false; reason: "already-registered" }
  | { ok: false; reason: "limited" | "no-account"; message: string };

/**
 * Adds a visitor to the waitlist and emails a confirmation link. A signed-in customer's own verified email is confirmed
 * at once. Other accounts and new emails get the same result, so that accounts stay secret. 'already-registered' still
 * sends a new link until the place is confirmed. A full inbox gets no email, with the same
 * result.
 */
export async function joinWaitlist(
  db: Database,
  rateLimits: RateLimits,
  entry: WaitlistEntry,
  { network, customer }: WaitlistCaller,
): Promise<JoinResult> {
  const { email } = entry;
  const refused = await rateLimits.consume(accountLimits("sign-up", { account: email, network }));
  if (refused) return { ok: false, reason: "limited", message: waitMessage(refused.wait) };
  if (customer?.emailVerified && customer.email === email) return joinConfirmed(db, entry, customer.id);
  const caused = { to: email, network };
  const mail = await consumeMail(rateLimits, caused);
  if (!mail.permit && !mail.isInboxFull) return { ok: false, reason: "limited", message: waitMessage(mail.wait) };

  const result = await joinUnconfirmed(db, entry, mail.permit);
  if (mail.permit && !result.isQueued) await refundMail(rateLimits, caused);
  return result.joined;
}

/** True if the account's place waits for the proof of its mailbox. */
export async function hasUnconfirmedPlace(db: Database, userId: string): Promise<boolean> {
  return (await db.$count(waitlist, isUnconfirmedPlaceOf(userId))) > 0;
}

/** Confirms the place of an account with a proven mailbox; a confirmed one keeps its time. */
export async function confirmPlace(db: Database, userId: string): Promise<void> {
  await db
    .update(waitlist)
    .set({ verifiedAt: sql`now()` })
    .where(isUnconfirmedPlaceOf(userId));
}

/** The account's place on the waitlist; null if it has none or has left. */
export async function getPlace(db: Database, userId: string): Promise<{ since: Date; isConfirmed: boolean } | null> {
  const [place] = await db
    .select({ since: waitlist.createdAt, verifiedAt: waitlist.verifiedAt })
    .from(waitlist)
    .where(and(eq(waitlist.userId, userId), isNull(waitlist.unsubscribedAt)));
  return place ? { since: place.since, isConfirmed: place.verifiedAt !== null } : null;
}

const isUnconfirmedPlaceOf = (userId: string) => and(eq(waitlist.userId, userId), isNull(waitlist.verifiedAt));

/** A place that was left begins anew. */
async function joinConfirmed(db: Database, entry: WaitlistEntry, userId: string): Promise<JoinResult> {
  const places = await db
    .insert(waitlist)
    .values({ ...entry, userId, verifiedAt: sql`now()` })
    .onConflictDoUpdate({
      target: waitlist.userId,
      set: {
        verifiedAt: sql`now()`,
        unsubscribedAt: null,
        phone: sql`coalesce(excluded.phone, ${waitlist.phone})`,
        createdAt: sql`CASE WHEN ${waitlist.unsubscribedAt} IS NULL THEN ${waitlist.createdAt} ELSE now() END`,
      },
      setWhere: or(isNull(waitlist.verifiedAt), isNotNull(waitlist.unsubscribedAt)),
    })
    .returning({ id: waitlist.id });
  return places.length > 0 ? { ok: true, isConfirmed: true } : { ok: false, reason: "already-registered" };
}

type Unconfirmed = { joined: JoinResult; isQueued: boolean };

/** Known and unknown emails take the same steps, so that timing does not reveal accounts. */
async function joinUnconfirmed(db: Database, entry: WaitlistEntry, permit: MailPermit | null): Promise<Unconfirmed> {
  // Retried once after a concurrent sign-up.
  for (let tries = 0; tries < 2; tries++) {
    const known = await findAccount(db, entry.email);
    if (known?.placeId) {
      const isQueued = permit !== null && known.confirmedAt === null;
      if (isQueued) await enqueueEmail(db, linkJob(known.id, known), permit);
      return { joined: { ok: false, reason: "already-registered" }, isQueued };
    }
    if (await addPlace(db, entry, known, permit)) {
      return { joined: { ok: true, isConfirmed: false }, isQueued: permit !== null };
    }
  }
  return { joined: { ok: false, reason: "no-account", message: "Failed to create user account" }, isQueued: false };
}

type KnownAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

async function findAccount(db: Database, email: string) {
  const [found] = await db
    .select({
      id: users.id,
      emailVerified: users.emailVerified,
      isSilent,
      placeId: waitlist.id,
      confirmedAt: waitlist.verifiedAt,
    })
    .from(users)
    .leftJoin(waitlist, eq(waitlist.userId, users.id))
    .where(eq(users.email, email));
  return found;
}

/** Writes account, place and email in one statement. False after a concurrent sign-up. */
async function addPlace(
  db: Database,
  { email, phone, utmSource, utmCampaign }: WaitlistEntry,
  known: KnownAccount | undefined,
  permit: MailPermit | null,
): Promise<boolean> {
  const userId = known?.id ?? randomUUID();
  const account = known
    ? sql`SELECT id FROM users WHERE id = ${userId}::uuid`
    : sql`INSERT INTO users (id, email, name) VALUES (${userId}::uuid, ${email}, '')
        ON CONFLICT (email) DO NOTHING RETURNING id`;
  const link = permit && enqueueEmailCall(linkJob(userId, known), permit);
  const { rows } = await db.execute(sql`
    WITH account AS (${account})
    INSERT INTO waitlist (user_id, email, phone, utm_source, utm_campaign, created_at)
    SELECT id, ${email}, ${phone}, ${utmSource}, ${utmCampaign}, now() FROM account
    ON CONFLICT DO NOTHING
    RETURNING id${link ? sql`, ${link}` : sql``}`);
  return rows.length > 0;
}

/** Unverified accounts get their usual verification email, whose link confirms the place too. */
const linkJob = (userId: string, known: KnownAccount | undefined): EmailJob => ({
  template: known && !known.isSilent && !known.emailVerified ? "verify-email" : "waitlist-welcome",
  userId,
});

/** Unsubscribing from the waitlist, by a signed link without sign-in. */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sign = (id: string, secret: string) => signed(secret, "unsubscribe from the waitlist", id);

export const unsubscribeUrl = (id: string, { baseUrl, secret }: { baseUrl: string; secret: string }) =>
  `${baseUrl}/waitlist/unsubscribe?k=${id}.${sign(id, secret)}`;

/** Returns the place of a link signed with one of `secrets`; else null. */
export function placeOfLink(key: string, secrets: string[]): string | null {
  const [id = "", signature = ""] = key.split(".", 2);
  if (!UUID.test(id)) return null;
  return secrets.some((secret) => isSame(sign(id, secret), signature)) ? id : null;
}

/** Ends a place. Only the email remains, to recognize it. Idempotent. */
async function endPlace(db: Database, place: SQL): Promise<void> {
  await db
    .update(waitlist)
    .set({ unsubscribedAt: sql`now()`, phone: null, utmSource: null, utmCampaign: null })
    .where(and(place, isNull(waitlist.unsubscribedAt)));
}

/** Ends the place of a link. Idempotent. False if the place is gone. */
export async function unsubscribe(db: Database, placeId: string): Promise<boolean> {
  await endPlace(db, eq(waitlist.id, placeId));
  return (await db.$count(waitlist, eq(waitlist.id, placeId))) > 0;
}

export const leaveWaitlist = (db: Database, userId: string): Promise<void> => endPlace(db, eq(waitlist.userId, userId));
