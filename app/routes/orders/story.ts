/** What an order's page tells: one headline, and the steps from placing it to its end, in words. Made on the server. */
import { trackingUrl, CARRIERS } from "../../../shop/fulfillment/shipment.ts";
import { lastReturnDay } from "../../../shop/fulfillment/days.ts";
import { DECLINE_REASONS, isReason, LINE_REASONS } from "../../../shop/fulfillment/reasons.ts";
import type { OrderShipment } from "../../../shop/fulfillment/list-shipments.server.ts";
import { formatMoney } from "../../../shop/money.ts";
import type { OrderEventData } from "../../../shop/orders/order.tables.ts";
import type { OrderViewEvent, OrderViewItem } from "../../../shop/orders/order-view.server.ts";
import type { Order } from "../../../shop/orders/orders.server.ts";
import type { OrderPayment } from "../../../shop/payments/list-payments.server.ts";
import { policyText } from "../../../shop/policy-text.ts";
import { expectedDelivery } from "../../../shop/shipping/expected-delivery.ts";
import { SHIPPING_METHODS } from "../../../shop/shipping/methods.ts";
import { paidWith } from "./payment-facts.ts";

export type Told = {
  order: Pick<Order, "status" | "createdAt" | "shippingMethod" | "shipsBy" | "holdUntil" | "deliveredAt">;
  items: OrderViewItem[];
  events: OrderViewEvent[];
  payments: OrderPayment[];
  shipments: OrderShipment[];
  hasPayments: boolean;
};

export type Parcel = {
  carrier: string;
  trackingNumber: string;
  /** Null where the number is gone with its customer's account. */
  url: string | null;
  /** What is in it, where it is not everything. */
  items: string[];
};

export type Step = {
  title: string;
  text?: string;
  /** Null for what is still to come. */
  at: Date | null;
  /** It went wrong, or ended the order. */
  isTrouble?: true;
  parcel?: Parcel;
};

export type Story = { title: string; lead: string; steps: Step[] };

const dayText = (day: Date) => day.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });
const daysText = ({ from, to }: { from: Date; to: Date }) =>
  from.getTime() === to.getTime() ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;
const NOT_CHARGED = "You were not charged.";

export const newest = <One>(list: readonly One[]): One | undefined => list.at(-1);
const has = ({ events }: Told, type: OrderViewEvent["type"]) => events.some((event) => event.type === type);
const sumOf = (payments: OrderPayment[], amount: "capturedCents" | "authorizedCents" | "refundedCents") =>
  payments.reduce((sum, payment) => sum + payment[amount], 0);

/** Its payment has ended without money, or was asked for, and nothing has been paid since. */
export function mustPayAgain({ order, events, payments }: Pick<Told, "order" | "events" | "payments">): boolean {
  const isPaid = payments.some(({ state }) => state === "authorized" || state === "captured");
  const isAskedFor = payments.length > 0 || events.some(({ type }) => type === "payment-requested");
  return order.status === "processing" && !isPaid && isAskedFor;
}

/** A later date was given, and the customer has not said yet whether they wait. */
export const mustAnswerDelay = ({ order, events }: Pick<Told, "order" | "events">): boolean =>
  order.status === "processing" &&
  events.findLast(({ type }) => type === "delayed" || type === "delay-accepted")?.type === "delayed";

export function tellStory(told: Told): Story {
  return { ...headline(told), steps: [...past(told), ...future(told)] };
}

function headline(told: Told): Omit<Story, "steps"> {
  const { order, payments } = told;
  const captured = sumOf(payments, "capturedCents");
  const refunded = sumOf(payments, "refundedCents");
  if (captured > 0 && refunded === captured) {
    return { title: "Refunded", lead: `We have given back all of it, ${formatMoney(refunded)}. ${bankTakes}` };
  }
  switch (order.status) {
    case "unpaid":
      return unpaid(told);
    case "processing":
      return processing(told);
    case "shipped":
      return shipped(told);
    case "delivered":
      return delivered(told);
    case "canceled":
    case "declined":
    case "lapsed":
      return ended(told, captured > 0);
  }
}

const bankTakes = `Your bank may need ${policyText.refundBankDays} to show it.`;

function unpaid(told: Told): Omit<Story, "steps"> {
  const problem = newest(told.payments)?.problem;
  const again = problem ? "The last try did not go through. Try again, or use another card. " : "";
  return {
    title: "Waiting for your payment",
    lead: `${again}We hold everything in your order for you. You are charged only when it ships.`,
  };
}

function processing(told: Told): Omit<Story, "steps"> {
  const { order, payments } = told;
  if (mustPayAgain(told)) {
    const failed = has(told, "capture-failed");
    return {
      title: "We need your payment",
      lead: failed
        ? "Your bank did not let the payment through, so nothing has shipped. Pay again, and we send it."
        : "Your order is ready for your payment. You are charged only when it ships.",
    };
  }
  if (order.shipsBy && has(told, "delayed")) {
    return {
      title: "It takes longer than we said",
      lead: `We expect to ship your order by ${dayText(new Date(order.shipsBy))}. ${mustAnswerDelay(told) ? "Tell us whether you would like to wait." : "Thank you for waiting."}`,
    };
  }
  const isPaid = payments.some(({ state }) => state === "authorized");
  return {
    title: "We are getting it ready",
    lead: `We will write again when it ships. ${isPaid ? "You are charged only then." : NOT_CHARGED}`,
  };
}

