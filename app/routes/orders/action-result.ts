export const ORDER_INTENTS = ["pay", "change", "cancel", "keep", "card"] as const;
export type OrderIntent = (typeof ORDER_INTENTS)[number];

/** Actions with a confirmation, which links of emails open too. */
const CONFIRMED = ["change", "cancel", "keep", "card"] as const satisfies readonly OrderIntent[];
export type Confirmed = (typeof CONFIRMED)[number];

export const isConfirmed = (intent: unknown): intent is Confirmed => CONFIRMED.some((known) => known === intent);

/** Action result shared by all forms of the page. */
export const ORDER_ANSWER = "order";

export const ORDER_FAILURE = { message: "Something went wrong. Your order hasn’t changed. Please try again." };
