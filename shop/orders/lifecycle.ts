/** Where an order can stand and what may happen to it. The database holds the same table, by checks and a trigger. */
export const ORDER_STATUSES = ["processing", "shipped", "delivered", "canceled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type OrderActor = "customer" | "guest" | "staff";

/** `from` is null where there was no order yet. */
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
/** Who may do it. */
export type ActorOf<Event extends OrderEvent> = Extract<Transition, { event: Event }>["by"][number];

const transitionsOf = (event: OrderEvent) => ORDER_TRANSITIONS.filter((transition) => transition.event === event);

/** Whether it may happen to an order that stands at `from`, or to none yet where that is null. */
export function isAllowed(event: OrderEvent, from: OrderStatus | null): boolean {
  return transitionsOf(event).some((transition) => transition.from === from);
}

/** Where an order must stand for it to happen. */
export function statusesBefore(event: OrderEvent): OrderStatus[] {
  return transitionsOf(event).flatMap(({ from }) => from ?? []);
}

/** Where it brings an order. */
export const statusAfter = (event: OrderEvent): OrderStatus => transitionsOf(event)[0]!.to;
