/** For tests and measurements of what an email or an order is about, not of how many there are. */
import type { MailPermit } from "#shop/mail/enqueue-email.server.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";

export const anyPermit = {} as MailPermit;

/** Limits that count nothing. */
export const uncounted: RateLimits = {
  consume: () => Promise.resolve(null),
  refund: () => Promise.resolve(),
  keyOf: () => "a key",
};
