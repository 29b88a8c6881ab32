/** Order actions, and why each is disabled. Derived from the state of the order and the transitions of the lifecycle. */
import { isReason } from "#shop/orders/reasons.ts";
import { writeOff } from "#shop/orders/actions/cancel.ts";
import { mayAnnounce } from "#shop/orders/actions/announce.ts";
import { dueItems, mayBePaid } from "#shop/orders/actions/money.ts";
import { correctTracking, parcelNews, receiveBack, sendAgain, undoShipment } from "#shop/orders/actions/parcels.ts";
import { whyNothingByCard, whyNotToShip } from "#shop/orders/actions/ship.ts";
import type { DecidedBy, Decision } from "#shop/orders/change.ts";
import { isAllowed, statusOf, type OrderEvent } from "#shop/orders/lifecycle.ts";
import {
  isToCancel,
  isWaiting,
  mayBeCanceled,
  mayShip,
  type OrderState,
  type ParcelStanding,
} from "#shop/orders/state.ts";
import { dayText } from "#shop/policy-text.ts";

export type Guarded = {
  state: OrderState;
  isAnonymous: boolean;
  hasProvider: boolean;
  /** YYYY-MM-DD in New York. */
  today: string;
};

const UNDER_WAY = "A shipment is waiting for payment. Wait for the payment provider to respond.";

const CARD_REFUSED =
  "The bank refused the charge. The customer has an email with a link to pay; then you can ship it again.";
export const NOT_ANNOUNCED =
  "The customer’s saved card is charged only as announced by email, three days before the promised day. To ship before, choose “Ship early”.";
export const announcedWords = (day: string): string =>
  `The customer was told of a charge on ${day}. It can ship on that day, or once they press “Ship it now”.`;
/** Reason, in words, that the kept card cannot be charged on a day. */
export function byCardWords({ state, today }: Pick<Guarded, "state" | "today">): string | null {
  const refusal = whyNothingByCard(state, { today });
  if (refusal?.reason === "announced") return announcedWords(dayText(refusal.day ?? ""));
  return refusal?.reason === "not-announced" ? NOT_ANNOUNCED : null;
}
export const OWN_GOES_BACK =
  "The customer’s own product goes back to them. It can be canceled only after its price was refunded.";
const hasNoCard = ({ state: { money } }: Guarded) => {
  if (money.isRefused) return CARD_REFUSED;
  return money.card && "The customer’s card is saved and charged when it ships.";
};

/** Why nothing of an order ships, as whyNotToShip says. */
export const SHIP_REFUSALS = {
  "on-hold": "This order is on hold. Release the hold first.",
  "under-way": UNDER_WAY,
  "nothing-left": "Everything in this order has shipped.",
  disputed: "The customer disputed this payment with their bank. Nothing ships until the dispute is closed.",
  mismatch: "This order was paid with another amount, so nothing ships. Compare the two in the provider’s dashboard.",
  "to-cancel": "What is left was refunded, so it does not ship. Cancel it.",
} as const;
const isShippable = ({ state }: Guarded) => {
  const why = whyNotToShip(state);
  return why && why.reason !== "status" ? SHIP_REFUSALS[why.reason] : null;
};

const byTable =
  (events: OrderEvent[], done: string) =>
  ({ state }: Guarded) => {
    const status = statusOf(state.stage);
    return events.some((event) => isAllowed(event, status)) ? null : `This order is ${status} and cannot be ${done}.`;
  };

const isUnderWay = ({ state: { packing } }: Guarded) => (packing ? UNDER_WAY : null);
const isDue = ({ state }: Guarded) => (mayBePaid(state) ? null : "This order is already authorized or paid.");
const isNotFree = ({ state }: Guarded) =>
  dueItems(state).length === 0 && state.money.paidCents === 0 ? "Nothing is charged for this order." : null;

