/** The statuses of an order and the transitions between them. Checks and a trigger hold the same in the database. */
export const ORDER_STATUSES = ["processing", "shipped", "delivered", "canceled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type OrderActor = "customer" | "guest" | "staff";

/** `from` is null for the event that makes the order. */
export const ORDER_TRANSITIONS = [
  { event: "placed", from: null, to: "processing", by: ["customer", "guest"] },
  { event: "canceled", from: "processing", to: "canceled", by: ["customer", "guest", "staff"] },
  { event: "shipped", from: "processing", to: "shipped", by: ["staff"] },
  { event: "delivered", from: "shipped", to: "delivered", by: ["staff"] },
] as const satisfies readonly {
  event: string;
  from: OrderStatus | null;
  to: OrderStatus;
  by: readonly OrderActor[];
}[];

type Transition = (typeof ORDER_TRANSITIONS)[number];
export type OrderEvent = Transition["event"];
/** Who may cause the event. */
export type ActorOf<Event extends OrderEvent> = Extract<Transition, { event: Event }>["by"][number];

const transitionsOf = (event: OrderEvent) => ORDER_TRANSITIONS.filter((transition) => transition.event === event);

/** Whether an event may happen to an order of status `from`; null stands for no order yet. */
export function isAllowed(event: OrderEvent, from: OrderStatus | null): boolean {
  return transitionsOf(event).some((transition) => transition.from === from);
}

/** The statuses in which an event may happen. */
export function statusesBefore(event: OrderEvent): OrderStatus[] {
  return transitionsOf(event).flatMap(({ from }) => from ?? []);
}

/** The status after an event. */
export const statusAfter = (event: OrderEvent): OrderStatus => transitionsOf(event)[0]!.to;
