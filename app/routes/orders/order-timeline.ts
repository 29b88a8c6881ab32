/** Timeline of the order page: its headline and the steps of the order. */
import { CARRIERS, PROGRESS_WORDS, trackingUrl } from "#shop/fulfillment/shipment.ts";
import {
  CANCEL_REASONS,
  DECLINE_REASONS,
  isReason,
  LINE_REASONS,
  SENT_BY_HAND,
} from "#shop/fulfillment/order-actions.ts";
import type { OrderShipment } from "#shop/fulfillment/shipments.server.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { orderDays } from "#shop/orders/order-days.ts";
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import type { OrderViewEvent, OrderViewItem } from "#shop/orders/orders.server.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import type { Promise } from "#shop/orders/state.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import type { Settings } from "#shop/settings/settings.ts";
import { arrivalWords, transitWords } from "#shop/shipping/methods.ts";
import { delayStep } from "./delay-words.ts";
import { headline, isSaving, refundTakes, type Headline } from "./order-headline.ts";

export type OrderState = {
  order: Order;
  /** The settings under which the order was placed. */
  terms: Settings;
  items: OrderViewItem[];
  events: OrderViewEvent[];
  payments: OrderPayment[];
  shipments: OrderShipment[];
  hasPayments: boolean;
  promise: Promise;
  now: Date;
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

type OrderTimeline = Headline & { steps: Step[] };

export function timelineOf(state: OrderState): OrderTimeline {
  return { ...headline(state), steps: [...past(state), ...future(state)] };
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
      return { title: "Payment authorized", text: authorizedWith(data, state) };
    case "card-saved":
    case "card-saved-late":
      return { title: "Card saved", text: cardText(state) };
    case "card-changed":
      return { title: "Card changed" };
    case "charge-refused":
      return {
        title: "Your bank refused the charge",
        text: "Nothing was charged, and the package hasn’t shipped.",
        isTrouble: true,
      };
    case "payment-requested":
    case "charge-asked":
      return { title: "Payment requested" };
    case "payment-recorded":
      return { title: "Payment received" };
    case "payment-received":
      return { title: `${formatMoney(Number(data?.cents))} received` };
    case "capture-failed":
      return { title: "Your bank refused the payment", text: "Nothing was charged.", isTrouble: true };
    case "refund-failed":
      return {
        title: `Refund of ${formatMoney(Number(data?.cents ?? 0))} failed`,
        text: "Your bank didn’t accept it.",
        isTrouble: true,
      };
    case "refunded":
      return data?.isByHand ? { title: `${formatMoney(Number(data.cents))} refunded`, text: SENT_BY_HAND } : null;
    case "line-canceled":
      return { title: "Partly canceled", text: canceledPart(data, state) };
    case "delayed":
      return { title: "Delayed", text: delayStep(data), isTrouble: true };
    case "address-changed":
      return {
        title: "Address changed",
        text: typeof data?.totalCents === "number" ? `Your total is now ${formatMoney(data.totalCents)}.` : undefined,
      };
    case "delay-accepted":
      return { title: "You chose to wait" };
    case "canceled":
      return {
        title: isOwn ? "Canceled by you" : "Canceled",
        text: reasonOf(CANCEL_REASONS, data),
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
    case "parcel-delivered":
      return { title: "One package delivered" };
    case "parcel-refused":
      return { title: "On its way back to us", text: "It was refused, or couldn’t be delivered.", isTrouble: true };
    case "parcel-lost":
      return { title: "The carrier lost a package", isTrouble: true };
    case "parcel-returned":
      return { title: "The package is back with us" };
    case "parcel-resent":
      return { title: "We’re sending it again", text: "You won’t pay for it twice." };
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

/** The card that was saved first. */
function cardText({ payments }: OrderState): string | undefined {
  const card = payments.find(({ kind, method }) => kind === "setup" && method !== null)?.method;
  return card ? `${savedCardName(card)}, charged when it ships` : undefined;
}

/** The order's first payment, unless the event names a later one. */
function authorizedWith(data: OrderEventData | null, { payments }: OrderState): string | undefined {
  const paid = payments.find(({ id, method }) => (data?.paymentId ? id === data.paymentId : method !== null));
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
  const parcels = shipments.flatMap((shipment, i) => [
    {
      title: i === 0 ? "Shipped" : "Another package shipped",
      at: shipment.shippedAt,
      parcel: parcelOf(shipment, state),
    },
    ...(shipment.state === "shipped" && shipment.progress && shipment.progressAt
      ? [{ title: PROGRESS_WORDS[shipment.progress], at: shipment.progressAt }]
      : []),
  ]);
  const refunds = payments.flatMap((payment) =>
    payment.moved
      .filter(({ kind }) => kind === "refund")
      .map(({ amountCents, isDone, at }) => ({
        title: isDone ? `${formatMoney(amountCents)} refunded` : `Refund of ${formatMoney(amountCents)} on its way`,
        text: refundTakes([payment]),
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

function future({ order, promise, items, terms, payments, shipments, hasPayments, now }: OrderState): Step[] {
  const transit = transitWords(terms.shipping, order.shippingMethod);
  const last = shipments.at(-1);
  const payment: Step = isSaving({ payments })
    ? { title: "Card", text: "Saved now, charged when each package ships", at: null }
    : { title: "Payment", text: "Authorized now, charged when it ships", at: null };
  const days = orderDays({ ...order, ...promise }, items, terms.shipping, now);
  const ships: Step = { title: "Ships", text: days.ships, at: null };
  const arrives = (text = days.arrives ?? `${transit} after it ships`): Step => ({ title: "Arrives", text, at: null });
  switch (order.status) {
    case "unpaid":
      return [...(hasPayments ? [payment] : []), ships, arrives()];
    case "processing":
      return [ships, arrives()];
    case "shipped": {
      const rest =
        order.stage === "partly-shipped"
          ? [{ ...ships, title: last?.isSentAgain ? "Ships again" : "The rest ships" }]
          : [];
      if (last && (last.state !== "shipped" || last.isSentAgain)) return rest;
      return [arrives(last ? arrivalWords(terms.shipping, order.shippingMethod, last.shippedAt) : transit), ...rest];
    }
    default:
      return [];
  }
}
