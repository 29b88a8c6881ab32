/**
 * Why staff changed an order, as its customer reads it. Reasons are of a list, so that no record of an order holds free
 * text about a person, and every email was read before it is sent.
 */
export const LINE_REASONS = {
  "sold-out": "We do not have it, and cannot say when we will.",
  damaged: "What we had of it was damaged.",
  asked: "You asked us to.",
} as const;
export type LineReason = keyof typeof LINE_REASONS;

export const DECLINE_REASONS = {
  "sold-out": "We do not have what you ordered, and cannot say when we will.",
  address: "We cannot deliver to the address.",
  price: "A price was wrong on our side.",
  quantity: "It is more than we sell to one household.",
  payment: "We could not verify the payment.",
} as const;
export type DeclineReason = keyof typeof DECLINE_REASONS;

export const REFUND_REASONS = {
  damaged: "Something arrived damaged.",
  lost: "A package was lost.",
  missing: "Something was missing.",
  late: "It came later than we promised.",
  price: "A price was wrong on our side.",
  returned: "We have your return.",
  goodwill: "To make up for the trouble.",
} as const;
export type RefundReason = keyof typeof REFUND_REASONS;

/** Whether a word is one of a list of reasons. */
export const isReason = <List extends object>(list: List, word: string | undefined): word is keyof List & string =>
  word !== undefined && Object.hasOwn(list, word);
