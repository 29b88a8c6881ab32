/** Random steps of an order: what its buyer, staff, the provider and carriers do. */
import { acceptDelay, endUnanswered } from "#shop/orders/actions/answer-delay.ts";
import { delay, delayLate } from "#shop/orders/actions/delay.ts";
import { announceCharge, announceEarly, approveCharges, toApprove } from "#shop/orders/actions/announce.ts";
import { captureSeen } from "#shop/orders/actions/capture-seen.ts";
import { cancelUnits, endOrder, endUnpaid, writeOff } from "#shop/orders/actions/cancel.ts";
import { changeAddress, movedTax, type TaxThere } from "#shop/orders/actions/change-address.ts";
import { confirmOrder } from "#shop/orders/actions/confirm.ts";
import { dueItems } from "#shop/orders/actions/money.ts";
import { moneyMoved } from "#shop/orders/actions/money-moved.ts";
import { deliverAll, parcelNews, receiveBack, sendAgain, undoShipment } from "#shop/orders/actions/parcels.ts";
import { recordPayment, takeLinked } from "#shop/orders/actions/pay.ts";
import {
  disputeLost,
  recordSent,
  refund,
  refundSeen,
  resolveRefund,
  retryRefund,
} from "#shop/orders/actions/refund.ts";
import { ship } from "#shop/orders/actions/ship.ts";
import { apply, decided, type Change, type DecidedBy } from "#shop/orders/change.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import type { Attempt, Payment } from "#shop/orders/facts.ts";
import { addressLine, addressOf } from "#shop/orders/order.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { page, pick, RATES, some, type Tried } from "./order-world.ts";

/** Sum that the order would charge now: of everything that is not canceled and not charged. */
const priceOf = ({ units, shipping }: OrderState) =>
  units.reduce((sum, { canceledAt, isPaid, valueCents }) => sum + (canceledAt || isPaid ? 0 : valueCents), 0) +
  (shipping.charged ? 0 : shipping.valueCents);

const inHand = (state: OrderState, attempt: Attempt, isDone: boolean): Payment => {
  const payment = state.facts.payments.find(({ id }) => id === attempt.paymentId)!;
  if (!isDone) {
    if (attempt.kind === "refund" && attempt.state === "done")
      return { ...payment, refundedCents: payment.refundedCents - attempt.cents };
    return attempt.kind === "refund" || attempt.kind === "void" ? payment : { ...payment, state: "failed" };
  }
  if (attempt.kind === "refund") return { ...payment, refundedCents: payment.refundedCents + attempt.cents };
  if (attempt.kind === "void")
    return { ...payment, state: payment.capturedCents > 0 ? payment.state : "closed", authorizedCents: 0 };
  // A colleague was faster in the provider's dashboard, and took all of it.
  const isElsewhere = attempt.kind === "capture" && attempt.cents % 3 === 0;
  const capturedCents = isElsewhere ? Math.max(attempt.cents, payment.authorizedCents) : attempt.cents;
  return { ...payment, state: "captured", amountCents: Math.max(payment.amountCents, capturedCents), capturedCents };
};

/** Captured in the provider's dashboard, whole or in part. */
function capturedElsewhere(state: OrderState, payment: Payment, cents: number, act: DecidedBy) {
  const amountCents = Math.max(payment.amountCents, cents);
  const captured: Payment = {
    ...payment,
    amountCents,
    state: "captured",
    authorizedCents: cents,
    capturedCents: cents,
  };
  if (cents === 0) return null;
  const known =
    payment.chargeId === null && payment.state === "open" ? confirmOrder(state, { payment: captured }, act) : null;
  if (known && !known.ok) return known;
  const change = known?.change ?? { payments: [captured] };
  const booked = captureSeen(orderState(apply(state.facts, change)), { payment: captured }, act);
  return booked.ok ? decided(change, booked.change) : booked;
}

/** Tax of what was bought in a state, or none. */
const taxIn = ({ facts: { order, lines, units } }: OrderState, state: string): TaxThere => {
  const rate = RATES[state]!;
  return {
    reference: rate > 0 ? `quote at ${rate}` : null,
    lineTaxCents: Object.fromEntries(
      lines.map(({ id, productId }) => {
        const cents = units.reduce((sum, { lineId, priceCents }) => sum + (lineId === id ? priceCents : 0), 0);
        return [productId ?? id, Math.round(cents * rate)];
      }),
    ),
    shippingTaxCents: Math.round(order.shippingCents * rate),
  };
};

const underWay = ({ facts: { attempts } }: OrderState) =>
  attempts.filter(({ state }) => state === "asked" || state === "sent");

