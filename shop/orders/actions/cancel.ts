/** Canceling what has not shipped: units, or the order. What was charged for them is refunded with it. */
import {
  decided,
  merge,
  NOTHING,
  refused,
  type DecidedBy,
  type Change,
  type Decision,
  type OrderRow,
} from "../facts.ts";
import { centsOf, isWaiting, taxOf, type OrderState, type UnitState } from "../state.ts";
import { releaseItems, releasePayments } from "./money.ts";
import { newRefund, refundItems } from "./refund-money.ts";
import { stockOf } from "./parcels.ts";

export type Cancellation = {
  units: readonly number[];
  reason: string;
  restocks: boolean;
  /** The refund of what was sent in place of something else is left to staff. */
  refundsReplacements: boolean;
  /** Their money was given back in another way before: nothing is refunded with them. */
  isRefunded?: boolean;
};

/**
 * Cancels units that wait: they are not sent; if they are charged, they are refunded, unless they were before. With the
 * last unit of an order of which nothing has shipped, the order is canceled. Repeated, nothing changes. Refusals: 'status',
 * 'under-way', 'units' that do not wait, 'disputed' where money is to be refunded.
 */
export function cancelUnits(state: OrderState, { units: numbers, ...how }: Cancellation, act: DecidedBy): Decision {
  const chosen = state.units.filter(({ number }) => numbers.includes(number));
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
  // The customer's own product goes back, whatever is canceled.
  if (canceled.some(isOwn)) return refused("own");
  const isWhole = state.units.every((unit) => unit.place === "canceled" || canceled.includes(unit));
  const money = how.isRefunded ? {} : refundOf(state, canceled, { ...how, isWhole }, act);
  if (state.money.isDisputed && money.refunds) return refused("disputed");
  // Units canceled instead of sent again leave an order of which nothing arrived.
  const isEnd = isWhole && state.stage === "to-ship";
  const isPaidUp = state.units.every((unit) => canceled.includes(unit) || !isWaiting(unit) || unit.isPaid);
  const end: Change = merge(
    isEnd ? { order: { end: "canceled", onHoldSince: null } } : {},
    isPaidUp ? releasePayments(state, act) : {},
  );
  const said = isEnd
    ? { events: [{ type: "canceled", data: { reason: how.reason } }], emails: [{ situation: "order-canceled" }] }
    : told(canceled, how, money);
  return decided(markCanceled(canceled, how, act), money, end, said);
}

/** Events and email of canceled units, line by line. */
function told(units: readonly UnitState[], { reason, restocks }: Omit<Cancellation, "units">, money: Change): Change {
  const items = [...Map.groupBy(units, ({ lineId }) => lineId)].map(([itemId, each]) => ({
    itemId,
    units: each.length,
  }));
  // Money that staff send back themselves has an email of its own.
  const isSent = money.attempts?.every(({ state }) => state === "done") ?? false;
  const refundCents = isSent ? 0 : centsOf(money.refundItems ?? []);
  return {
    events: items.map((item) => ({
      type: "line-canceled",
      data: { ...item, returnsStock: restocks, reason, refunds: money.refundItems !== undefined },
    })),
    emails: [{ situation: "order-changed", items, reason, refundCents }],
  };
}

const isOwn = ({ sentFor, returnId }: UnitState) => sentFor !== null && returnId === null;

const markCanceled = (
  units: readonly UnitState[],
  { reason, restocks }: Pick<Cancellation, "reason" | "restocks">,
  act: DecidedBy,
): Change => ({
  units: units.map((unit) => ({ ...rowOf(unit), canceledAt: act.at, canceledBy: act.by, cancelReason: reason })),
  stock: restocks ? stockOf(units, 1, "canceled") : [],
});

const rowOf = ({
  number,
  lineId,
  priceCents,
  taxCents,
  waivedCents,
  replaces,
  carriedCents,
  returnId,
  isReserved,
}: UnitState) => ({
  number,
  lineId,
  priceCents,
  taxCents,
  waivedCents,
  replaces,
  carriedCents,
  returnId,
  isReserved,
});

function refundOf(
  state: OrderState,
  canceled: readonly UnitState[],
  { reason, refundsReplacements, isWhole }: Pick<Cancellation, "reason" | "refundsReplacements"> & { isWhole: boolean },
  act: DecidedBy,
): Change {
  const numbers = canceled.map(({ number }) => number);
  const waiting = state.charges.filter((each) => each.state === "announced" || each.state === "asked");
  const released = waiting.map((charge) => releaseItems(charge, numbers, isWhole, act));
  const owed = canceled.filter((unit) => unit.isPaid && unit.refunded === null);
  // What would have replaced another unit and is not paid leaves that one to refund.
  const replacing = canceled.filter(({ isPaid, replaces }) => !isPaid && replaces !== null);
  const former = state.units.filter(
    (unit) => unit.isPaid && !unit.refunded && replacing.some(({ replaces }) => replaces === unit.number),
  );
  const kept =
    former.reduce((sum, { charged: item }) => sum + item!.cents, 0) -
    replacing.reduce((sum, { carriedCents }) => sum + carriedCents, 0);
  const formerItems = refundItems(former, { deductionCents: Math.max(0, former.length > 0 ? kept : 0) }, state.money);
  const left = {
    leftCents: state.money.leftCents - centsOf(formerItems),
    leftTaxCents: state.money.leftTaxCents - taxOf(formerItems),
  };
  const items = [
    ...formerItems,
    ...refundItems(
      owed,
      { shippingItem: isWhole && state.shipping.isRefundable ? state.shipping.charged : null },
      left,
    ),
  ];
  if (items.length === 0) return merge(...released);
  const moves = refundsReplacements || (former.length === 0 && !owed.some(({ replaces }) => replaces !== null));
  return merge(
    ...released,
    newRefund(
      state,
      items,
      // What was arranged for an order that ends is left to staff, who send it then.
      { reason: reason === "order-ended" ? reason : "items-canceled", moves, isByHand: reason !== "order-ended" },
      act,
    ),
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
  const email = as === "declined" ? "order-declined" : "order-canceled";
  return decided(
    { stock: stockOf(live, 1, "canceled") },
    refundOf(state, live, { reason: "order-ended", refundsReplacements, isWhole: true }, act),
    releasePayments(state, act),
    {
      order: { end: as, holdUntil: null, onHoldSince: null },
      events: [{ type: as, ...(reason !== null && { data: { reason } }) }],
      emails: isTold && state.stage !== "unpaid" ? [{ situation: email }] : [],
    },
  );
}