function shipped({ order, shipments, items }: Told): Omit<Story, "steps"> {
  const last = newest(shipments);
  if (last?.state === "refused")
    return { title: "On its way back", lead: "The package was refused and comes back to us." };
  if (last?.state === "lost")
    return { title: "We are looking for it", lead: "The carrier has lost a package. We will write to you." };
  const days = last && daysText(expectedDelivery(order.shippingMethod, last.shippedAt));
  const sent = shipments.flatMap((shipment) => shipment.items).reduce((sum, item) => sum + item.quantity, 0);
  const kept = items.reduce((sum, item) => sum + item.quantity - item.canceledQuantity, 0);
  if (sent > 0 && sent < kept)
    return { title: "Partly on its way", lead: `The first package should arrive ${days}. The rest follows.` };
  const title = "On its way";
  if (!days) return { title, lead: `${SHIPPING_METHODS[order.shippingMethod].window} from shipping to your door.` };
  return { title, lead: `${shipments.length > 1 ? "The last package" : "It"} should arrive ${days}.` };
}

function delivered({ order, events }: Told): Omit<Story, "steps"> {
  const at = order.deliveredAt ?? events.findLast(({ type }) => type === "delivered")?.at;
  if (!at) return { title: "Delivered", lead: "We hope it serves you well." };
  const until = dayText(new Date(lastReturnDay(at)));
  return { title: "Delivered", lead: `We hope it serves you well. If not, you can send it back until ${until}.` };
}

function ended({ order }: Told, isCharged: boolean): Omit<Story, "steps"> {
  const money = isCharged
    ? `Your money is on its way back, within ${policyText.cancellationRefundBusinessDays}.`
    : NOT_CHARGED;
  if (order.status === "declined") return { title: "We could not accept this order", lead: `We are sorry. ${money}` };
  if (order.status === "lapsed") {
    return { title: "This order was not paid in time", lead: `We no longer hold it. ${NOT_CHARGED}` };
  }
  return { title: "Canceled", lead: money };
}

/** The words of each event; none for what is the shop's own business, and for what the parcels and payments tell. */
function stepOf({ type, actor, data }: OrderViewEvent, told: Told): Omit<Step, "at"> | null {
  const isOwn = actor === "customer" || actor === "guest";
  switch (type) {
    case "placed":
    case "held":
      return { title: "Order placed" };
    case "authorized":
    case "authorized-late":
    case "payment-authorized":
      return { title: "Payment authorized", text: authorizedWith(told) };
    case "payment-requested":
      return { title: "We asked for your payment" };
    case "capture-failed":
      return { title: "Your bank refused the payment", text: "Nothing was charged.", isTrouble: true };
    case "line-canceled":
      return { title: "Part of it was canceled", text: canceledPart(data, told) };
    case "delayed":
      return { title: "Delayed", text: delayText(data?.until ?? told.order.shipsBy), isTrouble: true };
    case "delay-accepted":
      return { title: "You chose to wait" };
    case "canceled":
      return { title: isOwn ? "You canceled it" : "Canceled", isTrouble: true };
    case "declined":
      return { title: "Declined by us", text: reasonOf(DECLINE_REASONS, data), isTrouble: true };
    case "lapsed":
      return { title: "Time to pay ran out", isTrouble: true };
    case "shipped":
      return told.shipments.length > 0 ? null : { title: "Shipped" };
    case "delivered":
      return { title: "Delivered" };
    default:
      return null;
  }
}

/** A reason of a list, in its words. */
const reasonOf = <List extends Record<string, string>>(list: List, data: OrderEventData | null) => {
  const word = String(data?.reason);
  return isReason(list, word) ? list[word] : undefined;
};

function canceledPart(data: OrderEventData | null, { items }: Told): string {
  const name = items.find(({ id }) => id === data?.itemId)?.name;
  return [name && `${name}.`, reasonOf(LINE_REASONS, data), "You do not pay for it."].filter(Boolean).join(" ");
}

const delayText = (until: unknown) =>
  typeof until === "string" && !Number.isNaN(Date.parse(until)) ? `Ships by ${dayText(new Date(until))}` : undefined;

function authorizedWith({ payments }: Told): string | undefined {
  const paid = payments.find(({ method }) => method !== null);
  return paid?.method ? paidWith(paid.method) : undefined;
}

function past(told: Told): (Step & { at: Date })[] {
  const { order, events, shipments, payments } = told;
  const placed = events.some(({ type }) => type === "placed" || type === "held")
    ? []
    : [{ title: "Order placed", at: order.createdAt }];
  const happened = events.flatMap((event) => {
    const step = stepOf(event, told);
    return step ? [{ ...step, at: event.at }] : [];
  });
  const parcels = shipments.map((shipment, i) => ({
    title: i === 0 ? "Shipped" : "Another package shipped",
    at: shipment.shippedAt,
    parcel: parcelOf(shipment, told),
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

function parcelOf({ carrier, trackingNumber, items }: OrderShipment, told: Told): Parcel {
  const isAll = told.shipments.length === 1 && sentUnits(items) >= sentUnits(told.items);
  const names = items.flatMap(({ orderItemId, quantity }) => {
    const item = told.items.find(({ id }) => id === orderItemId);
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

function future({ order, shipments, hasPayments }: Told): Step[] {
  const { window } = SHIPPING_METHODS[order.shippingMethod];
  const last = newest(shipments);
  const payment: Step = { title: "Payment", text: "Authorized now, charged when it ships", at: null };
  const ships: Step = {
    title: "Ships",
    text: order.shipsBy ? `By ${dayText(new Date(order.shipsBy))}` : undefined,
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
      return [arrives(last ? daysText(expectedDelivery(order.shippingMethod, last.shippedAt)) : window)];
    default:
      return [];
  }
}
