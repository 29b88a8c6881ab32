/**
 * Every email is counted before it is queued, and nothing forgives it. The outbox takes no job without the permit that
 * only counting gives, so that no path can forget.
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
      /** The recipient has had enough; telling so could tell a stranger what else was sent there. */
      isInboxFull: boolean;
    };

/** Counts an email to `to`, caused by somebody at `network`: the permit to queue it, or how long to wait. */
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

/** Gives back what an email has cost that came to be none. One that was queued is never given back. */
export const refundMail = (rateLimits: RateLimits, caused: { to: string; network: string }): Promise<void> =>
  rateLimits.refund(mailLimits(caused));

/**
 * One use of limits that count an email's recipient and network themselves, as those of an order do, and the permit for
 * that email: the statement that queues it must count the use and do nothing where it is refused. An order is never
 * refused because the shop has sent too many emails.
 */
export const consumptionWithMail = (
  rateLimits: RateLimits,
  limits: RateLimit[],
): Consumption & { permit: MailPermit } => ({ ...rateLimits.consumption(limits), permit: PERMIT });