export const SHIPMENT_REFUSALS = {
  "under-way": UNDER_WAY,
  "not-in-transit": "This shipment is not in transit.",
  refunded: "Money was refunded after this shipment, or items of it are in a return, so this cannot be done.",
  "not-refused": "This shipment is neither refused nor lost, or is already back.",
  "not-lost": "This shipment is neither lost nor back.",
  scanned: "The carrier has this shipment. Ask the carrier to send it back, and mark it as refused once it does.",
  "paid-for": "The items of this shipment were paid for. Refund them or send them again.",
} as const;
type ShipmentRefusal = keyof typeof SHIPMENT_REFUSALS;

export const SHIPMENT_ACTIONS = [
  "tracking",
  "undo-shipment",
  "refused",
  "lost",
  "arrived",
  "returned",
  "send-again",
  "write-off",
] as const;
export type ShipmentAction = (typeof SHIPMENT_ACTIONS)[number];

type Try = {
  decide(state: OrderState, parcelId: string): Decision;
  /** Why it cannot be done once more. */
  again: ShipmentRefusal;
};

/** Actor of a decision that is only tried: its change is not written. */
const NOBODY: DecidedBy = { at: new Date(0), today: "1970-01-01", by: "staff", shipBy: () => "", newId: () => "" };

const TRIES: Record<ShipmentAction, Try> = {
  tracking: {
    decide: (state, parcelId) => correctTracking(state, { parcelId, carrier: "", trackingNumber: "" }),
    again: "not-in-transit",
  },
  "undo-shipment": {
    decide: (state, parcelId) => undoShipment(state, { parcelId }, NOBODY),
    again: "not-in-transit",
  },
  refused: {
    decide: (state, parcelId) => parcelNews(state, { parcelId, state: "refused" }, NOBODY),
    again: "not-in-transit",
  },
  lost: {
    decide: (state, parcelId) => parcelNews(state, { parcelId, state: "lost" }, NOBODY),
    again: "not-in-transit",
  },
  arrived: {
    decide: (state, parcelId) => parcelNews(state, { parcelId, state: "delivered" }, NOBODY),
    again: "not-in-transit",
  },
  returned: {
    decide: (state, parcelId) => receiveBack(state, { parcelId, restocks: false }, NOBODY),
    again: "not-refused",
  },
  "send-again": {
    decide: (state, parcelId) => sendAgain(state, { parcelId, shipBy: "" }, NOBODY),
    again: "not-lost",
  },
  "write-off": {
    decide: (state, parcelId) => writeOff(state, { parcelId, reason: "sold-out" }, NOBODY),
    again: "not-lost",
  },
};

/** Reason that an action on a parcel would be refused. Null if it is allowed. */
export function shipmentRefusal(
  act: ShipmentAction,
  state: OrderState,
  { id }: Pick<ParcelStanding, "id">,
): ShipmentRefusal | null {
  const { decide, again } = TRIES[act];
  const decision = decide(state, id);
  if (!decision.ok) {
    if (!isReason(SHIPMENT_REFUSALS, decision.reason)) throw new Error(`'${decision.reason}' has no words`);
    return decision.reason;
  }
  return Object.keys(decision.change).length > 0 ? null : again;
}

/** True if the order has shipped and no unit of it is left to ship. */
const isAllShipped = ({ stage, units }: OrderState): boolean =>
  isAllowed("parcel-shipped", statusOf(stage)) && !units.some(isWaiting);

type Guard = (order: Guarded) => string | null;

const hasUnitsLeft: Guard = ({ state }) => (isAllShipped(state) ? SHIP_REFUSALS["nothing-left"] : null);
const hasUnitsToShip: Guard = ({ state: { units } }) =>
  units.some(isToCancel) && !units.some(mayShip) ? SHIP_REFUSALS["to-cancel"] : null;

/** Allows what at least one parcel allows. */
const hasShipmentFor =
  (act: ShipmentAction): Guard =>
  ({ state }) => {
    const left = state.parcels.filter((parcel) => parcel.state !== "failed");
    const refusals = left.map((parcel) => shipmentRefusal(act, state, parcel));
    const [refusal = null] = refusals;
    if (refusals.length === 0) return "Nothing has shipped yet.";
    return refusal === null || refusals.includes(null) ? null : SHIPMENT_REFUSALS[refusal];
  };

