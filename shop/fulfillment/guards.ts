/** What can be done to an order now, and why something cannot: said from the table of its events, for whoever looks at it. */
import { isAllowed, type OrderEvent, type OrderStatus } from "../orders/lifecycle.ts";
import type { PaymentState } from "../payments/payment.ts";

export type Guarded = {
  status: OrderStatus;
  isOnHold: boolean;
  /** Nothing of its customer is left. */
  isAnonymous: boolean;
  hasProvider: boolean;
  lines: { unitsLeft: number }[];
  shipments: { state: string }[];
  payments: { state: PaymentState; capturedCents: number; refundedCents: number; disputedUntil: Date | null }[];
};

export const DESK_ACTS = [
  "ship",
  "deliver",
  "hold",
  "unhold",
  "delay",
  "cancel-line",
  "cancel",
  "decline",
  "refund",
  "ask-payment",
  "settle",
  "address",
  "email",
] as const;
export type DeskAct = (typeof DESK_ACTS)[number];

const UNDER_WAY = "A parcel waits for its money. Wait for the provider's answer.";

/** What an event of the table lets happen, in words; an act may stand for one of several. */
const byTable =
  (events: OrderEvent[], done: string) =>
  ({ status }: Guarded) =>
    events.some((event) => isAllowed(event, status)) ? null : `It is ${status}, so it cannot be ${done}.`;

const isUnderWay = ({ shipments }: Guarded) =>
  shipments.some(({ state }) => state === "capturing") ? UNDER_WAY : null;
const hasMoney = ({ payments }: Guarded) =>
  payments.some(({ state }) => state === "authorized" || state === "captured");

type Guard = (order: Guarded) => string | null;
const GUARDS: Record<DeskAct, Guard[]> = {
  ship: [
    byTable(["shipped", "parcel-shipped"], "shipped"),
    ({ isOnHold }) => (isOnHold ? "It is on hold. Take it off hold first." : null),
    isUnderWay,
    ({ lines }) => (lines.some(({ unitsLeft }) => unitsLeft > 0) ? null : "Nothing of it is left to ship."),
    (order) =>
      order.status === "processing" && order.payments.length > 0 && !hasMoney(order)
        ? "Its payment cannot be charged. Ask for payment first."
        : null,
  ],
  deliver: [byTable(["delivered"], "delivered")],
  hold: [byTable(["shipped"], "put on hold"), ({ isOnHold }) => (isOnHold ? "It is on hold." : null), isUnderWay],
  unhold: [({ isOnHold }) => (isOnHold ? null : "It is not on hold.")],
  delay: [byTable(["delayed"], "promised for a later day"), isUnderWay],
  "cancel-line": [
    byTable(["line-canceled"], "changed"),
    isUnderWay,
    ({ lines }) =>
      lines.reduce((sum, { unitsLeft }) => sum + unitsLeft, 0) > 1
        ? null
        : "It has one unit. Cancel or decline it whole.",
  ],
  cancel: [byTable(["canceled"], "canceled"), isUnderWay],
  decline: [byTable(["declined"], "declined"), isUnderWay],
  refund: [
    ({ payments }) => (payments.some(({ capturedCents }) => capturedCents > 0) ? null : "Nothing was charged for it."),
    ({ payments }) =>
      payments.some(({ disputedUntil }) => disputedUntil)
        ? "Its customer disputes the payment with the bank: nothing is refunded until that is decided."
        : null,
    ({ payments }) =>
      payments.some(({ capturedCents, refundedCents }) => capturedCents > refundedCents)
        ? null
        : "All of it is refunded.",
  ],
  "ask-payment": [
    byTable(["payment-requested"], "asked to be paid"),
    ({ hasProvider }) => (hasProvider ? null : "The shop takes no payments."),
    isUnderWay,
    (order) => (hasMoney(order) ? "It is paid: the money is reserved or charged." : null),
  ],
  settle: [
    ({ hasProvider }) => (hasProvider ? null : "The shop takes no payments."),
    ({ payments }) => (payments.length > 0 ? null : "It has no payment."),
  ],
  address: [byTable(["canceled"], "sent elsewhere"), isUnderWay],
  email: [],
};

/** Why an act is off, in a sentence. Null where it can be done. */
export function whyNot(act: DeskAct, order: Guarded): string | null {
  if (order.isAnonymous && (act === "email" || act === "address")) return "Its customer has deleted the account.";
  for (const guard of GUARDS[act]) {
    const reason = guard(order);
    if (reason) return reason;
  }
  return null;
}

/** The one act that an order waits for. Null where it waits for nothing. */
export function nextAct(order: Guarded): DeskAct | null {
  if (order.isOnHold && order.status === "processing") return "unhold";
  const wanted: DeskAct[] = ["ship", "ask-payment", "deliver"];
  return wanted.find((act) => whyNot(act, order) === null) ?? null;
}
