/** Reasons of what the shop or its staff do with an order, from fixed lists. */
const FRAUD = "We suspect fraud. If we’re wrong, please contact us.";

/** Reasons shown to the customer. A fixed list keeps free text about people out of orders and emails. */
export const LINE_REASONS = {
  "sold-out": "We don’t have it, and can’t say when we will.",
  damaged: "What we had of it was damaged.",
  asked: "You asked us to remove it.",
  late: "We couldn’t ship it by the day we promised.",
  unpaid: "Your bank declined the charge to your card, and we didn’t get another payment in time.",
  fraud: FRAUD,
} as const;
export type LineReason = keyof typeof LINE_REASONS;

/** Reasons for a delay, which the notice of an unknown day must name: 16 CFR 435.2(a)(3). */
export const DELAY_REASONS = {
  "not-ready": "It isn’t ready to leave our warehouse yet.",
  supplier: "Our supplier is late.",
  demand: "More people ordered it than we expected.",
  quality: "We found something to fix before it ships.",
  unpaid: "Its payment isn’t settled yet.",
} as const;
export type DelayReason = keyof typeof DELAY_REASONS;

/** Reasons for which the shop cancels an order by itself. */
export const CANCEL_REASONS = {
  unanswered: "We couldn’t ship it in time, and didn’t hear that you’d wait.",
  unpaid: LINE_REASONS.unpaid,
} as const;
export type CancelReason = keyof typeof CANCEL_REASONS;

export const DECLINE_REASONS = {
  "sold-out": "We don’t have what you ordered, and can’t say when we will.",
  address: "We can’t deliver to the address.",
  price: "A price was wrong on our side.",
  quantity: "It’s more than we sell to one household.",
  payment: "We couldn’t verify the payment.",
  fraud: FRAUD,
} as const;
export type DeclineReason = keyof typeof DECLINE_REASONS;

export const REFUND_REASONS = {
  damaged: "Something arrived damaged.",
  lost: "A package was lost.",
  missing: "Something was missing.",
  late: "It came later than we promised.",
  price: "A price was wrong on our side.",
  returned: "We’ve got your return.",
  difference: "What you exchanged it for costs less.",
  goodwill: "To make up for the trouble.",
} as const;
/** Words for a refund that staff have sent themselves. */
export const SENT = {
  "by-hand": "You get it back the same way you paid.",
  refused: "Your bank didn’t accept the refund, so we’ve sent it another way.",
  otherwise: "We’ve sent it another way than you paid.",
} as const;
export type Sent = keyof typeof SENT;
export const REFUND_NOT_BOTH = "Choose items or enter an amount, not both";
export type RefundReason = keyof typeof REFUND_REASONS;

/** Reasons for an order at no charge, for staff. */
export const GIFT_REASONS = {
  replacement: "Replaces something that went wrong",
  goodwill: "To make up for trouble",
  press: "For the press",
  gift: "A gift",
} as const;
export type GiftReason = keyof typeof GIFT_REASONS;

/** Reason of the refund that the customer's bank made with a dispute. */
export const DISPUTE = "dispute";

/** Reason of the refund that goes with canceled items. */
export const ITEMS_CANCELED = "items-canceled";

export const isReason = <List extends object>(list: List, word: unknown): word is keyof List & string =>
  typeof word === "string" && Object.hasOwn(list, word);
