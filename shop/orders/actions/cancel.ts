/** Canceling what has not shipped: units, or the order. What was charged for them is refunded with it. */
import type { LineReason } from "../reasons.ts";
import { decided, merge, NOTHING, refused, type DecidedBy, type Change, type Decision } from "../change.ts";
import type { OrderRow } from "../facts.ts";
import { payBy } from "../order-days.ts";
import { centsOf, taxOf } from "../order-money.ts";
import { endsUnanswered, isOwn, isWaiting, mayBeCanceled, type OrderState, type UnitState } from "../state.ts";
import { withShipping } from "./announce.ts";
import { isUncharged, releaseItems, releasePayments, releaseRefused } from "./money.ts";
import { chargesOf, refundItems } from "../refund-items.ts";
import { newRefund } from "./refund-money.ts";
import { findParcel, stockOf } from "./parcels.ts";

export type Cancellation = {
  units: readonly number[];
  reason: LineReason;
  restocks: boolean;
  /** The refund of what was sent in place of something else is left to staff. */
  refundsReplacements: boolean;
  /** Amounts that were refunded before were for them: nothing is refunded with them. */
  isRefunded?: boolean;
};

/**
 * Cancels units that wait: they are not sent; if they are charged, they are refunded, unless they were before. With the
 * last unit of an order of which nothing has shipped, the order is canceled. Repeated, nothing changes. Refusals:
 * 'nothing-left' if no units are named, 'status', 'under-way', 'units' that do not wait, 'own' for the customer's own that go back, 'disputed' where money is to be refunded,
 * 'too-little' if the amounts refunded before do not cover them.
 */
export function cancelUnits(state: OrderState, { units: numbers, ...how }: Cancellation, act: DecidedBy): Decision {
  const chosen = state.units.filter(({ number }) => numbers.includes(number));
  if (chosen.length === 0) return refused(state.packing ? "under-way" : "nothing-left");
  const canceled = chosen.filter(({ place }) => place !== "canceled");
  if (canceled.length === 0) return NOTHING;
  if (state.facts.order.end || state.stage === "unpaid") return refused("status");
  if (state.packing) return refused("under-way");
  const gone = canceled.find((unit) => !isWaiting(unit));
  if (gone) return refused("units", { name: gone.name });
  if (
    state.charges.some(
      (each) => each.isUnderWay && each.items.some(({ unit }) => unit !== null && numbers.includes(unit)),
    )
  )
    return refused("under-way");
  if (!canceled.every(mayBeCanceled)) return refused("own");
  const kept = state.units.filter((unit) => !isGone(unit) && !canceled.includes(unit));
  const isWhole = kept.length === 0;
  const costsNothing = kept.every(({ valueCents }) => valueCents === 0);
  if (how.isRefunded && !isCovered(state, canceled)) return refused("too-little");
  const money = refundOf(state, canceled, { ...how, costsNothing }, act);
  if (state.money.isDisputed && money.refunds) return refused("disputed");
  // Units canceled instead of sent again leave an order of which nothing arrived.
  const isEnd = isWhole && state.stage === "to-ship";
  const isDue = state.units.some((unit) => isWaiting(unit) && isUnpaid(unit) && !canceled.includes(unit));
  const end: Change = merge(
    isEnd ? { order: { end: "canceled", onHoldSince: null } } : {},
    isDue ? releaseRefused(state, canceled, act) : releasePayments(state, act),
  );
  const said: Change = isEnd
    ? { events: [{ type: "canceled", data: { reason: how.reason } }], emails: [{ template: "order-canceled" }] }
    : told(canceled, how, money);
  return decided(withShipping(state, merge(markCanceled(state, canceled, how, act), money, end, said), act));
}

/** Units that wait and are canceled with the rest of their order: the customer's own product goes back. */
export const restOf = ({ units }: OrderState): UnitState[] => units.filter(mayBeCanceled);

/** Its buyer may cancel the order, or the rest of a delayed one. */
export const mayBuyerCancel = (state: OrderState): boolean =>
  state.packing === null &&
  (state.stage === "unpaid" || state.stage === "to-ship" || (state.promise.isMoved && restOf(state).length > 0));

