/** Where a return stands: what the customer pays for it, what is refunded, and where what it sends is. */
import { itemsOf } from "#shop/orders/actions/refund.ts";
import { centsOf, type OrderState } from "#shop/orders/state.ts";
import { itemsToRefund } from "./actions/resolve.ts";
import type { MoneyItem } from "#shop/orders/facts.ts";
import { openCharge, type ReturnCase } from "./facts.ts";
import { reasonOf, type ReturnReason } from "./return.ts";

/** Reason of a payment by the customer. */
export type PayFor = "fee" | "sent-back" | "repair" | "difference";

/** `unpaid`: set aside until the customer has paid; `canceled`: it does not come. */
export type Sent = "reserved" | "unpaid" | "waiting" | "sent" | "canceled";

export type ReturnStanding = {
  toPay: { chargeId: string; cents: number; why: PayFor } | null;
  fee: { cents: number; isPaid: boolean } | null;
  /** Null if nothing is sent. */
  sent: Sent | null;
  money: ReturnMoney;
};

export type ReturnMoney = {
  /** Paid for the units with their tax; for an exchange, what the wanted product costs less. */
  linesCents: number;
  /** The order's shipping with its tax, if the return is the shop's fault. */
  shippingCents: number;
  deductionCents: number;
  /** Expected, or promised once the return is resolved. */
  refundCents: number;
  /** What the wanted product of an exchange costs more, with its tax. */
  moreCents: number;
};

export function standingOf(given: ReturnCase): ReturnStanding {
  const { order, row } = given;
  const charges = order.charges.filter(
    ({ returnId, state }) => returnId === row.id && (state === "asked" || state === "paid"),
  );
  const fee = charges.find(({ items }) => items.some(({ kind }) => kind === "fee"));
  const open = openCharge(given);
  const kinds = new Set(open?.items.map(({ kind }) => kind));
  const feeWhy = row.outcome === "sent-back" ? "sent-back" : "fee";
  const why = kinds.has("fee") ? feeWhy : kinds.has("repair") ? "repair" : "difference";
  return {
    toPay: open && !open.isUnderWay ? { chargeId: open.id, cents: open.dueCents, why } : null,
    fee: fee ? { cents: fee.cents, isPaid: fee.state === "paid" } : null,
    sent: sentOf(given),
    money: row.outcome === null ? expected(given) : promised(given),
  };
}

function sentOf(given: ReturnCase): Sent | null {
  const { order, row } = given;
  const units = order.units.filter(({ sentFor }) => sentFor === row.id);
  if (units.length === 0) return null;
  const live = units.filter(({ place }) => place !== "canceled");
  if (live.length === 0) return "canceled";
  if (live.some(({ place }) => place === "waiting" || place === "packing")) return "waiting";
  if (!live.some(({ place }) => place === "reserved" || place === "returned")) return "sent";
  return openCharge(given) ? "unpaid" : "reserved";
}

/** Charged for units of a return, in cents with tax, as far as it was not given back otherwise. */
const worthOf = ({ order, row }: ReturnCase): number =>
  order.units
    .filter(({ number }) => order.facts.returned.some((each) => each.returnId === row.id && each.unit === number))
    .reduce((sum, { charged, isPaid }) => sum + (isPaid ? charged!.cents : 0), 0);

const shippingOf = (items: readonly MoneyItem[]): number => centsOf(items.filter(({ kind }) => kind === "shipping"));

/** The refund, or the difference of an exchange, as it would be decided now. */
function expected(given: ReturnCase): ReturnMoney {
  const { order, row } = given;
  const { deductionCents } = row;
  const worth = worthOf(given);
  const reserved = order.units.filter((unit) => unit.returnId === row.id && unit.place === "reserved");
  if (row.kind !== "exchange" || reserved.length === 0) {
    const items = itemsToRefund(given);
    const amounts = { shippingCents: shippingOf(items), refundCents: centsOf(items), moreCents: 0 };
    return { linesCents: worth, deductionCents, ...amounts };
  }
  const price = reserved.reduce((sum, { valueCents }) => sum + valueCents, 0);
  const kept = Math.max(0, worth - deductionCents);
  return {
    linesCents: Math.max(0, worth - price),
    shippingCents: 0,
    deductionCents,
    refundCents: Math.min(Math.max(0, kept - price), order.money.leftCents),
    moreCents: Math.max(0, price - kept),
  };
}

/** What its outcome has promised. */
function promised(given: ReturnCase): ReturnMoney {
  const { order, row } = given;
  const refunds = order.refunds.filter(({ returnId, reason }) => returnId === row.id && reason !== "fee");
  const refundCents = refunds.reduce((sum, { movingCents }) => sum + movingCents, 0);
  const more = order.charges.find(
    ({ returnId, items }) => returnId === row.id && items.some(({ kind }) => kind === "unit"),
  );
  return {
    linesCents: row.outcome === "refund" ? worthOf(given) : refundCents,
    shippingCents: shippingOf(refunds.flatMap(({ items }) => items)),
    deductionCents: row.deductionCents,
    refundCents,
    moreCents: more?.dueCents ?? 0,
  };
}

/** What units would be refunded, in cents with tax, if they come back as they should. */
export function refundOf(order: OrderState, units: readonly number[], reason: ReturnReason): number {
  const { shipping } = order;
  const isShippingPaid = order.charges.some(({ id, state }) => id === shipping.charged?.chargeId && state === "paid");
  const hasShipping = reasonOf(reason).isOurFault && isShippingPaid && !shipping.refunded;
  const items = itemsOf(order, { reason, units, hasShipping });
  return "ok" in items ? 0 : centsOf(items);
}
