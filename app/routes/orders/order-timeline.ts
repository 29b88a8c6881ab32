/** Steps of an order, on its page. */
import { CARRIERS, PROGRESS_WORDS, trackingUrl, type CarrierCode } from "#shop/fulfillment/shipment.ts";
import { CANCEL_REASONS, DECLINE_REASONS, isReason, LINE_REASONS, SENT } from "#shop/orders/reasons.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { byLine } from "#shop/orders/lines.ts";
import type { OrderDays } from "#shop/orders/order-days.ts";
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import type { OrderViewEvent, OrderViewItem } from "#shop/orders/orders.server.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { dayText, refundTakes } from "#shop/orders/situation-words.ts";
import { extraUnits, waits } from "#shop/orders/situation.ts";
import type { OrderState, ParcelStanding } from "#shop/orders/state.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import type { OrderPayment } from "#shop/payments/payments.server.ts";
import type { Settings } from "#shop/settings/settings.ts";
import { arrivalWords, transitWords } from "#shop/shipping/methods.ts";

export type ShownOrder = {
  order: Order;
  state: OrderState;
  days: OrderDays;
  /** The settings under which the order was placed. */
  terms: Settings;
  items: OrderViewItem[];
  events: OrderViewEvent[];
  payments: OrderPayment[];
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

export const stepsOf = (shown: ShownOrder): Step[] => [...past(shown), ...future(shown)];

const delayStep = (data: OrderEventData | null) =>
  typeof data?.until === "string" ? `Ships by ${dayText(data.until)}` : "New date not known yet";

/** Text of an event; null for internal events and those that parcels and payments show. */
function stepOf({ type, actor, data }: OrderViewEvent, shown: ShownOrder): Omit<Step, "at"> | null {
  const isOwn = actor === "customer" || actor === "guest";
  switch (type) {
    case "placed":
    case "held":
      return { title: "Order placed" };
    case "authorized":
    case "authorized-late":
    case "payment-authorized":
      return { title: "Payment authorized", text: authorizedWith(data, shown) };
    case "card-saved":
    case "card-saved-late":
      return { title: "Card saved", text: cardText(shown) };
    case "card-changed":
      return { title: "Card changed" };
    case "charge-refused":
      return {
        title: "Your bank declined the charge",
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
      return { title: "Your bank declined the payment", text: "Nothing was charged.", isTrouble: true };
    case "refund-failed":
      return {
        title: `Refund of ${formatMoney(Number(data?.cents ?? 0))} failed`,
        text: "Your bank didn’t accept it.",
        isTrouble: true,
      };
    case "refunded":
      // Other refunds stand with the payments.
      return isReason(SENT, data?.sent) && data?.sent !== "by-hand"
        ? { title: `${formatMoney(Number(data?.cents))} refunded`, text: SENT[data.sent] }
        : null;
    case "line-canceled":
      return { title: "Partly canceled", text: canceledPart(data, shown) };
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
      return sentParcels(shown.state).length > 0 ? null : { title: "Shipped" };
    case "shipment-undone":
    case "parcel-undone":
      return { title: "Not shipped yet", text: "We told you too soon that it had shipped.", isTrouble: true };
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
    case "delivered-late":
      return { title: "Delivered" };
    default:
      return null;
  }
}

const reasonOf = <List extends Record<string, string>>(list: List, data: OrderEventData | null) => {
  const word = String(data?.reason);
  return isReason(list, word) ? list[word] : undefined;
};

function canceledPart(data: OrderEventData | null, { items }: ShownOrder): string {
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
function cardText({ payments }: ShownOrder): string | undefined {
  const card = payments.find(({ kind, method }) => kind === "setup" && method !== null)?.method;
  return card ? `${savedCardName(card)}, charged when it ships` : undefined;
}

/** The order's first payment, unless the event names a later one. */
function authorizedWith(data: OrderEventData | null, { payments }: ShownOrder): string | undefined {
  const paid = payments.find(({ id, method }) => (data?.paymentId ? id === data.paymentId : method !== null));
  return paid?.method ? paidWith(paid.method) : undefined;
}

function past(shown: ShownOrder): (Step & { at: Date })[] {
  const { order, events, state, payments } = shown;
  const placed = events.some(({ type }) => type === "placed" || type === "held")
    ? []
    : [{ title: "Order placed", at: order.createdAt }];
  const happened = events.flatMap((event) => {
    const step = stepOf(event, shown);
    return step ? [{ ...step, at: event.at }] : [];
  });
  const parcels = sentParcels(state).flatMap((parcel, i) => [
    {
      title: i === 0 ? "Shipped" : "Another package shipped",
      at: parcel.shippedAt,
      parcel: parcelOf(parcel, shown),
    },
    ...(parcel.state === "shipped" && parcel.progress && parcel.progressAt
      ? [{ title: PROGRESS_WORDS[parcel.progress], at: parcel.progressAt }]
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

type SentParcel = ParcelStanding & { shippedAt: Date };

/** Parcels that left, the first one first. */
const sentParcels = ({ parcels }: OrderState): SentParcel[] =>
  parcels
    .filter((parcel): parcel is SentParcel => parcel.shippedAt !== null)
    .toSorted((a, b) => a.shippedAt.getTime() - b.shippedAt.getTime());

function parcelOf({ carrier, trackingNumber, units }: ParcelStanding, { state }: ShownOrder): Parcel {
  const kept = state.units.filter(({ canceledAt }) => canceledAt === null);
  const isAll = sentParcels(state).length === 1 && units.length >= kept.length;
  const code = carrier as CarrierCode;
  return {
    carrier: CARRIERS[code].name,
    trackingNumber,
    url: trackingNumber ? trackingUrl(code, trackingNumber) : null,
    items: isAll
      ? []
      : byLine(state, units).map(({ line, units: count }) => (count > 1 ? `${count} × ${line.name}` : line.name)),
  };
}

function future({ order, state, days, terms, hasPayments }: ShownOrder): Step[] {
  const transit = transitWords(terms.shipping, order.shippingMethod);
  const last = sentParcels(state).at(-1);
  const payment: Step = state.money.isByCard
    ? { title: "Card", text: "Saved now, charged as each package ships", at: null }
    : { title: "Payment", text: "Authorized now, charged when it ships", at: null };
  const ships: Step = { title: "Ships", text: days.ships, at: null };
  const arrives = (text = days.arrives ?? `${transit} after it ships`): Step => ({ title: "Arrives", text, at: null });
  // The steps of a return tell what it sends.
  if (extraUnits(state).length > 0) return [];
  const isToShip = state.units.some(waits);
  switch (order.status) {
    case "unpaid":
      return [...(hasPayments ? [payment] : []), ships, arrives()];
    case "processing":
      return isToShip ? [ships, arrives()] : [];
    case "shipped": {
      const rest = isToShip ? [{ ...ships, title: last?.isSentAgain ? "Ships again" : "The rest ships" }] : [];
      if (last && (last.state !== "shipped" || last.isSentAgain)) return rest;
      return [arrives(last ? arrivalWords(terms.shipping, order.shippingMethod, last.shippedAt) : transit), ...rest];
    }
    default:
      return [];
  }
}
