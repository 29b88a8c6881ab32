/** Days on which an order ships and arrives, in the words of its emails and its page. */
import { dayWords, preOrderWords } from "#shop/catalog/stock.ts";
import { daysAfter, latestDay, newYorkDay } from "#shop/new-york-time.ts";
import { paymentPolicy } from "#shop/policies.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { orderArrival, type ShippingMethod } from "#shop/shipping/methods.ts";
import { agreedDay, historyOf } from "./delay-terms.ts";
import { awaitsPayment, type Payable } from "./order.ts";
import { noticesOf, type OrderState, type Promise } from "./state.ts";

type Line = { shipsFrom?: string | null };
type Promised = Pick<Promise, "shipBy" | "isMoved">;
type Placed = Promised & Payable & { shippingMethod: ShippingMethod; isByLink?: boolean };

export type OrderDays = {
  /** "By Dec 1", of a pre-order alone "On Jan 20"; or why there is no such day. */
  ships: string;
  /** "Dec 4–8"; null if no day can be said. */
  arrives: string | null;
};

/** Condition for which an order waits, so that no day can be said. Null without one. */
const waitsFor = (order: Placed): string | null => (awaitsPayment(order) || order.isByLink ? "Once it’s paid" : null);

/** `shipping`: the settings under which the order was placed. */
export function orderDays(order: Placed, lines: readonly Line[], shipping: ShippingSettings, now: Date): OrderDays {
  const { shipBy, isMoved, shippingMethod } = order;
  const waiting = waitsFor(order);
  if (waiting) return { ships: waiting, arrives: null };
  if (shipBy === null) return { ships: "We’ll tell you the day as soon as we know it", arrives: null };
  const day = dayWords(shipBy, now, "short");
  if (shipBy < newYorkDay(now)) return { ships: `Late. We planned to ship it by ${day}`, arrives: null };
  const isPreOrder = lines.some(({ shipsFrom }) => shipsFrom === shipBy);
  const isWholePreOrder = isPreOrder && lines.every(({ shipsFrom }) => shipsFrom === shipBy);
  return {
    ships: `${isWholePreOrder ? "On" : "By"} ${day}`,
    arrives: orderArrival(shipping, shippingMethod, { shipBy, isNamed: isMoved || isPreOrder }),
  };
}

/** A delay moves the lines that ship last. */
const isDelayed = ({ shipsFrom }: Line, lines: readonly Line[], { isMoved }: Promised): boolean =>
  isMoved && Boolean(shipsFrom) && shipsFrom === latestDay(lines.map((line) => line.shipsFrom ?? null));

/** 'Pre-order, ships January 12' of one of the lines that wait, after a delay with its new day; null if it ships now, or has left. */
export function lineWords(line: Line, lines: readonly Line[], order: Promised, now: Date): string | null {
  if (!lines.includes(line)) return null;
  if (!isDelayed(line, lines, order)) return preOrderWords({ shipsFrom: line.shipsFrom ?? null }, now);
  if (order.shipBy === null) return "Pre-order, ship date not known yet";
  return order.shipBy < newYorkDay(now) ? null : `Pre-order, ships by ${dayWords(order.shipBy, now)}`;
}

/** The day from which an ordered line ships; null for now, or for an unknown one. */
export const lineDay = (line: Line, lines: readonly Line[], order: Promised): string | null =>
  isDelayed(line, lines, order) ? order.shipBy : (line.shipsFrom ?? null);

/** The last day, in New York, that shop policy leaves to pay what was refused or asked for. */
export const lastDayToPay = (refusedAt: Date): string =>
  daysAfter(newYorkDay(refusedAt), paymentPolicy.refusedCharge.keptDays);

/** The last day to pay a refused charge: also the one to which a notice of a delay was agreed, or can be answered. */
export function payBy({ facts, money }: OrderState): string {
  const notices = noticesOf(facts);
  const agreed = agreedDay(historyOf(null, notices));
  return latestDay([lastDayToPay(money.card!.refusedAt!), agreed, notices.at(-1)?.answerBy ?? null])!;
}
