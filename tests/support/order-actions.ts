/** Actions on an order in memory, as tables of cases name them. A parcel is the latest one, unless its place is given. */
import { announceEarly, approveCharges, toApprove } from "#shop/orders/actions/announce.ts";
import { acceptDelay } from "#shop/orders/actions/answer-delay.ts";
import { cancelUnits, endOrder, writeOff } from "#shop/orders/actions/cancel.ts";
import { delay } from "#shop/orders/actions/delay.ts";
import {
  parcelNews,
  parcelProgress,
  receiveBack,
  sendAgain,
  undoShipment,
  type News,
} from "#shop/orders/actions/parcels.ts";
import { recordPayment } from "#shop/orders/actions/pay.ts";
import { recordSent, refund, resolveRefund, retryRefund, type RefundRequest } from "#shop/orders/actions/refund.ts";
import { ship } from "#shop/orders/actions/ship.ts";
import type { Decision } from "#shop/orders/change.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import type { OrderRow, Payment, Unit } from "#shop/orders/facts.ts";
import { summaryOf } from "#shop/orders/summary.ts";
import type { orderOf } from "./order-in-memory.ts";

export type Order = ReturnType<typeof orderOf>;
export type Action = (order: Order) => Decision;

/** An order after some actions. */
export const after = (order: Order, ...actions: ((order: Order) => unknown)[]): Order => {
  for (const act of actions) act(order);
  return order;
};

export const parcelOf = ({ state }: Order, place = -1): string => state().facts.parcels.at(place)!.id;
export const changeOf = (decision: Decision) => (decision.ok ? decision.change : {});
export const emailsOf = (decision: Decision) => (changeOf(decision).emails ?? []).map(({ template }) => template);
export const eventsOf = (decision: Decision) => (changeOf(decision).events ?? []).map(({ type }) => type);
export const attentionOf = ({ state }: Order) => summaryOf(state().facts).attention;

/** Packed, charged and sent. */
export const sent =
  (...units: number[]): Action =>
  ({ shipUnits }) =>
    shipUnits(...units);
/** Packed, and waiting for its charge. */
export const packed =
  (...units: number[]): Action =>
  ({ decide }) =>
    decide((now, act) =>
      ship(now, { ...(units.length > 0 && { units }), carrier: "ups", trackingNumber: act.newId() }, act),
    );
export const news =
  (state: News["state"], place = -1): Action =>
  (order) =>
    order.decide((now, act) => parcelNews(now, { parcelId: parcelOf(order, place), state }, act));
export const [delivered, lost, refused] = [news("delivered"), news("lost"), news("refused")];
export const scanned: Action = (order) => {
  const scan = { progress: "out-for-delivery", at: new Date("2027-01-04T17:00:00Z") } as const;
  return order.decide((now) => parcelProgress(now, { parcelId: parcelOf(order), ...scan }));
};
export const back =
  (place = -1, restocks = true): Action =>
  (order) =>
    order.decide((now, act) => receiveBack(now, { parcelId: parcelOf(order, place), restocks }, act));
export const again: Action = (order) =>
  order.decide((now, act) => sendAgain(now, { parcelId: parcelOf(order), shipBy: "2027-01-13" }, act));
export const undone: Action = (order) =>
  order.decide((now, act) => undoShipment(now, { parcelId: parcelOf(order) }, act));
export const writtenOff: Action = (order) =>
  order.decide((now, act) => writeOff(now, { parcelId: parcelOf(order), reason: "sold-out" }, act));

const canceling = { reason: "damaged", restocks: true, refundsReplacements: true } as const;
export const canceled =
  (units: number[], more: { isRefunded?: boolean } = {}): Action =>
  ({ decide }) =>
    decide((now, act) => cancelUnits(now, { units, ...canceling, ...more }, act));
export const ended =
  (as: "canceled" | "declined" | "expired"): Action =>
  ({ decide }) =>
    decide((now, act) => endOrder(now, { as }, act));

/** Promised, and asked of the provider. */
export const promised =
  (request: Partial<RefundRequest>): Action =>
  ({ decide }) =>
    decide((now, act) => refund(now, { reason: "damaged", ...request }, act));
export const settled = ({ settle }: Order): void => settle();
export const failed = ({ settle }: Order): void => settle("failed");
/** Promised and done, if it is not refused. */
export const gives =
  (request: Partial<RefundRequest>): Action =>
  (order) => {
    const decided = promised(request)(order);
    order.settle();
    return decided;
  };
export const refunded = (...units: number[]): Action => gives({ units });
export const amount = (goodwillCents: number): Action => gives({ reason: "goodwill", goodwillCents });
/** All that is left, asked of the provider. */
export const allRefunded: Action = (order) => promised({ goodwillCents: order.state().money.leftCents })(order);
export const retried =
  (place = 0): Action =>
  ({ decide }) =>
    decide((now, act) => retryRefund(now, { refundId: now.refunds[place]!.id }, act));
export const sentOtherwise: Action = ({ decide }) =>
  decide((now, act) => resolveRefund(now, { refundId: now.refunds[0]!.id }, act));
/** Staff record that they sent what is owed by hand. */
export const sentByHand =
  (place = 0): Action =>
  ({ decide }) =>
    decide((now, act) => {
      const { id: refundId, byHandCents: cents } = now.refunds[place]!;
      return recordSent(now, { refundId, cents }, act);
    });

export const delayed =
  (until: string | null, more: { paysAgain?: boolean; reason?: "supplier" | "unpaid" } = {}): Action =>
  ({ decide }) =>
    decide((now, act) => delay(now, { until, reason: "supplier", ...more }, act));
export const accepted: Action = ({ decide }) =>
  decide((now, act) => acceptDelay(now, { until: now.promise.shipBy }, act));
export const announced =
  (...units: number[]): Action =>
  ({ decide }) =>
    decide((now, act) => announceEarly(now, { units }, act));
export const approved: Action = ({ decide }) =>
  decide((now, act) => approveCharges(now, { cents: centsOf(toApprove(now)) }, act));
/** Staff record a check. */
export const paidByCheck =
  (cents: number): Action =>
  ({ decide }) =>
    decide((now, act) => recordPayment(now, { cents, arrangement: { how: "check", reference: "1042" } }, act));

/** Facts that no action changes. */
export const withOrderRow = (changed: Partial<OrderRow>) => (order: Order) =>
  order.set((facts) => ({ ...facts, order: { ...facts.order, ...changed } }));
export const withPayments = (changed: Partial<Payment>) => (order: Order) =>
  order.set((facts) => ({ ...facts, payments: facts.payments.map((payment) => ({ ...payment, ...changed })) }));
/** A new card replaces the one whose bank refused the charge. */
export const newCard = (order: Order) =>
  order.set((facts) => ({
    ...facts,
    payments: [...facts.payments, { ...facts.payments[0]!, id: "page-1", refusedAt: null }],
  }));
export const withUnit = (number: number, changed: Partial<Unit>) => (order: Order) =>
  order.set((facts) => ({
    ...facts,
    units: facts.units.map((unit) => (unit.number === number ? { ...unit, ...changed } : unit)),
  }));
export const held = withOrderRow({ onHoldSince: new Date("2027-01-04T12:00:00Z") });
