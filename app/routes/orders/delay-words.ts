/** Words of the order page about a delay. */
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import type { Promise } from "#shop/orders/state.ts";

export const dayText = (day: string) =>
  new Date(day).toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

/** The day of a delayed order, or its rest, and what an answer or none does. */
export function delayWords({ shipBy, answerBy, isAsked }: Promise, isRest: boolean): string {
  const it = isRest ? "the rest" : "it";
  const day =
    shipBy === null ? `We can’t say yet when ${it} will ship.` : `We expect to ship ${it} by ${dayText(shipBy)}.`;
  if (!isAsked) return `${day} Thanks for waiting.`;
  if (!answerBy) return `${day} You needn’t do anything to keep ${it}.`;
  return `${day} Please tell us by ${dayText(answerBy)} if you’ll wait. Otherwise we’ll cancel ${it} and you won’t pay for it.`;
}

export const delayStep = (data: OrderEventData | null) =>
  typeof data?.until === "string" ? `Ships by ${dayText(data.until)}` : "To a day we don’t know yet";
