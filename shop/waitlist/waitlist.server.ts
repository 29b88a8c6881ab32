/**
 * A place on the waitlist is an account that nobody can enter but through the link in the mail: it has
 * no password, and nobody is signed in to it by joining. Place, account and email come together or not at all.
 */
import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { accounts, users } from "../accounts/account.tables.ts";
import { accountLimits } from "../accounts/account-limits.ts";
import { consumeMail, refundMail } from "../mail/mail-budget.server.ts";
import { enqueueEmail, enqueueEmailCall } from "../mail/enqueue-email.server.ts";
import { waitMessage, type RateLimits } from "../rate-limits/rate-limits.server.ts";
import type { WaitlistEntry } from "./waitlist-entry.ts";
import { waitlist } from "./waitlist.tables.ts";

export type JoinResult =
  | { ok: true }
  | { ok: false; reason: "already-registered" }
  | { ok: false; reason: "limited" | "no-account"; message: string };

/**
 * Puts a visitor on the waitlist and sends them their link. An email that has an account is
 * 'already-registered', and where it is not verified gets a fresh link. An inbox that has had enough of the shop's
 * emails gets none, and the answer is the same. `network` is the caller's.
 */
export async function joinWaitlist(
  db: Database,
  rateLimits: RateLimits,
  { email, phone, utmSource, utmCampaign }: WaitlistEntry,
  network: string,
): Promise<JoinResult> {
  const wait = await rateLimits.consume(accountLimits("sign-up", { account: email, network }));
  if (wait !== null) return { ok: false, reason: "limited", message: waitMessage(wait) };
  const caused = { to: email, network };
  const mail = await consumeMail(rateLimits, caused);
  if (!mail.permit && !mail.isInboxFull) return { ok: false, reason: "limited", message: waitMessage(mail.wait) };

  const userId = randomUUID();
  // One row: the place is the account's, and the email is queued where there is one.
  const welcome = mail.permit && enqueueEmailCall({ template: "waitlist-welcome", userId }, mail.permit);
  const { rows } = await db.execute(sql`
    WITH account AS (
      INSERT INTO users (id, email, name) VALUES (${userId}::uuid, ${email}, '')
      ON CONFLICT (email) DO NOTHING RETURNING id
    )
    INSERT INTO waitlist (user_id, email, phone, utm_source, utm_campaign)
    SELECT id, ${email}, ${phone}, ${utmSource}, ${utmCampaign} FROM account
    RETURNING id${welcome ? sql`, ${welcome}` : sql``}`);
  if (rows.length > 0) return { ok: true };

  const [known] = await db.select().from(users).where(eq(users.email, email));
  if (mail.permit && known && !known.emailVerified) {
    const isSilent = await isOnlyOnWaitlist(db, known.id);
    const job = { template: isSilent ? "waitlist-welcome" : "verify-email", userId: known.id } as const;
    await enqueueEmail(db, job, mail.permit);
  } else if (mail.permit) await refundMail(rateLimits, caused);
  if (!known) return { ok: false, reason: "no-account", message: "Failed to create user account" };
  return { ok: false, reason: "already-registered" };
}

/** The waitlist's silent account: on the list, and without any way in but the link. */
async function isOnlyOnWaitlist(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: waitlist.id })
    .from(waitlist)
    .leftJoin(accounts, eq(accounts.userId, waitlist.userId))
    .where(and(eq(waitlist.userId, userId), isNull(accounts.id)));
  return found.length > 0;
}