export const ORDER_STEPS: Record<string, Tried> = {
  pay: (state, _world, act, [a]) => {
    const payment = state.facts.payments.findLast(
      ({ state: is, chargeId, kind }) => is === "open" && chargeId === null && kind !== "charge",
    );
    if (!payment) return null;
    if (payment.kind === "setup")
      return confirmOrder(state, { payment: { ...payment, state: "saved", hasCard: true } }, act);
    const authorizedCents = priceOf(state);
    return confirmOrder(
      state,
      { payment: { ...payment, state: "authorized", authorizedCents, hasCard: a % 2 === 0 && state.money.isByCard } },
      act,
    );
  },
  "open-page": (state, _world, act) => {
    const { stage, money } = state;
    if (stage === "unpaid" || state.facts.payments.some(({ state: is }) => is === "open" || is === "authorized"))
      return null;
    if (dueItems(state).length === 0 || (money.isByCard && !money.isRefused)) return null;
    return { ok: true, change: { payments: [page({ id: act.newId(), kind: "page", createdAt: act.at })] } };
  },
  "new-card": (state, _world, act) =>
    state.money.isByCard && state.facts.order.confirmedAt && !state.facts.order.end
      ? {
          ok: true,
          change: {
            payments: [page({ id: act.newId(), kind: "setup", createdAt: act.at, state: "saved", hasCard: true })],
          },
        }
      : null,
  "captured-elsewhere": (state, _world, act, [a, b]) => {
    const payment = pick(
      state.facts.payments.filter(({ kind, state: is }) => kind === "page" && (is === "open" || is === "authorized")),
      a,
    );
    // The outcome of a capture that is under way says so itself.
    if (!payment || underWay(state).some(({ paymentId, kind }) => paymentId === payment.id && kind === "capture"))
      return null;
    const cents = payment.state === "open" ? priceOf(state) : payment.authorizedCents;
    return capturedElsewhere(state, payment, b % 4 === 0 ? Math.ceil(cents / 2) : cents, act);
  },
  settle: (state, _world, act, [a, b]) => {
    const attempt = pick(underWay(state), a);
    if (!attempt) return null;
    const { capturedCents, refundedCents } = state.facts.payments.find(({ id }) => id === attempt.paymentId)!;
    const hasRoom = attempt.kind !== "refund" || refundedCents + attempt.cents <= capturedCents;
    const isDone = (b % 4 !== 0 && hasRoom) || attempt.kind === "void";
    return moneyMoved(
      state,
      { attemptId: attempt.id, outcome: isDone ? "done" : "failed", payment: inHand(state, attempt, isDone) },
      act,
    );
  },
  "bank-refuses-refund": (state, _world, act, [a]) => {
    const arranged = new Set(state.facts.payments.filter(({ kind }) => kind === "arranged").map(({ id }) => id));
    const attempt = pick(
      state.facts.attempts.filter(
        ({ kind, state: is, paymentId }) => kind === "refund" && is === "done" && !arranged.has(paymentId),
      ),
      a,
    );
    if (!attempt) return null;
    return moneyMoved(state, { attemptId: attempt.id, outcome: "failed", payment: inHand(state, attempt, false) }, act);
  },
  "refunded-elsewhere": (state, _world, act, [a, b]) => {
    // The provider names what was seen there before; what the shop has only asked for may be overtaken.
    const known = state.facts.attempts.filter(
      ({ kind, state: is }) => kind === "refund" && (is === "done" || is === "sent"),
    );
    const roomOf = ({ id, capturedCents }: Payment) =>
      capturedCents - known.reduce((sum, { paymentId, cents }) => sum + (paymentId === id ? cents : 0), 0);
    const payment = pick(
      state.facts.payments.filter((each) => each.kind !== "arranged" && roomOf(each) > 0),
      a,
    );
    if (!payment) return null;
    const room = roomOf(payment);
    const cents = b % 2 === 0 ? room : 1 + (b % room);
    return refundSeen(state, { paymentId: payment.id, cents, named: known.map(({ id }) => id) }, act);
  },
  ship: (state, world, act, [a, b]) => {
    const units = b % 3 === 0 ? undefined : some(state.units, a).map(({ number }) => number);
    return ship(state, { ...(units && { units }), carrier: "ups", trackingNumber: `T${world.ids}` }, act);
  },
  undo: (state, _world, act, [a]) => {
    const parcel = pick(state.facts.parcels, a);
    return parcel ? undoShipment(state, { parcelId: parcel.id }, act) : null;
  },
  news: (state, _world, act, [a, b]) => {
    const parcel = pick(state.facts.parcels, a);
    const states = ["delivered", "delivered", "refused", "lost"] as const;
    return parcel ? parcelNews(state, { parcelId: parcel.id, state: pick(states, b)! }, act) : null;
  },
  "deliver-all": (state, _world, act) => deliverAll(state, {}, act),
  "receive-back": (state, _world, act, [a, b]) => {
    const parcel = pick(state.facts.parcels, a);
    return parcel ? receiveBack(state, { parcelId: parcel.id, restocks: b % 2 === 0 }, act) : null;
  },
  "send-again": (state, world, act, [a]) => {
    const parcel = pick(state.facts.parcels, a);
    return parcel ? sendAgain(state, { parcelId: parcel.id, shipBy: daysAfter(world.day, 3) }, act) : null;
  },
  "write-off": (state, _world, act, [a]) => {
    const parcel = pick(state.facts.parcels, a);
    return parcel ? writeOff(state, { parcelId: parcel.id, reason: "sold-out" }, act) : null;
  },
  "cancel-units": (state, _world, act, [a, b]) =>
    cancelUnits(
      state,
      {
        units: some(state.units, a).map(({ number }) => number),
        reason: b % 2 === 0 ? "damaged" : "asked",
        restocks: b % 2 === 1,
        refundsReplacements: b % 3 === 0,
      },
      act,
    ),
  end: (state, _world, act, [a]) =>
    endOrder(state, { as: pick(["canceled", "declined", "expired"] as const, a)!, reason: "asked" }, act),
  "refund-units": (state, _world, act, [a, b]) =>
    refund(
      state,
      {
        reason: "damaged",
        units: some(state.units, a).map(({ number }) => number),
        hasShipping: b % 4 === 0,
      },
      act,
    ),
  "refund-services": (state, _world, act, [a]) =>
    refund(state, { reason: "late", services: some(state.money.services, a) }, act),
  goodwill: (state, _world, act, [a, b]) => {
    const goodwillCents = b % 4 === 0 ? state.money.leftForGoodsCents : (a * 37) % 9_000;
    return refund(state, { reason: "goodwill", goodwillCents }, act);
  },
  retry: (state, _world, act, [a]) => {
    const found = pick(state.refunds, a);
    return found ? retryRefund(state, { refundId: found.id }, act) : null;
  },
  "record-sent": (state, _world, act, [a]) => {
    const found = pick(
      state.refunds.filter(({ byHandCents }) => byHandCents > 0),
      a,
    );
    return found ? recordSent(state, { refundId: found.id, cents: found.byHandCents }, act) : null;
  },
  resolve: (state, _world, act, [a]) => {
    const found = pick(state.refunds, a);
    return found ? resolveRefund(state, { refundId: found.id }, act) : null;
  },
  delay: (state, world, act, [a]) =>
    delay(
      state,
      { until: a % 4 === 0 ? null : daysAfter(world.day, 5 + (a % 40)), reason: "supplier", paysAgain: true },
      act,
    ),
  "delay-late": (state, _world, act) => delayLate(state, {}, act),
  "end-unanswered": (state, _world, act) => endUnanswered(state, {}, act),
  "end-unpaid": (state, _world, act) => (state.money.isRefused ? endUnpaid(state, {}, act) : null),
  hold: ({ facts: { order }, stage, packing }, _world, act) =>
    packing || (stage !== "to-ship" && stage !== "partly-shipped")
      ? null
      : { ok: true, change: { order: { onHoldSince: order.onHoldSince ? null : act.at } } },
  "accept-delay": (state, _world, act) => acceptDelay(state, { until: state.promise.shipBy }, act),
  announce: (state, _world, act) => announceCharge(state, {}, act),
  "announce-early": (state, _world, act, [a]) =>
    announceEarly(state, { units: some(state.units, a).map(({ number }) => number) }, act),
  approve: (state, _world, act) => approveCharges(state, { cents: centsOf(toApprove(state)) }, act),
  "record-payment": (state, _world, act) =>
    recordPayment(state, { cents: priceOf(state), arrangement: { how: "check", reference: "" } }, act),
  dispute: (state, _world, act, [a, b]) => {
    const payment = pick(state.facts.payments, a);
    if (!payment) return null;
    if (payment.dispute !== "open") return { ok: true, change: { payments: [{ ...payment, dispute: "open" }] } };
    const isLost = b % 2 === 0 && payment.capturedCents > 0;
    const read: Change = { payments: [{ ...payment, dispute: isLost ? "lost" : "won" }] };
    const cents = isLost ? Math.max(0, payment.capturedCents - payment.refundedCents) : 0;
    const lost = disputeLost(orderState(apply(state.facts, read)), { paymentId: payment.id, cents }, act);
    return lost.ok ? decided(read, lost.change) : lost;
  },
  move: (state, _world, act, [a, b]) => {
    const { order } = state.facts;
    const shippingState = pick(Object.keys(RATES), a)!;
    const address = { ...addressOf(order), shippingPostalCode: String(10_000 + a), shippingState };
    const tax = shippingState === order.shippingState ? null : taxIn(state, shippingState);
    const seenTaxCents = tax ? movedTax(state, tax).toCents : undefined;
    const bears = b % 3 === 0 ? "shop" : "customer";
    return changeAddress(state, { address, from: addressLine(order), tax, seenTaxCents, bears }, act);
  },
  "pay-link": (state, _world, act, [a, b]) => {
    const asked = state.charges.filter(({ by, state: is }) => by === "link" && is === "asked");
    const charge = pick(asked, a);
    if (!charge) return null;
    const payment = page({
      id: act.newId(),
      kind: "page",
      state: "authorized",
      chargeId: charge.id,
      authorizedCents: charge.dueCents,
      createdAt: act.at,
    });
    if (b % 5 === 0) return capturedElsewhere(state, payment, b % 2 === 0 ? charge.dueCents : 1, act);
    return takeLinked(state, { payment }, act);
  },
};
