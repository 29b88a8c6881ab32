/** The steps from coming in to ordering that are counted, in their order. */
export const COUNTED_STEPS = ["visit", "product-view", "cart", "checkout"] as const;
export type CountedStep = (typeof COUNTED_STEPS)[number];

/** The spans of time that numbers are shown for, in days. */
export const SPANS = [7, 28, 90, 365] as const;
export type Span = (typeof SPANS)[number];

/** From how many days is told when stock runs out. */
export const RATE_DAYS: Span = 28;

/** What campaigns are called that are too many to be told apart. */
export const OTHER_CAMPAIGNS = "(other)";
/** How many campaigns are told apart on one day. */
export const CAMPAIGNS_A_DAY = 30;
