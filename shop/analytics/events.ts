/** Funnel events from visit to checkout, in order. */
const FUNNEL_EVENTS = ["visit", "product-view", "cart", "checkout"] as const;
export type FunnelEvent = (typeof FUNNEL_EVENTS)[number];

/** The last one is an order that a limit refused. */
export const COUNTED_EVENTS = [...FUNNEL_EVENTS, "order-refused"] as const;
export type CountedEvent = (typeof COUNTED_EVENTS)[number];

/** Periods of the analytics screen, in days. */
export const SPANS = [7, 28, 90, 365] as const;
export type Span = (typeof SPANS)[number];

/** Days whose sales rate forecasts the sell-out. */
export const RATE_DAYS: Span = 28;

/** A product that sells out within so many days at that rate is low in stock. */
export const SOON_OUT_DAYS = 14;
