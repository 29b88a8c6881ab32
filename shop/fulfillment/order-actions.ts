/** Order actions, and why each is disabled. Derived from the transitions of the lifecycle. */
import { isAllowed, type OrderEvent, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { dayText } from "#shop/policy-text.ts";
import type { PaymentSource, PaymentState } from "#shop/payments/payment.tables.ts";
import type { ShipmentState } from "./shipment.ts";

export type Guarded = {
  status: OrderStatus;
  isOnHold: boolean;
  isAnonymous: boolean;
  /** It has shipped once, and the customer was told. */
  isAccepted: boolean;
  hasProvider: boolean;
  /** Card for the charges of its parcels: kept, or refused by its bank. Null if there is none. */
  card: "kept" | "refused" | null;
  /** Reason that nothing of what waits can be charged on the kept card now. */
  whyNotByCard: { reason: string; day?: string } | null;
  /** The charge of something that waits on the kept card can be announced. */
  mayAnnounce: boolean;
  lines: { unitsLeft: number }[];
  /** `wasRefunded`: its money was refunded since it shipped, or items of it are in a return. */
  shipments: { state: ShipmentState; wasRefunded: boolean; returnedAt: Date | null; resentAt: Date | null }[];
  /** Amount that shipping the whole order charges. */
  chargedCents: number;
  payments: {
    provider: PaymentSource;
    state: PaymentState;
    capturedCents: number;
    refundedCents: number;
    disputedUntil: Date | null;
  }[];
};

const UNDER_WAY = "A shipment is waiting for payment. Wait for the payment provider to respond.";

const CARD_REFUSED =
  "The bank refused the charge. The customer has an email with a link to pay; then you can ship it again.";
export const NOT_ANNOUNCED =
  "The customer’s saved card is charged only as announced by email, three days before the promised day. To ship before, choose “Ship early”.";
export const announcedWords = (day: string): string =>
  `The customer was told of a charge on ${day}. It can ship on that day, or once they press “Ship it now”.`;
/** Reason, in words, that the kept card cannot be charged yet. */
export const byCardWords = ({ whyNotByCard }: Pick<Guarded, "whyNotByCard">) => {
  if (whyNotByCard?.reason === "announced") return announcedWords(dayText(whyNotByCard.day ?? ""));
  return whyNotByCard?.reason === "not-announced" ? NOT_ANNOUNCED : null;
};
const hasNoCard = ({ card }: Guarded) => {
  if (card === "refused") return CARD_REFUSED;
  return card && "The customer’s card is saved and charged when it ships.";
};

const byTable =
  (events: OrderEvent[], done: string) =>
  ({ status }: Guarded) =>
    events.some((event) => isAllowed(event, status)) ? null : `This order is ${status} and cannot be ${done}.`;

const isUnderWay = ({ shipments }: Guarded) => (shipments.some(({ state }) => state === "packing") ? UNDER_WAY : null);
const hasMoney = ({ payments }: Guarded) =>
  payments.some(({ state }) => state === "authorized" || state === "captured");
const isPaid = (order: Guarded) => (hasMoney(order) ? "This order is already authorized or paid." : null);

export const SHIPMENT_REFUSALS = {
  "under-way": UNDER_WAY,
  "not-in-transit": "This shipment is not in transit.",
  refunded: "Money was refunded after this shipment, or items of it are in a return, so this cannot be done.",
  "not-refused": "This shipment was not refused, or is already back.",
  "not-lost": "This shipment is neither lost nor back.",
} as const;

export const SHIPMENT_ACTIONS = ["tracking", "undo-shipment", "refused", "lost", "returned", "send-again"] as const;
export type ShipmentAction = (typeof SHIPMENT_ACTIONS)[number];

/** Reason that an action on a shipment is refused. Null if it is allowed. */
export function shipmentRefusal(
  act: ShipmentAction,
  { state, wasRefunded, returnedAt, resentAt }: Guarded["shipments"][number],
): keyof typeof SHIPMENT_REFUSALS | null {
  if (state === "packing") return "under-way";
  if (act === "returned") return state === "refused" && !returnedAt ? null : "not-refused";
  if (act === "send-again") {
    if (resentAt || !(state === "lost" || returnedAt)) return "not-lost";
    return wasRefunded ? "refunded" : null;
  }
  if (state !== "shipped") return "not-in-transit";
  return act === "undo-shipment" && wasRefunded ? "refunded" : null;
}

/** False if all parcels of the order were refused or lost. */
export const isArriving = ({ shipments }: { shipments: { state: ShipmentState }[] }): boolean =>
  !shipments.some(({ state }) => state === "refused" || state === "lost") ||
  shipments.some(({ state }) => state === "shipped" || state === "delivered");

/** True if the order has shipped and no unit of it is left to ship. */
export const isAllShipped = ({ status, lines }: Pick<Guarded, "status" | "lines">): boolean =>
  isAllowed("parcel-shipped", status) && lines.every(({ unitsLeft }) => unitsLeft === 0);

type Guard = (order: Guarded) => string | null;

const hasUnitsLeft: Guard = (order) => (isAllShipped(order) ? "Everything in this order has shipped." : null);

/** Allows what at least one shipment allows. */
const hasShipmentFor =
  (act: ShipmentAction): Guard =>
  ({ shipments }) => {
    const refusals = shipments.filter(({ state }) => state !== "failed").map((each) => shipmentRefusal(act, each));
    const [refusal = null] = refusals;
    if (refusals.length === 0) return "Nothing has shipped yet.";
    return refusal === null || refusals.includes(null) ? null : SHIPMENT_REFUSALS[refusal];
  };

const SHIP: Guard[] = [
  byTable(["shipped", "parcel-shipped"], "shipped"),
  ({ isOnHold }) => (isOnHold ? "This order is on hold. Release the hold first." : null),
  isUnderWay,
  hasUnitsLeft,
  ({ card }) => (card === "refused" ? CARD_REFUSED : null),
  byCardWords,
  (order) => {
    if (order.status !== "processing" || order.chargedCents === 0 || hasMoney(order) || order.card) return null;
    return order.payments.length > 0
      ? "The payment cannot be charged. Request payment first."
      : "The payment is not arranged yet. Record it first.";
  },
];

const GUARDS = {
  ship: SHIP,
  rates: SHIP,
  "buy-label": SHIP,
  deliver: [
    byTable(["delivered"], "delivered"),
    (order) => (isAllShipped(order) ? null : "Some items have not shipped. Ship or cancel them first."),
    (order) => (isArriving(order) ? null : "The carrier refused or lost everything. Refund it or send it again."),
  ],
  tracking: [hasShipmentFor("tracking")],
  "undo-shipment": [hasShipmentFor("undo-shipment")],
  refused: [byTable(["parcel-refused"], "refused"), hasShipmentFor("refused")],
  lost: [byTable(["parcel-lost"], "lost"), hasShipmentFor("lost")],
  returned: [hasShipmentFor("returned")],
  "send-again": [byTable(["parcel-resent"], "sent again"), hasShipmentFor("send-again")],
  hold: [
    byTable(["shipped", "parcel-shipped"], "put on hold"),
    hasUnitsLeft,
    ({ isOnHold }) => (isOnHold ? "This order is already on hold." : null),
    isUnderWay,
  ],
  unhold: [({ isOnHold }) => (isOnHold ? null : "This order is not on hold.")],
  announce: [
    byTable(["charge-announced"], "announced"),
    ({ mayAnnounce }) => (mayAnnounce ? null : "No charge of this order is left to announce."),
    ({ isOnHold }) => (isOnHold ? "This order is on hold. Release the hold first." : null),
    isUnderWay,
  ],
  delay: [byTable(["delayed"], "delayed"), hasUnitsLeft, isUnderWay],
  "cancel-line": [
    byTable(["line-canceled"], "changed"),
    hasUnitsLeft,
    isUnderWay,
    ({ status, lines }) =>
      isAllowed("canceled", status) && lines.reduce((sum, { unitsLeft }) => sum + unitsLeft, 0) === 1
        ? "Only one item is left. Cancel the whole order."
        : null,
  ],
  cancel: [byTable(["canceled"], "canceled"), isUnderWay],
  decline: [
    byTable(["declined"], "declined"),
    isUnderWay,
    ({ isAccepted }) => (isAccepted ? "This order was accepted when it first shipped. Cancel it instead." : null),
  ],
  refund: [
    ({ payments }) => (payments.some(({ capturedCents }) => capturedCents > 0) ? null : "Nothing has been charged."),
    ({ payments }) =>
      payments.some(({ disputedUntil }) => disputedUntil)
        ? "The customer disputed this payment with their bank. Refunds are blocked until the dispute is closed."
        : null,
    ({ payments }) =>
      payments.some(({ capturedCents, refundedCents }) => capturedCents > refundedCents) ? null : "Fully refunded.",
  ],
  "ask-payment": [
    byTable(["payment-requested"], "charged again"),
    ({ hasProvider }) => (hasProvider ? null : "No payment provider is set up."),
    isUnderWay,
    isPaid,
    hasNoCard,
  ],
  "record-payment": [
    byTable(["payment-recorded"], "paid"),
    isUnderWay,
    isPaid,
    hasNoCard,
    ({ chargedCents }) => (chargedCents === 0 ? "Nothing is charged for this order." : null),
  ],
  reconcile: [
    ({ hasProvider }) => (hasProvider ? null : "No payment provider is set up."),
    ({ payments }) =>
      payments.some(({ provider }) => provider !== "manual") ? null : "This order has no payment at the provider.",
  ],
  address: [byTable(["canceled", "parcel-shipped"], "redirected"), hasUnitsLeft, isUnderWay],
  email: [],
} satisfies Record<string, Guard[]>;

export type OrderAction = keyof typeof GUARDS;
export const ORDER_ACTIONS = Object.keys(GUARDS) as OrderAction[];

/** Reason that an action is disabled. Null if it is allowed. */
export function whyNot(act: OrderAction, order: Guarded): string | null {
  if (order.isAnonymous && (act === "email" || act === "address"))
    return "The customer’s name and address were erased.";
  for (const guard of GUARDS[act]) {
    const reason = guard(order);
    if (reason) return reason;
  }
  return null;
}

/** Suggested next action. Null if there is none. */
export function nextAction(order: Guarded): OrderAction | null {
  if (order.isOnHold && whyNot("hold", { ...order, isOnHold: false }) === null) return "unhold";
  const wanted: OrderAction[] = ["ship", "ask-payment", "record-payment", "deliver"];
  return wanted.find((act) => whyNot(act, order) === null) ?? null;
}

const FRAUD = "We suspect fraud. If we’re wrong, please write to us.";

/** Reasons shown to the customer. A fixed list keeps free text about people out of orders and emails. */
export const LINE_REASONS = {
  "sold-out": "We don’t have it, and can’t say when we will.",
  damaged: "What we had of it was damaged.",
  asked: "You asked us to remove it.",
  late: "We couldn’t ship it by the day we promised.",
  unpaid: "Your bank didn’t let us charge your card, and we didn’t get another payment in time.",
  fraud: FRAUD,
} as const;
export type LineReason = keyof typeof LINE_REASONS;

/** Reasons for a delay, which the notice of an unknown day must name: 16 CFR 435.2(a)(3). */
export const DELAY_REASONS = {
  "not-ready": "It isn’t ready to leave our warehouse yet.",
  supplier: "Our supplier is late.",
  demand: "More people ordered it than we planned for.",
  quality: "We found something to put right before it ships.",
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
/** Words for a failed refund that staff have paid back in another way. */
export const SENT_BY_HAND = "Your bank didn’t accept the refund, so we’ve sent it another way.";
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

/** Reason of the refund that goes with canceled items. */
export const ITEMS_CANCELED = "items-canceled";

export const isReason = <List extends object>(list: List, word: unknown): word is keyof List & string =>
  typeof word === "string" && Object.hasOwn(list, word);