/** Cancels what waits of a partial order, and returns its stock. Refused as cancelUnits. */
export function cancelRest(state: OrderState, { reason }: { reason: LineReason }, act: DecidedBy): Decision {
  const units = restOf(state).map(({ number }) => number);
  return cancelUnits(state, { units, reason, restocks: true, refundsReplacements: false }, act);
}

/**
 * Writes off what was in a lost parcel, or in a refused one that is back, and cost nothing: it is not sent again, and there
 * is nothing to give back for it. Refusals: 'unknown-shipment', 'not-lost', 'paid-for' if all of it was paid.
 */
export function writeOff(
  state: OrderState,
  { parcelId, reason }: { parcelId: string; reason: LineReason },
  act: DecidedBy,
): Decision {
  const parcel = findParcel(state, parcelId);
  if (!parcel) return refused("unknown-shipment");
  if (!(parcel.state === "lost" || parcel.returnedAt)) return refused("not-lost");
  const free = parcel.held.filter(({ isPaid }) => !isPaid);
  const chosen = free.filter(({ place }) => place === "lost" || place === "back");
  if (chosen.length === 0) return parcel.held.length > free.length ? refused("paid-for") : NOTHING;
  const how = { reason, restocks: false };
  return decided(markCanceled(state, chosen, how, act), told(chosen, how, {}));
}

/** It costs something that is not paid, even if that is announced. */
const isUnpaid = ({ isPaid, valueCents }: UnitState): boolean => !isPaid && valueCents > 0;

/** Events and email of canceled units, line by line. */
function told(
  units: readonly UnitState[],
  { reason, restocks }: Pick<Cancellation, "reason" | "restocks">,
  money: Change,
): Change {
  const lines = [...Map.groupBy(units, ({ lineId }) => lineId)];
  const items = lines.map(([itemId, each]) => ({ itemId, units: each.length }));
  const refundCents = centsOf(money.refundItems ?? []);
  return {
    events: lines.map(([itemId, each]) => ({
      type: "line-canceled",
      data: {
        itemId,
        units: each.length,
        returnsStock: restocks && !each.every(isOwn),
        reason,
        refunds: refundCents > 0,
      },
    })),
    emails: [{ template: "order-changed", items, reason, refundCents }],
  };
}

const markCanceled = (
  { facts }: OrderState,
  units: readonly UnitState[],
  { reason, restocks }: Pick<Cancellation, "reason" | "restocks">,
  act: DecidedBy,
): Change => ({
  units: facts.units
    .filter((row) => units.some(({ number }) => number === row.number))
    .map((row) => ({ ...row, canceledAt: act.at, canceledBy: act.by, cancelReason: reason })),
  stock: restocks
    ? stockOf(
        units.filter((unit) => !isOwn(unit)),
        1,
        "canceled",
      )
    : [],
});

/** Canceled, or lost or refused and given back: the customer has nothing of it. */
const isGone = ({ place, refunded }: UnitState): boolean =>
  place === "canceled" || (refunded !== null && (place === "lost" || place === "back"));

const isOwed = ({ isPaid, refunded }: UnitState): boolean => isPaid && refunded === null;

/** Amounts that were refunded without units, less those for units that are canceled, are at least what the units were charged. */
function isCovered({ units, refunds }: OrderState, canceled: readonly UnitState[]): boolean {
  const amountsCents = centsOf(refunds.flatMap(({ items }) => items).filter(({ kind }) => kind === "goodwill"));
  const usedCents = units.reduce(
    (sum, { canceledAt, charged, refunded }) => sum + (canceledAt && refunded ? charged!.cents - refunded.cents : 0),
    0,
  );
  return centsOf(canceled.filter(isOwed).map(({ charged }) => charged!)) <= amountsCents - usedCents;
}

