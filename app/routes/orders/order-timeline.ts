/** Timeline of the order page: a headline and its steps. */
import { CARRIERS, lastReturnDay, trackingUrl } from "#shop/fulfillment/shipment.ts";
import { DECLINE_REASONS, isReason, LINE_REASONS, UNANSWERED } from "#shop/fulfillment/order-actions.ts";
import type { OrderShipment } from "#shop/fulfillment/shipments.server.ts";
import { formatMoney } from "#shop/money.ts";
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import type { OrderViewEvent, OrderViewItem } from "#shop/orders/orders.server.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import { policyText } from "#shop/policy-text.ts";
import { arrivalWords, SHIPPING_METHODS } from "#shop/shipping/methods.ts";
import { dayText, delayStep, delayWords } from "./delay-words.ts";

export type OrderState = {
  order: Pick<
    Order,
    | "status"
    | "createdAt"
    | "shippingMethod"
    | "promisedOn"
    | "isDayUnknown"
    | "delayAnswerBy"
    | "restToShip"
    | "holdUntil"
    | "deliveredAt"
  >;
  items: OrderViewItem[];
  events: OrderViewEvent[];
  payments: OrderPayment[];
  shipments: OrderShipment[];
  hasPayments: boolean;
};

export type Parcel = {
  carrier: string;
  trackingNumber: string;
  /** Null if the number was deleted with the customer's account. */
  url: string | null;
  /** Empty if the parcel holds the whole order. */
  items: string[];
};

export type Step = {
  title: string;
  text?: string;
  /** Null for future steps. */
  at: Date | null;
  /** A problem, or the end of the order. */
  isTrouble?: true;
  parcel?: Parcel;
};

type OrderTimeline = { title: string; lead: string; steps: Step[] };

const NOT_CHARGED = "You weren’t charged.";

const has = ({ events }: OrderState, type: OrderViewEvent["type"]) => events.some((event) => event.type === type);
const sumOf = (payments: OrderPayment[], amount: "capturedCents" | "authorizedCents" | "refundedCents") =>
  payments.reduce((sum, payment) => sum + payment[amount], 0);

/** The payment was requested or ended unpaid, and nothing has been paid since. */
export function mustPayAgain({ order, events, payments }: Pick<OrderState, "order" | "events" | "payments">): boolean {
  const isPaid = payments.some(({ state }) => state === "authorized" || state === "captured");
  const isAskedFor = payments.length > 0 || events.some(({ type }) => type === "payment-requested");
  return order.status === "processing" && !isPaid && isAskedFor;
}

export function timelineOf(state: OrderState): OrderTimeline {
  return { ...headline(state), steps: [...past(state), ...future(state)] };
}

