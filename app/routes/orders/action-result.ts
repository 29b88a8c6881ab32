/** What may be done to an order on its page. */
export const ACTS = ["pay", "change", "cancel", "keep"] as const;
export type Act = (typeof ACTS)[number];

/** Acts that the page asks about first, also where a link of an email leads to the question. */
export const CONFIRMED = ["change", "cancel", "keep"] as const satisfies readonly Act[];
export type Confirmed = (typeof CONFIRMED)[number];

export type OrderActionResult = { message: string };

export const isConfirmed = (act: unknown): act is Confirmed => CONFIRMED.some((known) => known === act);