function refundOf(
  state: OrderState,
  canceled: readonly UnitState[],
  {
    reason,
    refundsReplacements,
    costsNothing,
    isRefunded = false,
  }: Pick<Cancellation, "refundsReplacements" | "isRefunded"> & {
    reason: LineReason | "order-ended";
    /** Nothing that is kept costs anything: the shipping goes back with the rest. */
    costsNothing: boolean;
  },
  act: DecidedBy,
): Change {
  const numbers = canceled.map(({ number }) => number);
  const waiting = state.charges.filter((each) => each.state === "announced" || each.state === "asked");
  const released = waiting.map((charge) => releaseItems(state, charge, numbers, costsNothing, act));
  const owed = canceled.filter(isOwed);
  // An unpaid replacement that is canceled leaves the unit that it would have replaced to refund.
  const replacing = canceled.filter(({ isPaid, replaces }) => !isPaid && replaces !== null);
  const former = state.units.filter(
    (unit) => unit.isPaid && !unit.refunded && replacing.some(({ replaces }) => replaces === unit.number),
  );
  const kept =
    former.reduce((sum, { charged: item }) => sum + item!.cents, 0) -
    replacing.reduce((sum, { carriedCents }) => sum + carriedCents, 0);
  const formerItems = refundItems(
    chargesOf(former),
    { deductionCents: Math.max(0, former.length > 0 ? kept : 0) },
    state.money,
  );
  const left = {
    leftForGoodsCents: state.money.leftForGoodsCents - centsOf(formerItems),
    leftTaxCents: state.money.leftTaxCents - taxOf(formerItems),
  };
  const items = [
    ...formerItems,
    ...refundItems(
      chargesOf(owed),
      { shippingItem: costsNothing && state.shipping.isRefundable ? state.shipping.charged : null },
      left,
      isRefunded ? 0 : left.leftForGoodsCents,
    ),
  ];
  if (items.length === 0) return merge(...released);
  const moves = refundsReplacements || (former.length === 0 && !owed.some(({ replaces }) => replaces !== null));
  return merge(
    ...released,
    newRefund(state, items, { reason: reason === "order-ended" ? reason : "items-canceled", moves }, act),
  );
}

type End = {
  as: NonNullable<OrderRow["end"]>;
  reason?: string | null;
  refundsReplacements?: boolean;
  /** The buyer hears of it, if the order was confirmed. */
  isTold?: boolean;
};

/**
 * Ends an order of which nothing has shipped, as canceled, declined or expired, and returns its stock. Canceled again, it
 * is no error. Refusals: 'too-late', 'under-way', 'accepted' for a decline of what shipped once.
 */
export function endOrder(
  state: OrderState,
  { as, reason = null, refundsReplacements = false, isTold = false }: End,
  act: DecidedBy,
): Decision {
  const { order } = state.facts;
  if (order.end === as) return NOTHING;
  if (order.end || (state.stage !== "unpaid" && state.stage !== "to-ship")) return refused("too-late");
  if (as === "expired" && state.stage !== "unpaid") return refused("too-late");
  if (as === "declined" && (state.stage === "unpaid" || order.acceptedAt))
    return refused(order.acceptedAt ? "accepted" : "too-late");
  if (state.packing || state.charges.some(({ isUnderWay }) => isUnderWay)) return refused("under-way");
  const live = state.units.filter(isWaiting);
  const money = refundOf(state, live, { reason: "order-ended", refundsReplacements, costsNothing: true }, act);
  if (state.money.isDisputed && money.refunds) return refused("disputed");
  const email = as === "declined" ? "order-declined" : "order-canceled";
  return decided({ stock: stockOf(live, 1, "canceled") }, money, releasePayments(state, act), {
    order: { end: as, holdUntil: null, onHoldSince: null },
    events: [{ type: as, ...(reason !== null && { data: { reason } }) }],
    emails: isTold && state.stage !== "unpaid" ? [{ template: email }] : [],
  });
}

/**
 * Cancels units whose time is over: the order, if nothing else of it waits and nothing has shipped. Refusals: those of either.
 */
export function endUnits(
  state: OrderState,
  units: readonly UnitState[],
  reasons: { order: string; rest: LineReason },
  act: DecidedBy,
): Decision {
  const isWhole = state.stage === "to-ship" && units.length === state.units.filter(isWaiting).length;
  if (isWhole) return endOrder(state, { as: "canceled", reason: reasons.order, isTold: true }, act);
  const numbers = units.map(({ number }) => number);
  return cancelUnits(state, { units: numbers, reason: reasons.rest, restocks: true, refundsReplacements: true }, act);
}

/** Cancels what was bought, waits and was not paid in time after a refused charge. What is paid, or costs nothing, is kept. */
export function endUnpaid(state: OrderState, _input: object, act: DecidedBy): Decision {
  if (payBy(state) >= act.today) return NOTHING;
  const unpaid = state.units.filter((unit) => endsUnanswered(unit) && isUncharged(unit));
  return endUnits(state, unpaid, { order: "unpaid", rest: "unpaid" }, act);
}
