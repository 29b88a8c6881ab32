/**
 * The outbox queues. A letter that cannot be delivered is tried again for about two days; one whose
 * process died while sending it is taken up again after half a minute.
 */
export const MAIL_QUEUE = "mail";

export const QUEUES = {
  [MAIL_QUEUE]: { retryLimit: 12, retryDelay: 15, retryBackoff: true, retryDelayMax: 21_600, expireInSeconds: 30 },
} as const;

/** What the owner of an account is told of. */
export type AccountChange = "password" | "second-factor-on" | "second-factor-off" | "new-device";

/** What stands in the outbox: which letter, about what. */
export type MailJob =
  | { letter: "order-confirmation"; orderId: string }
  | { letter: "contact-message" | "contact-receipt"; messageId: string }
  | { letter: "verify-email"; userId: string }
  | { letter: "account-changed"; userId: string; change: AccountChange }
  /** Queued for every address that asks, so that the answer tells nobody which ones have an account. */
  | { letter: "reset-password"; email: string }
  /** Carries the address, because nothing else remembers it. */
  | { letter: "account-deleted"; email: string };
