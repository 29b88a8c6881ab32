export const ORDER_INTENTS = ["pay", "change", "cancel", "keep", "card", "ship-now", "address"] as const;
export type OrderIntent = (typeof ORDER_INTENTS)[number];

/** Actions with a confirmation or a form, which links of emails open too. */
const OPENED = ["change", "cancel", "keep", "card", "ship-now", "address"] as const satisfies readonly OrderIntent[];
export type Opened = (typeof OPENED)[number];
export type Confirmed = Exclude<Opened, "address">;

export const isOpened = (intent: unknown): intent is Opened => OPENED.some((known) => known === intent);

/** Sales tax that a new address must be confirmed with, in cents. */
export type AddressAnswer = { taxCents: number };

/** Action result shared by all forms of the page. */
export const ORDER_ANSWER = "order";

export const ORDER_FAILURE = { message: "Something went wrong. Your order hasn’t changed. Please try again." };
