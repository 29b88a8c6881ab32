/** Words of the order page about a delay. */
import { delayHistory, isOpen } from "#shop/fulfillment/delay-notice.ts";
import { isUnsent } from "#shop/orders/order.ts";
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import type { OrderState } from "./order-timeline.ts";

type Delayed = Pick<OrderState, "order" | "events">;

export const dayText = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

/** The customer has not answered the latest delay yet. */
export const mustAnswerDelay = ({ order, events }: Delayed): boolean =>
  isUnsent(order) && isOpen(delayHistory(order.promisedOn, events));

/** The rest of the order is delayed, so that the customer may cancel it. */
export const isRestDelayed = (state: Delayed): boolean =>
  state.order.restToShip && state.events.some(({ type }) => type === "delayed");

/** The day of a delayed order, and what an answer or none does. */
export function delayWords(state: Delayed): string {
  const { status, promisedOn, isDayUnknown, delayAnswerBy } = state.order;
  const it = status === "shipped" ? "the rest" : "it";
  const day = isDayUnknown
    ? `We can’t say yet when ${it} will ship.`
    : `We expect to ship ${it} by ${dayText(promisedOn)}.`;
  if (!mustAnswerDelay(state)) return `${day} Thanks for waiting.`;
  if (!delayAnswerBy) return `${day} You needn’t do anything to keep ${it}.`;
  return `${day} Please tell us by ${dayText(delayAnswerBy)} if you’ll wait. Otherwise we’ll cancel ${it} and you won’t pay for it.`;
}

export const delayStep = (data: OrderEventData | null) =>
  typeof data?.until === "string" ? `Ships by ${dayText(data.until)}` : "To a day we don’t know yet";
