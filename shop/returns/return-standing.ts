/** Standing of a return: what the customer pays for it, what is refunded, and where what it sends is. */
import { askedCents, centsOf, isService } from "#shop/orders/order-money.ts";
import { lastDayToPay } from "#shop/orders/order-days.ts";
import { isOwn, type OrderState, type UnitState } from "#shop/orders/state.ts";
import { carriedOf, itemsOfUnits, itemsToRefund } from "./actions/resolve.ts";
import { discountOf } from "#shop/orders/unit-history.ts";
import type { MoneyItem } from "#shop/orders/facts.ts";
import { isGivenBack, keptFee, openCharge, unitsOf, unitsSent, type ReturnCase } from "./facts.ts";
import type { ReturnReason } from "./return.ts";

/** Reason of a payment by the customer. */
export type PayFor = "fee" | "sent-back" | "repair" | "difference";

/**
 * `unpaid`: set aside until the customer has paid; `astray`: its parcel was lost or refused; `arrived`: even if it came back
 * with another return; `canceled`: it does not come.
 */
export type Sent = "reserved" | "unpaid" | "waiting" | "sent" | "astray" | "arrived" | "canceled";

export type ReturnStanding = {
  /** `payBy`: the last day to pay the difference of an exchange, whose product is set aside until then. */
  toPay: { chargeId: string; cents: number; why: PayFor; payBy: string | null } | null;
  fee: { cents: number; isPaid: boolean } | null;
  /** Null if nothing is sent. */
  sent: Sent | null;
  /** Refunds that staff have still to send themselves. */
  byHandCents: number;
  money: ReturnMoney;
};

export type ReturnMoney = {
  /** Paid for the units with their tax, of which an inspection may deduct. */
  worthCents: number;
  /** Paid for the units with their tax; for an exchange, what the wanted product costs less. */
  linesCents: number;
  /** The order's shipping with its tax, if the return is the shop's fault. */
  shippingCents: number;
  deductionCents: number;
  /** Expected, or promised once the return is resolved. */
  refundCents: number;
  refundState: "promised" | "failed" | "done";
  /** Difference to a wanted product that costs more, with its tax. */
  moreCents: number;
};

export function standingOf(given: ReturnCase): ReturnStanding {
  const { row } = given;
  const kept = keptFee(given);
  const open = openCharge(given);
  const kinds = new Set(open?.items.map(({ kind }) => kind));
  const feeWhy = row.outcome === "sent-back" ? "sent-back" : "fee";
  const why = kinds.has("fee") ? feeWhy : kinds.has("repair") ? "repair" : "difference";
  return {
    toPay:
      open && !open.isUnderWay
        ? {
            chargeId: open.id,
            cents: open.dueCents,
            why,
            payBy: row.kind === "exchange" ? lastDayToPay(open.createdAt) : null,
          }
        : null,
    fee:
      kept > 0 ? { cents: kept, isPaid: true } : open && kinds.has("fee") ? { cents: open.cents, isPaid: false } : null,
    sent: sentOf(given),
    byHandCents: given.order.refunds.reduce(
      (sum, { returnId, byHandCents }) => sum + (returnId === row.id ? byHandCents : 0),
      0,
    ),
    money: row.outcome === null ? expected(given) : promised(given),
  };
}

function sentOf(given: ReturnCase): Sent | null {
  const units = unitsSent(given);
  if (units.length === 0) return null;
  const live = units.filter(({ place }) => place !== "canceled");
  if (live.length === 0) return "canceled";
  // A unit that another return has sent since had arrived.
  const last = live.filter(({ sentFor }) => sentFor === given.row.id);
  if (last.some(({ place }) => place === "waiting" || place === "packing")) return "waiting";
  // Its own unit stays here until what it costs is paid.
  const stays = (unit: UnitState) => unit.place === "reserved" || (unit.place === "returned" && isOwn(unit));
  if (last.some(stays)) return openCharge(given) ? "unpaid" : "reserved";
  if (last.some(({ place }) => place === "lost" || place === "refused" || place === "back")) return "astray";
  return last.some(({ place }) => place === "shipped") ? "sent" : "arrived";
}

/** Charged for units of a return, in cents with tax, as far as it was not given back otherwise. */
function worthOf({ order, row }: ReturnCase): number {
  const numbers = order.facts.returned.filter(({ returnId }) => returnId === row.id).map(({ unit }) => unit);
  const isOwn = (refundId: string) => order.refunds.some(({ id, returnId }) => id === refundId && returnId === row.id);
  return order.units
    .filter(({ number, refunded }) => numbers.includes(number) && (refunded === null || isOwn(refunded.refundId)))
    .reduce((sum, { charged, isPaid }) => sum + (isPaid ? charged!.cents : 0), 0);
}

const shippingOf = (items: readonly MoneyItem[]): number => centsOf(items.filter(({ kind }) => kind === "shipping"));

/** The refund, or the difference of an exchange, as it would be decided now. */
function expected(given: ReturnCase): ReturnMoney {
  const { order, row } = given;
  const { deductionCents } = row;
  const worth = worthOf(given);
  const reserved = order.units.filter((unit) => unit.returnId === row.id && unit.place === "reserved");
  const isWaiting = row.state === "requested" || reserved.length > 0;
  const isAgreed = row.kind === "exchange" && isWaiting && !isGivenBack(given);
  if (!isAgreed) {
    const items = itemsToRefund(given);
    const amounts = { shippingCents: shippingOf(items), refundCents: centsOf(items), moreCents: 0 };
    return { worthCents: worth, linesCents: worth, deductionCents, refundState: "promised", ...amounts };
  }
  const price = unitsOf(given).reduce(
    (sum, { number }) => sum + Math.max(0, (row.exchangePriceCents ?? 0) - discountOf(order.facts, number)),
    row.exchangeTaxCents ?? 0,
  );
  const kept = [...carriedOf(order, unitsOf(given), deductionCents).values()].reduce((sum, cents) => sum + cents, 0);
  return {
    worthCents: worth,
    linesCents: Math.max(0, worth - price),
    shippingCents: 0,
    deductionCents,
    refundCents: Math.min(Math.max(0, kept - price), Math.max(0, order.money.leftForGoodsCents)),
    refundState: "promised",
    moreCents: askedCents(price - kept),
  };
}

/** Amounts that its outcome has promised. */
function promised(given: ReturnCase): ReturnMoney {
  const { order, row } = given;
  const refunds = order.refunds.filter(({ returnId, items }) => returnId === row.id && !items.every(isService));
  const refundCents = refunds.reduce((sum, { movingCents }) => sum + movingCents, 0);
  const isDone = refunds.every(({ owedCents, underWayCents }) => owedCents + underWayCents === 0);
  const more = order.charges.find(
    ({ returnId, items }) => returnId === row.id && items.some(({ kind }) => kind === "unit"),
  );
  const worthCents = worthOf(given);
  return {
    worthCents,
    linesCents: row.outcome === "refund" ? worthCents : refundCents,
    shippingCents: shippingOf(refunds.flatMap(({ items }) => items)),
    deductionCents: row.deductionCents,
    refundCents,
    refundState: refunds.some(({ hasFailed }) => hasFailed) ? "failed" : isDone ? "done" : "promised",
    moreCents: more?.dueCents ?? 0,
  };
}

/** Refund of units, in cents with tax, if they come back as they should. */
export function refundOf(order: OrderState, units: readonly number[], reason: ReturnReason): number {
  const chosen = order.units.filter(({ number }) => units.includes(number));
  return centsOf(itemsOfUnits(order, chosen, { reason, deductionCents: 0 }));
}
