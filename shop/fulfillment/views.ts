/** Order views: tabs of the order list and sections of the back office's first page. */
import { firstOf, type Attention } from "#shop/orders/lifecycle.ts";

/** Orders whose payment expires within these hours come first. */
export const CAPTURE_HOURS = 48;

/** Days of a week from today, itself included. */
export const WEEK_DAYS = 7;

/** Views by urgency; in each the order that must ship first comes first. Conditions are in order-list.server.ts. */
export const VIEWS = {
  late: { title: "Late" },
  today: { title: "Today" },
  tomorrow: { title: "Tomorrow" },
  week: { title: "This week" },
  later: { title: "Later" },
  parcels: { title: "Returned or lost" },
  problems: { title: "Payment issues" },
  arrange: { title: "Arrange payment" },
  "refund-due": { title: "Refunds to send" },
  expiring: { title: "Expires before shipping" },
  "to-ship": { title: "To ship" },
  rest: { title: "Partially shipped" },
  hold: { title: "On hold" },
} as const;

export type ViewName = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

/** Unshipped orders by their day to ship; one whose payment expires is in 'today'. Each is in one of them. */
export const DAY_VIEWS = ["late", "today", "tomorrow", "week", "later"] as const satisfies ViewName[];

/** Views also of orders that have shipped, which have no day to ship. */
const SENT_VIEWS: ViewName[] = ["problems", "parcels", "refund-due"];
export const isByDay = (view: ViewName | undefined): boolean => view !== undefined && !SENT_VIEWS.includes(view);

type Listed = { attention: readonly Attention[]; onHoldSince: Date | null };

/** True if staff must arrange the payment of an order placed without one, and not on hold: the view 'arrange'. */
export const mustArrange = (order: Listed): boolean =>
  firstOf(order, ["arrange"]) !== undefined && order.onHoldSince === null;
