/**
 * A place on the waitlist is an account that nobody can enter but through the link in the mail: it has
 * no password, and nobody is signed in to it by joining. Place, account and letter come together or not at all.
 */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import { accountLimits } from "../accounts/account-limits.ts";
import { insertMailJob, queueMail } from "../mail/outbox-insert.server.ts";
import { waitMessage, type RateLimits } from "../rate-limits/rate-limits.server.ts";
import type { WaitlistEntry } from "./waitlist-entry.ts";

export type JoinResult =
  | { ok: true }
  | { ok: false; reason: "already-registered" }
  | { ok: false; reason: "limited" | "no-account"; message: string };

/**
 * Puts a visitor on the waitlist and sends them their link. An email that has an account is
 * 'already-registered', and where it is not verified gets a fresh link. `network` is the caller's.
 */
export async function joinWaitlist(
  db: Database,
  rateLimits: RateLimits,
  { email, phone, utmSource, utmCampaign }: WaitlistEntry,
  network: string,
): Promise<JoinResult> {
  const caller = { account: email, network };
  const wait = await rateLimits.consume(accountLimits("sign-up", caller));
  if (wait !== null) return { ok: false, reason: "limited", message: waitMessage(wait) };

  const userId = randomUUID();
  const { rows } = await db.execute(sql`
    WITH account AS (
      INSERT INTO users (id, email, name) VALUES (${userId}::uuid, ${email}, '')
      ON CONFLICT (email) DO NOTHING RETURNING id
    ), letter AS (
      ${insertMailJob({ letter: "verify-email", userId }, sql`EXISTS (SELECT 1 FROM account)`)}
    )
    INSERT INTO waitlist (user_id, email, phone, utm_source, utm_campaign)
    SELECT id, ${email}, ${phone}, ${utmSource}, ${utmCampaign} FROM account RETURNING id`);
  if (rows.length > 0) return { ok: true };

  const [known] = await db.select().from(users).where(eq(users.email, email));
  if (!known) return { ok: false, reason: "no-account", message: "Failed to create user account" };
  if (!known.emailVerified && (await rateLimits.consume(accountLimits("letter", caller))) === null) {
    await queueMail(db, { letter: "verify-email", userId: known.id });
  }
  return { ok: false, reason: "already-registered" };
}
