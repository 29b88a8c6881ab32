/** Statuses and events of an order. Checks and a trigger enforce the same rules in the database. */
export const ORDER_STATUSES = [
  "unpaid",
  "processing",
  "shipped",
  "delivered",
  "canceled",
  "declined",
  "expired",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Progress of an order, for lists. The statuses are the words for it. */
export const STAGES = [
  "unpaid",
  "to-ship",
  "partly-shipped",
  "shipped",
  "delivered",
  "canceled",
  "declined",
  "expired",
] as const;
export type Stage = (typeof STAGES)[number];

const STATUS_OF: Partial<Record<Stage, OrderStatus>> = { "to-ship": "processing", "partly-shipped": "shipped" };

/** The word for a stage that customers and staff read; as the column of orders that is generated from it. */
export const statusOf = (stage: Stage): OrderStatus => STATUS_OF[stage] ?? (stage as OrderStatus);

/**
 * Summary of an order's payments. `unpaid`: nothing was authorized, or the authorization was voided. `refund-failed`: a
 * failed refund is not resolved yet. `card-saved`: a card is kept, and nothing was charged yet; `partly-charged`: it is
 * kept for the parcels that are still to ship.
 */
export const PAYMENT_STATUSES = [
  "none",
  "unpaid",
  "card-saved",
  "authorized",
  "partly-charged",
  "captured",
  "partly-refunded",
  "refunded",
  "failed",
  "refund-failed",
  "mismatch",
  "disputed",
  "dispute-lost",
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * Facts of an order that need a person: a set, so that one never hides another. `pay-again`: what was held for it
 * is void; `to-cancel`: what has not left was refunded, and does not ship; `arrange`: staff agree with the buyer on how to pay; `refund-owed`: promised, and left to staff; `expiring`: its
 * authorization ends before the promised day of what the shop cannot ship before.
 */
export const ATTENTION = [
  "disputed",
  "mismatch",
  "refund-failed",
  "card-refused",
  "pay-again",
  "to-cancel",
  "arrange",
  "refund-owed",
  "parcel-lost",
  "parcel-refused",
  "parcel-returned",
  "expiring",
] as const;
export type Attention = (typeof ATTENTION)[number];

/** Payments that staff look into. */
export const PAYMENT_PROBLEMS = [
  "disputed",
  "mismatch",
  "refund-failed",
  "card-refused",
  "pay-again",
  "to-cancel",
] as const satisfies Attention[];

/** Without its money nothing ships. */
export const UNPAID = ["card-refused", "pay-again", "arrange"] as const satisfies Attention[];

/** The provider or the buyer's bank looks into the payment. */
export const IN_QUESTION = ["disputed", "mismatch"] as const satisfies Attention[];

/** Staff look at it before anything ships. */
export const NOT_TO_SHIP = [...UNPAID, ...IN_QUESTION, "to-cancel"] as const satisfies Attention[];

/** Parcels that did not arrive, of which staff decide what follows. */
export const ASTRAY = ["parcel-lost", "parcel-refused", "parcel-returned"] as const satisfies Attention[];

/** The first of some facts that an order has. */
export const firstOf = <Word extends Attention>(
  { attention }: { attention: readonly Attention[] },
  words: readonly Word[],
): Word | undefined => words.find((word) => attention.includes(word));

/** `provider` is the payment provider, `system` the shop itself. */
export const ORDER_ACTORS = ["customer", "guest", "staff", "provider", "carrier", "system"] as const;
export type OrderActor = (typeof ORDER_ACTORS)[number];

/**
 * Events that change the status. `from` is null for those that create the order, as unpaid with a reservation if it
 * must be paid.
 */
export const ORDER_TRANSITIONS = [
  { event: "placed", from: null, to: "processing", by: ["customer", "guest", "staff"] },
  { event: "held", from: null, to: "unpaid", by: ["customer", "guest", "staff"] },
  { event: "authorized", from: "unpaid", to: "processing", by: ["provider"] },
  { event: "card-saved", from: "unpaid", to: "processing", by: ["provider"] },
  { event: "expired", from: "unpaid", to: "expired", by: ["system"] },
  { event: "authorized-late", from: "expired", to: "processing", by: ["provider"] },
  { event: "card-saved-late", from: "expired", to: "processing", by: ["provider"] },
  { event: "canceled", from: "unpaid", to: "canceled", by: ["customer", "guest", "staff"] },
  { event: "canceled", from: "processing", to: "canceled", by: ["customer", "guest", "staff", "system"] },
  { event: "declined", from: "processing", to: "declined", by: ["staff"] },
  { event: "shipped", from: "processing", to: "shipped", by: ["staff"] },
  { event: "shipment-undone", from: "shipped", to: "processing", by: ["staff"] },
  { event: "delivered", from: "shipped", to: "delivered", by: ["staff", "carrier", "system"] },
  { event: "undelivered", from: "shipped", to: "canceled", by: ["system"] },
  // A parcel that was lost turns up.
  { event: "delivered-late", from: "canceled", to: "delivered", by: ["staff", "carrier"] },
  { event: "reopened", from: "canceled", to: "shipped", by: ["staff", "carrier"] },
  { event: "reopened", from: "delivered", to: "shipped", by: [...ORDER_ACTORS] },
] as const satisfies readonly {
  event: string;
  from: OrderStatus | null;
  to: OrderStatus;
  by: readonly OrderActor[];
}[];

/** Events that leave the status unchanged, and the statuses in which they may happen. */
export const ORDER_NOTES = [
  { event: "payment-requested", in: ["processing", "shipped"], by: ["staff", "system"] },
  {
    event: "charge-asked",
    in: ["processing", "shipped", "delivered", "canceled"],
    by: ["staff", "system", "customer", "guest"],
  },
  { event: "payment-recorded", in: ["processing", "shipped"], by: ["staff"] },
  { event: "payment-authorized", in: ["processing", "shipped", "delivered", "canceled"], by: ["provider"] },
  { event: "card-changed", in: ["processing", "shipped"], by: ["provider"] },
  { event: "payment-failed", in: ["unpaid", "processing", "shipped"], by: ["provider"] },
  { event: "capture-failed", in: ["processing", "shipped", "delivered", "canceled"], by: ["provider"] },
  { event: "charge-refused", in: ["processing", "shipped"], by: ["provider"] },
  { event: "charge-announced", in: ["processing", "shipped"], by: ["system", "staff"] },
  { event: "charge-approved", in: ["processing", "shipped"], by: ["customer", "guest"] },
  { event: "payment-received", in: ["processing", "shipped", "delivered", "canceled"], by: ["provider", "staff"] },
  { event: "line-canceled", in: ["processing", "shipped"], by: ["customer", "guest", "staff", "system"] },
  { event: "delayed", in: ["processing", "shipped"], by: ["staff", "system"] },
  { event: "delay-accepted", in: ["processing", "shipped"], by: ["customer", "guest"] },
  { event: "address-changed", in: ["unpaid", "processing", "shipped"], by: ["customer", "guest", "staff"] },
  { event: "parcel-shipped", in: ["shipped"], by: ["staff"] },
  { event: "parcel-undone", in: ["shipped", "delivered"], by: ["staff"] },
  { event: "tracking-corrected", in: ["shipped"], by: ["staff"] },
  { event: "parcel-delivered", in: ["shipped", "delivered", "canceled"], by: ["staff", "carrier"] },
  { event: "parcel-refused", in: ["shipped", "delivered", "canceled"], by: ["staff", "carrier"] },
  { event: "parcel-lost", in: ["shipped", "delivered"], by: ["staff", "carrier"] },
  { event: "parcel-returned", in: ["shipped", "delivered", "canceled"], by: ["staff"] },
  { event: "parcel-resent", in: ["shipped", "delivered"], by: ["staff"] },
  { event: "hold-extended", in: ["unpaid"], by: ["system"] },
  { event: "return-changed", in: ORDER_STATUSES, by: ["customer", "guest", "staff", "system"] },
  { event: "refunded", in: ORDER_STATUSES, by: ["staff", "provider", "system"] },
  { event: "refund-failed", in: ORDER_STATUSES, by: ["provider"] },
  { event: "payment-voided", in: ORDER_STATUSES, by: ["staff", "provider", "system"] },
  { event: "payment-mismatch", in: ORDER_STATUSES, by: ["provider"] },
  { event: "disputed", in: ORDER_STATUSES, by: ["provider"] },
  { event: "dispute-closed", in: ORDER_STATUSES, by: ["provider"] },
] as const satisfies readonly { event: string; in: readonly OrderStatus[]; by: readonly OrderActor[] }[];

type Transition = (typeof ORDER_TRANSITIONS)[number];
type Note = (typeof ORDER_NOTES)[number];
export type OrderTransition = Transition["event"];
export type OrderNote = Note["event"];
export type OrderEvent = OrderTransition | OrderNote;
export type ActorOf<Event extends OrderEvent> = Extract<Transition | Note, { event: Event }>["by"][number];

export const ORDER_EVENTS: readonly OrderEvent[] = [
  ...new Set([...ORDER_TRANSITIONS, ...ORDER_NOTES].map(({ event }) => event)),
];

const transitionsOf = (event: OrderTransition) => ORDER_TRANSITIONS.filter((transition) => transition.event === event);

function before(event: OrderEvent): (OrderStatus | null)[] {
  const note = ORDER_NOTES.find((each) => each.event === event);
  return note ? [...note.in] : transitionsOf(event as OrderTransition).map(({ from }) => from);
}

/** Returns true if an event may happen to an order of status `from`; null means no order yet. */
export const isAllowed = (event: OrderEvent, from: OrderStatus | null): boolean => before(event).includes(from);

export const statusesBefore = (event: OrderEvent): OrderStatus[] => before(event).filter((status) => status !== null);

export const statusAfter = (event: OrderTransition): OrderStatus => transitionsOf(event)[0]!.to;

/** Stage of an order that an event begins. */
export const firstStage = (event: "placed" | "held"): Stage => (event === "held" ? "unpaid" : "to-ship");
