/** What needs a hand, by the statuses that say so: the same lists in the back office, on its first page and in `npm run order`. */
import { ORDER_STATUSES, PAYMENT_STATUSES, type OrderStatus, type PaymentStatus } from "../orders/lifecycle.ts";

/** How long before a payment can no longer be charged it comes first. */
export const CAPTURE_HOURS = 48;

type Is = (status: OrderStatus, payment: PaymentStatus) => boolean;
type View = {
  title: string;
  /** Which orders, by their statuses alone. */
  is: Is;
  /** What else they are. */
  also?: "soon" | "hold" | "not-hold" | "rest";
};

const isTrouble = (payment: PaymentStatus) => payment === "mismatch" || payment === "disputed";
const hasNoMoney = (payment: PaymentStatus) => payment === "unpaid" || payment === "failed";
const isShippable: Is = (status, payment) => status === "processing" && !isTrouble(payment) && !hasNoMoney(payment);

/** The most urgent first; within each, the oldest first. */
export const VIEWS = {
  soon: { title: "Ship soon", is: isShippable, also: "soon" },
  problems: {
    title: "Payment problems",
    is: (status, payment) => isTrouble(payment) || (status === "processing" && hasNoMoney(payment)),
  },
  "to-ship": { title: "To ship", is: isShippable, also: "not-hold" },
  rest: { title: "The rest to ship", is: (status) => status === "shipped", also: "rest" },
  hold: { title: "On hold", is: (status) => status === "processing", also: "hold" },
} as const satisfies Record<string, View>;

export type ViewName = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

export const viewOf = (name: ViewName): View => VIEWS[name];

/** Whether an order's payments need a person. */
export const isPaymentProblem: Is = (status, payment) => VIEWS.problems.is(status, payment);

/** Every pair of an order's status and its payments' that is so. */
export const statusPairs = (is: Is): { status: OrderStatus; payment: PaymentStatus }[] =>
  ORDER_STATUSES.flatMap((status) =>
    PAYMENT_STATUSES.filter((payment) => is(status, payment)).map((payment) => ({ status, payment })),
  );
