/** What may be said of a payment. */
export const PAYMENT_STATES = ["opening", "open", "authorized", "captured", "failed", "closed", "mismatch"] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];
