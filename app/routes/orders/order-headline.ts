/** Headline of the order page: the state of an order in one sentence. */
import { lastReturnDay } from "#shop/fulfillment/shipment.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import type { OrderViewEvent } from "#shop/orders/orders.server.ts";
import { isUnsent } from "#shop/orders/order.ts";
import { orderDays } from "#shop/orders/order-days.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import { lastDayToPay, savedCardOf } from "#shop/payments/saved-card.ts";
import { PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import { policyText } from "#shop/policy-text.ts";
import { arrivalWords, transitWords } from "#shop/shipping/methods.ts";
import { dayText, delayWords } from "./delay-words.ts";
import type { OrderState } from "./order-timeline.ts";

export type Headline = { title: string; lead: string };

const NOT_CHARGED = "You weren’t charged.";

const has = ({ events }: OrderState, type: OrderViewEvent["type"]) => events.some((event) => event.type === type);
const sumOf = (payments: OrderPayment[], amount: "capturedCents" | "authorizedCents" | "refundedCents") =>
  payments.reduce((sum, payment) => sum + payment[amount], 0);

/** The bank refused the charge of a parcel, and nothing has been paid since. */
const isChargeRefused = ({ order, payments }: Pick<OrderState, "order" | "payments">): boolean =>
  isUnsent(order) && Boolean(savedCardOf(payments)?.refusedAt);

/** The payment was requested or ended unpaid, and nothing has been paid since. */
export function mustPayAgain({ order, events, payments }: Pick<OrderState, "order" | "events" | "payments">): boolean {
  if (savedCardOf(payments)) return isChargeRefused({ order, payments });
  const isPaid = payments.some(({ state }) => state === "authorized" || state === "captured");
  const isAskedFor = payments.length > 0 || events.some(({ type }) => type === "payment-requested");
  return order.status === "processing" && !isPaid && isAskedFor;
}

export function headline(state: OrderState): Headline {
  const { order, payments } = state;
  const captured = sumOf(payments, "capturedCents");
  const refunded = sumOf(payments, "refundedCents");
  if (captured > 0 && refunded === captured && order.stage !== "partly-shipped") {
    return {
      title: "Refunded",
      lead: `We’ve refunded the full ${formatMoney(refunded)}. ${refundTakes(payments)}`.trim(),
    };
  }
  switch (order.status) {
    case "unpaid":
      return unpaid(state);
    case "processing":
      return processing(state);
    case "shipped":
      return shipped(state);
    case "delivered":
      return delivered(state);
    case "canceled":
    case "declined":
    case "expired":
      return ended(state, captured > 0);
  }
}

export const bankTakes = `Your bank may take ${policyText.refundBankDays} to show it.`;

/** Words about a refund on its way; none for payments arranged with staff, who send the money back themselves. */
export const refundTakes = (payments: Pick<OrderPayment, "arrangement">[]): string =>
  payments.some(({ arrangement }) => arrangement) ? "" : bankTakes;

/** The order's page saves a card. */
export const isSaving = ({ payments }: Pick<OrderState, "payments">) => payments.some(({ kind }) => kind === "setup");

/** Title and text while the bank refuses a charge. */
function refused({ payments }: OrderState): Headline {
  const keptUntil = dayText(lastDayToPay(savedCardOf(payments)?.refusedAt ?? new Date(0)));
  return {
    title: "We need your payment",
    lead: `Your bank refused the charge, so the package hasn’t shipped, and nothing was charged. Pay by ${keptUntil} and we’ll ship it.`,
  };
}

function unpaid(state: OrderState): Headline {
  if (isSaving(state)) {
    return {
      title: "Waiting for your card",
      lead: "We’ve reserved your items. Save your card to finish your order: we charge it when each package ships.",
    };
  }
  const problem = state.payments.at(-1)?.problem;
  const again = problem ? "Your last payment didn’t go through. Try again, or pay another way. " : "";
  return {
    title: "Waiting for your payment",
    lead: `${again}We’ve reserved your items and charge you only when they ship.`,
  };
}

function processing(state: OrderState): Headline {
  const { payments } = state;
  if (isChargeRefused(state)) return refused(state);
  if (mustPayAgain(state)) {
    const failed = has(state, "capture-failed");
    return {
      title: "We need your payment",
      lead: failed
        ? "Your bank didn’t let the payment through, so nothing has shipped. Pay again and we’ll ship it."
        : `Your order is ready for payment. ${state.hasPayments ? "We charge you only when it ships." : PAYMENT_BY_HAND}`,
    };
  }
  if (state.promise.isMoved) return { title: "Your order is delayed", lead: delayWords(state.promise, false) };
  const card = savedCardOf(payments)?.method;
  if (card && !payments.some(({ state }) => state === "authorized")) {
    return {
      title: "We’re getting it ready",
      lead: `We’ll email you when it ships. We charge your ${savedCardName(card)} when each package ships.`,
    };
  }
  const charge = payments.some(({ state }) => state === "captured")
    ? "We won’t charge you again."
    : payments.some(({ state }) => state === "authorized")
      ? "We charge you only then."
      : NOT_CHARGED;
  return { title: "We’re getting it ready", lead: `We’ll email you when it ships. ${charge}` };
}

function shipped(state: OrderState): Headline {
  const { order, terms, shipments, items, payments } = state;
  if (isChargeRefused(state)) return refused(state);
  const parcels = shipments.filter(({ isSentAgain }) => !isSentAgain);
  const inTrouble = parcels.findLast((parcel) => isAstray(parcel) && !parcel.wasRefunded);
  if (inTrouble) return troubled(inTrouble, sumOf(payments, "capturedCents") > sumOf(payments, "refundedCents"));
  const underWay = parcels.filter((parcel) => !isAstray(parcel));
  const last = underWay.at(-1);
  const days = last && arrivalWords(terms.shipping, order.shippingMethod, last.shippedAt);
  const bought = items.filter(({ returnId }) => returnId === null);
  const sent = parcels
    .flatMap((shipment) => shipment.items)
    .filter(({ orderItemId }) => bought.some(({ id }) => id === orderItemId))
    .reduce((sum, item) => sum + item.quantity, 0);
  const kept = bought.reduce((sum, item) => sum + item.quantity - item.canceledQuantity, 0);
  if (sent === 0 && shipments.length > 0)
    return { title: "We’re sending it again", lead: "We’ll email you when it ships. You won’t pay for it twice." };
  const isOnItsWay = underWay.some((parcel) => parcel.state === "shipped");
  if (sent > 0 && (sent < kept || !isOnItsWay)) return partly(state, underWay);
  if (last?.state === "shipped" && last.progress === "out-for-delivery")
    return { title: "Out for delivery", lead: "It should arrive today." };
  const title = "On its way";
  if (!days)
    return { title, lead: `${transitWords(terms.shipping, order.shippingMethod)} from shipping to your door.` };
  return { title, lead: `${shipments.length > 1 ? "The last package" : "It"} should arrive ${days}.` };
}

const isAstray = ({ state }: OrderState["shipments"][number]) => state === "refused" || state === "lost";

/** Title and text while units are left to ship, or nothing is on its way. */
function partly(state: OrderState, underWay: OrderState["shipments"]): Headline {
  const next = underWay.find((parcel) => parcel.state === "shipped");
  if (!next) return { title: underWay.length > 0 ? "Partly delivered" : "Partly refunded", lead: restText(state) };
  const days = arrivalWords(state.terms.shipping, state.order.shippingMethod, next.shippedAt);
  const which = next === underWay[0] ? "first" : "next";
  return { title: "Partly on its way", lead: `The ${which} package should arrive ${days}. ${restText(state)}` };
}

/** `isPaid`: there is money to refund. */
function troubled({ state, returnedAt }: OrderState["shipments"][number], isPaid: boolean): Headline {
  if (state === "lost")
    return {
      title: "A package is lost",
      lead: `We’re sorry. We’ll send it again, or ${isPaid ? "refund" : "write to"} you if we don’t have it anymore.`,
    };
  const refund = `We’ll refund it within ${policyText.refundBusinessDays}`;
  const again = "Just write to us if you’d like it sent again.";
  if (returnedAt)
    return { title: "Back with us", lead: isPaid ? `${refund}, unless you’d like it sent again.` : again };
  return {
    title: "On its way back",
    lead: `The package was refused or couldn’t be delivered. ${isPaid ? `${refund} once we have it back.` : again}`,
  };
}

function restText(state: OrderState): string {
  const { order, promise, items, payments } = state;
  if (order.stage !== "partly-shipped") return `You can see your refund below. ${refundTakes(payments)}`.trim();
  if (promise.isAsked || promise.shipBy === null) return delayWords(promise, true);
  const { ships, arrives } = orderDays({ ...order, ...promise }, items, state.terms.shipping, state.now);
  return arrives ? `The rest ships ${ships.replace(/^./, (first) => first.toLowerCase())}.` : "The rest will follow.";
}

function delivered({ order, terms, events, now }: OrderState): Headline {
  const at = order.deliveredAt ?? events.findLast(({ type }) => type === "delivered")?.at;
  const until = at && lastReturnDay(at, terms.returns);
  if (!until || newYorkDay(now) > until || order.totalCents === 0)
    return { title: "Delivered", lead: "We hope you love it." };
  return { title: "Delivered", lead: `We hope you love it. If not, you can return it until ${dayText(until)}.` };
}

/** No refund has succeeded since one failed. */
const isRefundFailed = ({ events }: OrderState) =>
  events.findLast(({ type }) => type === "refunded" || type === "refund-failed")?.type === "refund-failed";

function ended(state: OrderState, isCharged: boolean): Headline {
  const { order } = state;
  const money = !isCharged
    ? NOT_CHARGED
    : isRefundFailed(state)
      ? "Your bank didn’t accept the refund. We’re working on it and will email you."
      : `Your money is on its way back, within ${policyText.cancellationRefundBusinessDays}.`;
  if (order.status === "declined") return { title: "We couldn’t accept this order", lead: `We’re sorry. ${money}` };
  if (order.status === "expired") {
    return { title: "This order wasn’t paid in time", lead: `Its items are no longer reserved. ${NOT_CHARGED}` };
  }
  return { title: "Canceled", lead: money };
}