/** Something of it may ship, or be put on hold. */
const UNSENT: Guard[] = [byTable(["shipped", "parcel-shipped"], "put on hold"), hasUnitsLeft, isUnderWay];

const SHIP: Guard[] = [
  byTable(["shipped", "parcel-shipped"], "shipped"),
  isShippable,
  ({ state }) => (state.money.isRefused ? CARD_REFUSED : null),
  byCardWords,
  ({ state }) => {
    if (!mayBePaid(state)) return null;
    return state.money.wasHeld
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
    ({ state }) => (isAllShipped(state) ? null : "Some items have not shipped. Ship or cancel them first."),
    ({ state: { parcels } }) =>
      parcels.some(({ state }) => state === "shipped")
        ? null
        : "The carrier refused or lost everything. Refund it or send it again.",
  ],
  tracking: [hasShipmentFor("tracking")],
  "undo-shipment": [hasShipmentFor("undo-shipment")],
  refused: [byTable(["parcel-refused"], "refused"), hasShipmentFor("refused")],
  lost: [byTable(["parcel-lost"], "lost"), hasShipmentFor("lost")],
  arrived: [hasShipmentFor("arrived")],
  returned: [hasShipmentFor("returned")],
  "send-again": [byTable(["parcel-resent"], "sent again"), hasShipmentFor("send-again")],
  "write-off": [hasShipmentFor("write-off")],
  hold: [...UNSENT, ({ state }) => (state.facts.order.onHoldSince ? "This order is already on hold." : null)],
  unhold: [({ state }) => (state.facts.order.onHoldSince ? null : "This order is not on hold.")],
  announce: [
    byTable(["charge-announced"], "announced"),
    ({ state }) => (mayAnnounce(state) ? null : "No charge of this order is left to announce."),
    ({ state }) => (state.facts.order.onHoldSince ? "This order is on hold. Release the hold first." : null),
    isUnderWay,
  ],
  delay: [byTable(["delayed"], "delayed"), hasUnitsLeft, hasUnitsToShip, isUnderWay],
  "cancel-line": [
    byTable(["line-canceled"], "changed"),
    hasUnitsLeft,
    isUnderWay,
    ({ state: { units } }) => (units.some(mayBeCanceled) ? null : OWN_GOES_BACK),
    ({ state: { stage, units } }) =>
      isAllowed("canceled", statusOf(stage)) && units.filter(isWaiting).length === 1
        ? "Only one item is left. Cancel the whole order."
        : null,
  ],
  cancel: [byTable(["canceled"], "canceled"), isUnderWay],
  decline: [
    byTable(["declined"], "declined"),
    isUnderWay,
    ({ state }) =>
      state.facts.order.acceptedAt ? "This order was accepted when it first shipped. Cancel it instead." : null,
  ],
  refund: [
    ({ state: { money } }) => (money.paidCents > 0 ? null : "Nothing has been charged."),
    ({ state: { money } }) =>
      money.isDisputed
        ? "The customer disputed this payment with their bank. Refunds are blocked until the dispute is closed."
        : null,
    ({ state: { money } }) => (money.leftCents > 0 ? null : "Fully refunded."),
  ],
  "ask-payment": [
    byTable(["payment-requested"], "charged again"),
    ({ hasProvider }) => (hasProvider ? null : "No payment provider is set up."),
    isUnderWay,
    hasNoCard,
    isNotFree,
    isDue,
  ],
  "record-payment": [byTable(["payment-recorded"], "paid"), isUnderWay, hasNoCard, isNotFree, isDue],
  reconcile: [
    ({ hasProvider }) => (hasProvider ? null : "No payment provider is set up."),
    ({ state: { facts } }) =>
      facts.payments.some(({ kind }) => kind !== "arranged") ? null : "This order has no payment at the provider.",
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
  if (whyNot("unhold", order) === null && UNSENT.every((guard) => guard(order) === null)) return "unhold";
  const wanted: OrderAction[] = ["ship", "ask-payment", "record-payment", "deliver"];
  return wanted.find((act) => whyNot(act, order) === null) ?? null;
}
