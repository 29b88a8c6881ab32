/** The situation of an order for its buyer, as its page, the list of the account and emails name it. */
import { newYorkDay } from "#shop/new-york-time.ts";
import { mayPayOnPage } from "./actions/money.ts";
import { isUnsent } from "./order.ts";
import { isOfGoods } from "./order-money.ts";
import {
  isAstray,
  isMissing,
  isOwn,
  isToCancel,
  type OrderState,
  type ParcelStanding,
  type UnitState,
} from "./state.ts";

/** `pay`: its payment failed, was refused or asked for; `refunding`: all of it is given back before it left; `back`: a refused parcel has come back; `extra`: sent for a return. */
export type Situation =
  | "unpaid"
  | "save-card"
  | "pay"
  | "preparing"
  | "delayed"
  | "sending-again"
  | "partly-on-its-way"
  | "partly-delivered"
  | "partly-refunded"
  | "refunding"
  | "on-its-way"
  | "out-for-delivery"
  | "lost"
  | "coming-back"
  | "back"
  | "extra-ships-soon"
  | "extra-on-its-way"
  | "delivered"
  | "returned"
  | "refunded"
  | "canceled"
  | "declined"
  | "expired";

/** It is to be sent. */
export const waits = (unit: UnitState): boolean =>
  (unit.place === "waiting" || unit.place === "packing") && !isToCancel(unit);
const isMoving = (unit: UnitState): boolean => waits(unit) || unit.place === "shipped";
const isBought = ({ sentFor }: UnitState): boolean => sentFor === null;

/** Units that are to ship or on their way, if none of them was bought: a return sends them. */
export function extraUnits({ units }: OrderState): UnitState[] {
  const moving = units.filter(isMoving);
  return moving.some(isBought) ? [] : moving;
}

/** Parcels that have left, without those whose units are sent again. */
export const sentParcels = ({ parcels }: OrderState): ParcelStanding[] =>
  parcels.filter(({ state, isSentAgain }) => state !== "packing" && state !== "failed" && !isSentAgain);

/** Parcels on their way with something that was bought; any, once nothing else is under way. */
export const parcelsOnTheWay = (order: OrderState): ParcelStanding[] =>
  sentParcels(order).filter(
    ({ state, held }) => state === "shipped" && (held.some(isBought) || extraUnits(order).length > 0),
  );

function mustPay(state: OrderState): boolean {
  const { stage, money } = state;
  return money.card ? isUnsent({ stage }) && money.isRefused : mayPayOnPage(state);
}

/** All that was paid for goods is given back, and the money has left. A service that is given back says nothing of them. */
const isRefunded = ({ units, money, refunds }: OrderState): boolean =>
  !units.some((unit) => waits(unit) && isBought(unit)) &&
  refunds.some(({ items }) => items.some((item) => item.cents > 0 && isOfGoods(item))) &&
  money.leftForGoodsCents <= 0 &&
  refunds.every(({ owedCents, underWayCents }) => owedCents + underWayCents === 0);

/** Everything that arrived is with the shop again. */
function isReturned({ units }: OrderState): boolean {
  const kept = units.filter(({ place, refunded }) => place !== "canceled" && place !== "reserved" && refunded === null);
  return units.some(({ place }) => place === "returned") && kept.every(({ place }) => place === "returned");
}

/** The latest parcel that was refused or lost, while something is owed for it. */
export const astrayParcel = (order: OrderState): ParcelStanding | undefined =>
  sentParcels(order).findLast(({ owed }) => owed.some(isAstray));

/** Something that is owed of a parcel was paid for. */
export const isPaidFor = ({ owed }: ParcelStanding): boolean => owed.some(({ isPaid }) => isPaid);

/** What is said to follow once a parcel is back: a refund, or the customer's own product goes out again. The rest they ask for. */
export function onceBack({ owed }: ParcelStanding): "refund" | "again" | "asked" {
  if (owed.some((unit) => unit.isPaid && !isOwn(unit))) return "refund";
  return owed.some(isOwn) ? "again" : "asked";
}

function onTheWay(order: OrderState, now: Date): Situation {
  const astray = astrayParcel(order);
  if (astray) return astray.state === "lost" ? "lost" : astray.returnedAt ? "back" : "coming-back";
  const extra = extraUnits(order);
  if (extra.length > 0) return extra.some(waits) ? "extra-ships-soon" : "extra-on-its-way";
  // What did not arrive and is replaced is owed no more.
  const isSettled = (unit: UnitState) => unit.place === "canceled" || (isMissing(unit) && unit.isReplaced);
  const bought = order.units.filter((unit) => isBought(unit) && !isSettled(unit));
  if (bought.length > 0 && bought.every(waits)) {
    if (order.promise.isMoved) return "delayed";
    return order.parcels.some(({ isSentAgain, units }) => isSentAgain && units.some(waits))
      ? "sending-again"
      : "preparing";
  }
  const last = parcelsOnTheWay(order).at(-1);
  if (bought.some(waits) && last) return "partly-on-its-way";
  const isKept = !bought.some(waits) && !order.refunds.some(({ movingCents }) => movingCents > 0);
  // Only what was replaced is still on its way back.
  if (!last && isKept && order.units.some(({ place }) => place === "delivered" || place === "returned"))
    return "delivered";
  if (!last)
    return bought.some(({ place }) => place === "delivered" || place === "returned")
      ? "partly-delivered"
      : "partly-refunded";
  const isToday = last.progressAt !== null && newYorkDay(last.progressAt) === newYorkDay(now);
  return last.progress === "out-for-delivery" && isToday ? "out-for-delivery" : "on-its-way";
}

export function situationOf(order: OrderState, now: Date): Situation {
  const { stage, money, promise } = order;
  if (stage === "unpaid") return money.isByCard ? "save-card" : "unpaid";
  if (mustPay(order)) return "pay";
  const isSent = stage === "partly-shipped" || stage === "shipped";
  if (isRefunded(order) && !(isSent && extraUnits(order).length > 0)) return "refunded";
  if (isSent) return onTheWay(order, now);
  if (stage === "to-ship" && !order.units.some(waits)) return "refunding";
  if (stage === "to-ship") return promise.isMoved ? "delayed" : "preparing";
  if (stage === "delivered") return isReturned(order) ? "returned" : "delivered";
  return stage;
}
