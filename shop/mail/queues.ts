/**
 * The queue of the outbox. An email that cannot be delivered is tried again for about two days; one whose process died
 * while sending it is taken up again after half a minute.
 */
export const MAIL_QUEUE = "mail";

export const QUEUES = {
  [MAIL_QUEUE]: { retryLimit: 12, retryDelay: 15, retryBackoff: true, retryDelayMax: 21_600, expireInSeconds: 30 },
} as const;
