/**
 * Outbox of emails, written in the transaction of their cause. It takes a job only with a permit, and only counting issues
 * permits.
 */
import { sql, type Placeholder, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { byNetwork, type RateLimit, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import type { EmailJob } from "./email.ts";

/** Queues an email, in the caller's transaction if `db` is one. Needs the permit of the mail budget. */
export async function enqueueEmail(
  db: Pick<DatabaseOrTransaction, "execute">,
  job: EmailJob,
  permit: MailPermit,
): Promise<void> {
  await db.execute(sql`SELECT ${enqueueEmailCall(job, permit)}`);
}

/**
 * SQL call that queues an email inside another statement. Put it in RETURNING: PostgreSQL skips an unread SELECT in
 * WITH.
 */
export const enqueueEmailCall = (job: EmailJob, permit: MailPermit): SQL =>
  enqueued(queuedJob(job, permit), permit.priority);

/** The same inside a prepared statement, whose placeholder gets a `queuedJob`. */
export const enqueueGiven = (job: Placeholder): SQL => enqueued(job);
export const queuedJob = (job: EmailJob, _permit: MailPermit): string => JSON.stringify(job);

const enqueued = (job: string | Placeholder, priority = 0): SQL => sql`enqueue_email(${job}::jsonb, ${priority}::int)`;

declare const counted: unique symbol;
/** The outbox takes emails of a lower priority last. */
export type MailPermit = { readonly [counted]: true; readonly priority?: number };
const PERMIT = {} as MailPermit;

type MailDecision =
  | { permit: MailPermit }
  | {
      permit: null;
      wait: number;
      /** The inbox limit is reached. Callers conceal it, because it reveals other emails to the address. */
      isInboxFull: boolean;
    };

/**
 * Counts an email to `to`, caused from `network`. Returns the permit to queue it, or the seconds to wait. Password resets
 * are counted apart for the inbox, so that no other email that somebody causes keeps its owner from a new password.
 */
export async function consumeMail(
  rateLimits: RateLimits,
  caused: { to: string; network: string },
  purpose: "any" | "reset" = "any",
): Promise<MailDecision> {
  const refused = await rateLimits.consume(mailLimits(caused, purpose));
  return refused ? { permit: null, wait: refused.wait, isInboxFull: isInboxLimit(refused.limit) } : { permit: PERMIT };
}

/** Refunds a counted email that was not queued. */
export const refundMail = (rateLimits: RateLimits, caused: { to: string; network: string }): Promise<void> =>
  rateLimits.refund(mailLimits(caused));

/**
 * Consumes limits that already cover recipient and network, as those of an order do, and issues the permit. The
 * shop-wide limit never refuses an order.
 */
export async function consumeWithMail<Limit extends RateLimit>(
  rateLimits: RateLimits,
  limits: Limit[],
): Promise<{ permit: MailPermit } | { permit: null; limit: Limit; wait: number }> {
  const refused = await rateLimits.consume(limits);
  return refused ? { permit: null, ...refused } : { permit: PERMIT };
}

/** Permit of emails about order events: the order was counted when placed. */
export const ORDER_STEP_PERMIT: MailPermit = PERMIT;

/** Permit of waitlist invitations: staff choose the number, each place gets one, and the worker paces them. */
export const INVITATION_PERMIT: MailPermit = PERMIT;

/** Permit of letters: each person asked for them, gets each once, and the worker paces them. All other emails go first. */
export const LETTER_PERMIT = { priority: -1 } as MailPermit;

/** Permit of notices: the operator names the recipients, each gets one, and the worker paces them. */
export const NOTICE_PERMIT: MailPermit = PERMIT;

/** Permit of alerts: each owner gets one when it begins and one when it is over. */
export const ALERT_PERMIT: MailPermit = PERMIT;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TO_INBOX = "email to inbox";
const RESET_TO_INBOX = `${TO_INBOX} for a reset`;

/** Inbox of an address for counting: without its +tag and, for Gmail, without dots. */
export function inboxOf(email: string): string {
  const [, name = "", domain = ""] = /^(.*)@(.*)$/.exec(email.trim().toLowerCase()) ?? [];
  const base = name.split("+")[0] || name;
  const isGmail = domain === "gmail.com" || domain === "googlemail.com";
  return isGmail ? `${base.replaceAll(".", "")}@gmail.com` : `${base}@${domain}`;
}

function mailLimits({ to, network }: { to: string; network: string }, purpose: "any" | "reset" = "any"): RateLimit[] {
  const inbox = inboxOf(to);
  const toInbox = purpose === "reset" ? RESET_TO_INBOX : TO_INBOX;
  return [
    { name: "email from anybody", subject: "", points: 2_000, seconds: HOUR },
    ...byNetwork({ name: "email from network", subject: network, points: 60, seconds: HOUR }),
    ...byNetwork({ name: "email from network a day", subject: network, points: 300, seconds: DAY }),
    { name: toInbox, subject: inbox, points: 5, seconds: 15 * MINUTE },
    { name: `${toInbox} a day`, subject: inbox, points: 20, seconds: DAY },
  ];
}

/** True for a limit of the recipient, not of the sender's network or the shop. */
const isInboxLimit = ({ name }: RateLimit): boolean => name.startsWith(TO_INBOX);
