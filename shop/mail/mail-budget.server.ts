/**
 * Every email is counted before it is queued. The outbox takes a job only with a permit, and only counting gives one, so
 * that no code path can forget to count.
 */
import type { Consumption, RateLimit, RateLimits } from "../rate-limits/rate-limits.server.ts";
import { isInboxLimit, mailLimits } from "./mail-limits.ts";

declare const counted: unique symbol;
/** Proof that the emails of one occasion were counted. */
export type MailPermit = { readonly [counted]: true };
const PERMIT = {} as MailPermit;

export type MailDecision =
  | { permit: MailPermit }
  | {
      permit: null;
      /** In seconds. */
      wait: number;
      /** The recipient's inbox is used up. Saying so could tell a stranger what else was sent there. */
      isInboxFull: boolean;
    };

/** Counts an email to `to`, caused by somebody at `network`. Returns the permit to queue it, or how long to wait. */
export async function consumeMail(
  rateLimits: RateLimits,
  caused: { to: string; network: string },
): Promise<MailDecision> {
  const limits = mailLimits(caused);
  const wait = await rateLimits.consume(limits);
  if (wait === null) return { permit: PERMIT };
  const usedUp = await rateLimits.usedUp(limits);
  return { permit: null, wait, isInboxFull: usedUp !== null && isInboxLimit(usedUp) };
}

/** Refunds an email that was counted but not queued. One that was queued is never refunded. */
export const refundMail = (rateLimits: RateLimits, caused: { to: string; network: string }): Promise<void> =>
  rateLimits.refund(mailLimits(caused));

/**
 * For limits that already cover an email's recipient and network, as those of an order do: their consumption, and the
 * permit for that email without a second count. The statement that queues the email must consume them, and do nothing
 * where they refuse. So an order is never refused because the shop has sent too many emails.
 */
export const consumptionWithMail = (
  rateLimits: RateLimits,
  limits: RateLimit[],
): Consumption & { permit: MailPermit } => ({ ...rateLimits.consumption(limits), permit: PERMIT });

/**
 * For the emails that say what became of an order. They are caused by the shop's staff, by whoever takes its payments or
 * by time, each with an event of the order's lifecycle, and the order itself was counted when it was placed.
 */
export const ORDER_STEP_PERMIT: MailPermit = PERMIT;

/**
 * For invitations from the waitlist. Staff say how many there are, each place gets one ever, and the worker sends them at a
 * pace of its own.
 */
export const INVITATION_PERMIT: MailPermit = PERMIT;