function headline(state: OrderState): Omit<OrderTimeline, "steps"> {
  const { order, payments } = state;
  const captured = sumOf(payments, "capturedCents");
  const refunded = sumOf(payments, "refundedCents");
  if (captured > 0 && refunded === captured) {
    return { title: "Refunded", lead: `We’ve refunded the full ${formatMoney(refunded)}. ${bankTakes}` };
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

const bankTakes = `Your bank may take ${policyText.refundBankDays} to show it.`;

function unpaid(state: OrderState): Omit<OrderTimeline, "steps"> {
  const problem = state.payments.at(-1)?.problem;
  const again = problem ? "Your last payment didn’t go through. Try again, or use another card. " : "";
  return {
    title: "Waiting for your payment",
    lead: `${again}We’ve reserved your items and charge you only when they ship.`,
  };
}

function processing(state: OrderState): Omit<OrderTimeline, "steps"> {
  const { payments } = state;
  if (mustPayAgain(state)) {
    const failed = has(state, "capture-failed");
    return {
      title: "We need your payment",
      lead: failed
        ? "Your bank didn’t let the payment through, so nothing has shipped. Pay again and we’ll ship it."
        : "Your order is ready for payment. We charge you only when it ships.",
    };
  }
  if (has(state, "delayed")) {
    return {
      title: "Your order is delayed",
      lead: delayWords(state),
    };
  }
  const charge = payments.some(({ state }) => state === "captured")
    ? "We won’t charge you again."
    : payments.some(({ state }) => state === "authorized")
      ? "We charge you only then."
      : NOT_CHARGED;
  return { title: "We’re getting it ready", lead: `We’ll email you when it ships. ${charge}` };
}

function shipped(state: OrderState): Omit<OrderTimeline, "steps"> {
  const { order, shipments, items } = state;
  const last = shipments.at(-1);
  if (last?.state === "refused")
    return { title: "On its way back", lead: "The package was refused and is coming back to us." };
  if (last?.state === "lost")
    return {
      title: "We’re looking for it",
      lead: "The carrier lost a package. We’ll email you as soon as we know more.",
    };
  const days = last && arrivalWords(order.shippingMethod, last.shippedAt);
  const sent = shipments.flatMap((shipment) => shipment.items).reduce((sum, item) => sum + item.quantity, 0);
  const kept = items.reduce((sum, item) => sum + item.quantity - item.canceledQuantity, 0);
  if (sent > 0 && sent < kept)
    return { title: "Partly on its way", lead: `The first package should arrive ${days}. ${restText(state)}` };
  const title = "On its way";
  if (!days) return { title, lead: `${SHIPPING_METHODS[order.shippingMethod].window} from shipping to your door.` };
  return { title, lead: `${shipments.length > 1 ? "The last package" : "It"} should arrive ${days}.` };
}

function restText(state: OrderState): string {
  const isDelayed = state.events.findLast(({ type }) => type === "delayed" || type === "shipped")?.type === "delayed";
  return isDelayed ? delayWords(state) : "The rest will follow.";
}

function delivered({ order, events }: OrderState): Omit<OrderTimeline, "steps"> {
  const at = order.deliveredAt ?? events.findLast(({ type }) => type === "delivered")?.at;
  if (!at) return { title: "Delivered", lead: "We hope you love it." };
  const until = dayText(lastReturnDay(at));
  return { title: "Delivered", lead: `We hope you love it. If not, you can return it until ${until}.` };
}

/** No refund has succeeded since one failed. */
const isRefundFailed = ({ events }: OrderState) =>
  events.findLast(({ type }) => type === "refunded" || type === "refund-failed")?.type === "refund-failed";

function ended(state: OrderState, isCharged: boolean): Omit<OrderTimeline, "steps"> {
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

/** Text of an event; null for internal events and those that parcels and payments show. */
function stepOf({ type, actor, data }: OrderViewEvent, state: OrderState): Omit<Step, "at"> | null {
  const isOwn = actor === "customer" || actor === "guest";
  switch (type) {
    case "placed":
    case "held":
      return { title: "Order placed" };
    case "authorized":
    case "authorized-late":
    case "payment-authorized":
      return { title: "Payment authorized", text: authorizedWith(state) };
    case "payment-requested":
      return { title: "Payment requested" };
    case "payment-recorded":
      return { title: "Payment received" };
    case "capture-failed":
      return { title: "Your bank refused the payment", text: "Nothing was charged.", isTrouble: true };
    case "refund-failed":
      return {
        title: `Refund of ${formatMoney(Number(data?.cents ?? 0))} failed`,
        text: "Your bank didn’t accept it.",
        isTrouble: true,
      };
    case "line-canceled":
      return { title: "Partly canceled", text: canceledPart(data, state) };
    case "delayed":
      return { title: "Delayed", text: delayStep(data), isTrouble: true };
    case "delay-accepted":
      return { title: "You chose to wait" };
    case "canceled":
      return {
        title: isOwn ? "Canceled by you" : "Canceled",
        text: data?.reason === UNANSWERED ? "We couldn’t ship it in time, and didn’t hear that you’d wait." : undefined,
        isTrouble: true,
      };
    case "declined":
      return { title: "Declined", text: reasonOf(DECLINE_REASONS, data), isTrouble: true };
    case "expired":
      return { title: "Payment time expired", isTrouble: true };
    case "shipped":
      return state.shipments.length > 0 ? null : { title: "Shipped" };
    case "shipment-undone":
    case "parcel-undone":
      return { title: "Not shipped yet", text: "We told you too early that it had shipped.", isTrouble: true };
    case "delivered":
      return { title: "Delivered" };
    default:
      return null;
  }
}

const reasonOf = <List extends Record<string, string>>(list: List, data: OrderEventData | null) => {
  const word = String(data?.reason);
  return isReason(list, word) ? list[word] : undefined;
};

function canceledPart(data: OrderEventData | null, { items }: OrderState): string {
  const name = items.find(({ id }) => id === data?.itemId)?.name;
  return [
    name && `${name}.`,
    reasonOf(LINE_REASONS, data),
    data?.refunds ? "We’ll refund it." : "You won’t pay for it.",
  ]
    .filter(Boolean)
    .join(" ");
}

function authorizedWith({ payments }: OrderState): string | undefined {
  const paid = payments.find(({ method }) => method !== null);
  return paid?.method ? paidWith(paid.method) : undefined;
}

function past(state: OrderState): (Step & { at: Date })[] {
  const { order, events, shipments, payments } = state;
  const placed = events.some(({ type }) => type === "placed" || type === "held")
    ? []
    : [{ title: "Order placed", at: order.createdAt }];
  const happened = events.flatMap((event) => {
    const step = stepOf(event, state);
    return step ? [{ ...step, at: event.at }] : [];
  });
  const parcels = shipments.map((shipment, i) => ({
    title: i === 0 ? "Shipped" : "Another package shipped",
    at: shipment.shippedAt,
    parcel: parcelOf(shipment, state),
  }));
  const refunds = payments.flatMap(({ moved }) =>
    moved
      .filter(({ kind }) => kind === "refund")
      .map(({ amountCents, isDone, at }) => ({
        title: isDone ? `${formatMoney(amountCents)} refunded` : `Refund of ${formatMoney(amountCents)} on its way`,
        text: bankTakes,
        at,
      })),
  );
  return [...placed, ...happened, ...parcels, ...refunds].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function parcelOf({ carrier, trackingNumber, items }: OrderShipment, state: OrderState): Parcel {
  const isAll = state.shipments.length === 1 && sentUnits(items) >= sentUnits(state.items);
  const names = items.flatMap(({ orderItemId, quantity }) => {
    const item = state.items.find(({ id }) => id === orderItemId);
    return item ? [quantity > 1 ? `${quantity} × ${item.name}` : item.name] : [];
  });
  return {
    carrier: CARRIERS[carrier].name,
    trackingNumber,
    url: trackingNumber ? trackingUrl(carrier, trackingNumber) : null,
    items: isAll ? [] : names,
  };
}

const sentUnits = (items: { quantity: number; canceledQuantity?: number }[]) =>
  items.reduce((sum, { quantity, canceledQuantity = 0 }) => sum + quantity - canceledQuantity, 0);

function future({ order, shipments, hasPayments }: OrderState): Step[] {
  const { window } = SHIPPING_METHODS[order.shippingMethod];
  const last = shipments.at(-1);
  const payment: Step = { title: "Payment", text: "Authorized now, charged when it ships", at: null };
  const ships: Step = {
    title: "Ships",
    text: order.isDayUnknown ? "We’ll tell you the day as soon as we know it" : `By ${dayText(order.promisedOn)}`,
    at: null,
  };
  const arrives = (text: string): Step => ({ title: "Arrives", text, at: null });
  switch (order.status) {
    case "unpaid":
      return [...(hasPayments ? [payment] : []), ships, arrives(`${window} after it ships`)];
    case "processing":
      return [ships, arrives(`${window} after it ships`)];
    case "shipped":
      if (last && last.state !== "shipped") return [];
      return [arrives(last ? arrivalWords(order.shippingMethod, last.shippedAt) : window)];
    default:
      return [];
  }
}
