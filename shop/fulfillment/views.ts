/** Order views: tabs of the order list and sections of the back office's first page. */
import type { PaymentStatus, Stage } from "#shop/orders/lifecycle.ts";
import { isUnsent } from "#shop/orders/order.ts";

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

type Problematic = { stage: Stage; paymentStatus: PaymentStatus };

/** True if an order's payments need staff: the view 'problems'. */
export const isPaymentProblem = ({ stage, paymentStatus }: Problematic): boolean =>
  paymentStatus === "mismatch" ||
  paymentStatus === "disputed" ||
  paymentStatus === "refund-failed" ||
  (stage === "to-ship" && paymentStatus === "unpaid") ||
  (paymentStatus === "failed" && isUnsent({ stage }));

type WithoutPayment = Problematic & { totalCents: number; onHoldSince: Date | null };

/** True if staff must arrange the payment of an order placed without one, and not on hold: the view 'arrange'. */
export const mustArrange = ({ stage, paymentStatus, totalCents, onHoldSince }: WithoutPayment): boolean =>
  stage === "to-ship" && paymentStatus === "none" && totalCents > 0 && onHoldSince === null;
