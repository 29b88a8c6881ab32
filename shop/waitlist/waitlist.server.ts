/**
 * A place on the waitlist belongs to an account. A new email gets one that nobody can enter but through the link in the
 * mail: it has no password, and nobody is signed in to it by joining. Place, account and email come together or not at all.
 */
import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import { accountLimits } from "../accounts/account-limits.ts";
import type { EmailJob } from "../mail/email.ts";
import { consumeMail, refundMail, type MailPermit } from "../mail/mail-budget.server.ts";
import { enqueueEmail, enqueueEmailCall } from "../mail/enqueue-email.server.ts";
import { waitMessage, type RateLimits } from "../rate-limits/rate-limits.server.ts";
import type { WaitlistEntry } from "./waitlist-entry.ts";
import { isSilent } from "./silent-account.sql.ts";
import { waitlist } from "./waitlist.tables.ts";

export type WaitlistCaller = {
  network: string;
  /** Who is signed in, if anybody. */
  customer: { id: string; email: string; emailVerified: boolean } | null;
};

export type JoinResult =
  /** `isConfirmed` is true for a customer's own verified email only. */
  | { ok: true; isConfirmed: boolean }
  | { ok: false; reason: "already-registered" }
  | { ok: false; reason: "limited" | "no-account"; message: string };

/**
 * Puts a visitor on the waitlist and sends them their link. Whoever is signed in and has verified the email that they
 * type needs none: their place is confirmed at once. Any other account gets a place and its link as a new email does,
 * with the same result. An email that has a place is 'already-registered', and gets a fresh link until the place is
 * confirmed. An inbox that has had enough of the shop's emails gets none, and the result is the same.
 */
export async function joinWaitlist(
  db: Database,
  rateLimits: RateLimits,
  entry: WaitlistEntry,
  { network, customer }: WaitlistCaller,
): Promise<JoinResult> {
  const { email } = entry;
  const wait = await rateLimits.consume(accountLimits("sign-up", { account: email, network }));
  if (wait !== null) return { ok: false, reason: "limited", message: waitMessage(wait) };
  if (customer?.emailVerified && customer.email === email) return joinConfirmed(db, entry, customer.id);
  const caused = { to: email, network };
  const mail = await consumeMail(rateLimits, caused);
  if (!mail.permit && !mail.isInboxFull) return { ok: false, reason: "limited", message: waitMessage(mail.wait) };

  const result = await joinUnconfirmed(db, entry, mail.permit);
  if (mail.permit && !result.isQueued) await refundMail(rateLimits, caused);
  return result.joined;
}

/** Whether this account's place on the waitlist waits for its mailbox to be proven. */
export async function hasUnconfirmedPlace(db: Database, userId: string): Promise<boolean> {
  return (await db.$count(waitlist, isUnconfirmedPlaceOf(userId))) > 0;
}

/** Confirms the place of whoever has proven the mailbox; one that is confirmed already keeps its time. */
export async function confirmPlace(db: Database, userId: string): Promise<void> {
  await db
    .update(waitlist)
    .set({ verifiedAt: sql`now()` })
    .where(isUnconfirmedPlaceOf(userId));
}

const isUnconfirmedPlaceOf = (userId: string) => and(eq(waitlist.userId, userId), isNull(waitlist.verifiedAt));

async function joinConfirmed(db: Database, entry: WaitlistEntry, userId: string): Promise<JoinResult> {
  const places = await db
    .insert(waitlist)
    .values({ ...entry, userId, verifiedAt: sql`now()` })
    .onConflictDoUpdate({
      target: waitlist.userId,
      set: { verifiedAt: sql`now()` },
      setWhere: isNull(waitlist.verifiedAt),
    })
    .returning({ id: waitlist.id });
  return places.length > 0 ? { ok: true, isConfirmed: true } : { ok: false, reason: "already-registered" };
}

type Unconfirmed = { joined: JoinResult; isQueued: boolean };

/** A known and an unknown email take the same steps: how long it takes tells nobody which it was. */
async function joinUnconfirmed(db: Database, entry: WaitlistEntry, permit: MailPermit | null): Promise<Unconfirmed> {
  // Twice where somebody else made the account or took the place in between.
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

/** One statement: a new account where there is none, its place, and the email. False where somebody else was faster. */
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
    INSERT INTO waitlist (user_id, email, phone, utm_source, utm_campaign)
    SELECT id, ${email}, ${phone}, ${utmSource}, ${utmCampaign} FROM account
    ON CONFLICT DO NOTHING
    RETURNING id${link ? sql`, ${link}` : sql``}`);
  return rows.length > 0;
}

/** Whoever signed up and has not verified the email is written to of the account: that link confirms the place too. */
const linkJob = (userId: string, known: KnownAccount | undefined): EmailJob => ({
  template: known && !known.isSilent && !known.emailVerified ? "verify-email" : "waitlist-welcome",
  userId,
});
