/** Loads the order page as its visitor may see it. */
import { data, type RouterContextProvider } from "react-router";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers } from "#platform/log.server.ts";
import { clock } from "#shop/clock.ts";
import { listShipments } from "#shop/fulfillment/shipments.server.ts";
import {
  addressLines,
  addressOf,
  amountsCharged,
  isUnsent,
  maskAddress,
  maskEmail,
  orderNumber,
  termsPath,
} from "#shop/orders/order.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { isAllowed } from "#shop/orders/lifecycle.ts";
import { toApprove } from "#shop/orders/actions/announce.ts";
import {
  orderState,
  type OrderState as StateOfOrder,
  type Promise as Promised,
  type UnitState,
} from "#shop/orders/state.ts";
import { lineWords } from "#shop/orders/order-days.ts";
import { listOrderEvents, listOrderItems, type Order, type OrderViewItem } from "#shop/orders/orders.server.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { latestDay } from "#shop/new-york-time.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { listPayments } from "#shop/payments/payments.server.ts";
import { savedCardOf } from "#shop/payments/saved-card.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { byNetwork, waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { methodWords } from "#shop/shipping/methods.ts";
import { LINE_REFUSALS } from "#shop/returns/eligibility.ts";
import { RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import { returnOptions } from "#shop/returns/request.server.ts";
import { listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { mustPayAgain } from "./order-headline.ts";
import { type OrderState, timelineOf } from "./order-timeline.ts";
import { paymentFacts } from "./payment-facts.ts";
import { whyNot } from "./returns/request-form.ts";
import { viewOf } from "./returns/return-view.ts";

const noteOf = (item: OrderViewItem, items: OrderViewItem[], promise: Promised) => {
  const { quantity, canceledQuantity } = item;
  if (canceledQuantity === quantity) return "Canceled";
  const canceled = canceledQuantity > 0 ? `${canceledQuantity} canceled` : null;
  return [canceled, lineWords(item, items, promise, clock.now())].filter(Boolean).join(". ") || undefined;
};

type Announced = { cents: number; day: string };

/** Charges that wait for their day, which the buyer need not wait for: their sum, and the last day. */
function announcedTo(state: StateOfOrder): Announced | null {
  const charges = toApprove(state);
  const day = latestDay(charges.map(({ chargeOn }) => chargeOn));
  return day === null ? null : { day, cents: charges.reduce((sum, { cents }) => sum + cents, 0) };
}

const shipNowWords = ({ cents, day }: Announced, payments: Parameters<typeof savedCardOf>[0]): string => {
  const card = savedCardOf(payments)?.method;
  return `We planned to ship on ${dayText(day)}. Instead, we ship as soon as we can, and charge ${formatMoney(cents)} to your ${card ? savedCardName(card) : "card"} when it leaves.`;
};

/** Actions on offer; the server checks them again. */
function actionsOf(state: OrderState, announced: Announced | null) {
  const { order, promise, payments, shipments, hasPayments } = state;
  const isUnpaid = order.status === "unpaid";
  return {
    mayPay: hasPayments && (isUnpaid || mustPayAgain(state)),
    mayChange: hasPayments && isUnpaid,
    mayChangeCard: hasPayments && isUnsent(order) && savedCardOf(payments) !== null,
    mayChangeAddress: isUnsent(order),
    mayCancel:
      (isAllowed("canceled", order.status) && shipments.length === 0) ||
      (order.stage === "partly-shipped" && promise.isMoved),
    mustAnswerDelay: promise.isAsked,
    shipNow: announced && shipNowWords(announced, payments),
    holdUntil: isUnpaid ? order.holdUntil : null,
  };
}

const isUnderWay = ({ place }: UnitState) => place === "waiting" || place === "packing" || place === "shipped";

/** The order as its lines that were bought stand: what is sent for a return, its own words tell. */
function asBought<Row extends Pick<Order, "status" | "stage">>(order: Row, facts: Facts): Row {
  const underWay = orderState(facts).units.filter(isUnderWay);
  const isForReturn = underWay.length > 0 && underWay.every(({ sentFor }) => sentFor !== null);
  return isForReturn && order.status === "shipped" ? { ...order, status: "delivered", stage: "delivered" } : order;
}

const isBought = ({ returnId }: OrderViewItem) => returnId === null;

const typedAddress = (order: OrderAccess["order"]) => ({
  ...addressOf(order),
  shippingAddressLine2: order.shippingAddressLine2 ?? undefined,
});

const IN_FULL = `Only this browser shows your name and address, and only for ${policyText.orderInFull} after your order.`;
const MASKED =
  "Your name and address are partly hidden, because anyone with the link in our emails can open this page.";

export async function loadOrder({ order, isOwner, isInFull }: OrderAccess) {
  const [items, events, payments, shipments, returns, facts] = await Promise.all([
    listOrderItems(db, [order.id]),
    listOrderEvents(db, order.id),
    listPayments(db, order.id),
    listShipments(db, order.id),
    listReturnsOfOrder(db, order.id),
    readFacts(db, order.id),
  ]);
  const known = orderState(facts!);
  const { promise } = known;
  const options = shipments.length > 0 ? await returnOptions(db, order.id) : null;
  const terms = settingsAt(order.createdAt);
  const now = clock.now();
  const state: OrderState = {
    order: asBought(order, facts!),
    terms,
    promise,
    items,
    events,
    payments,
    shipments,
    hasPayments: hasPayments(),
    now,
  };
  const mayReturn = options !== null && RETURN_KINDS.some((kind) => whyNot(options, kind) === null);
  const whyNoReturn = options ? whyNot(options, "return") : LINE_REFUSALS["not-shipped"];
  const isUnpaid = order.status === "unpaid";
  const isEnded = order.status === "canceled" || order.status === "declined" || order.status === "expired";
  const { subtotalCents, shippingCents, taxCents, totalCents } = order;
  return {
    id: order.id,
    number: orderNumber(order.id),
    isOwner,
    isReadOnly: false,
    placedAt: order.createdAt,
    termsPath: termsPath(order),
    isEnded,
    timeline: timelineOf(state),
    actions: actionsOf(state, announcedTo(known)),
    returns: returns.map((rma) => viewOf(rma, events)),
    mayReturn,
    whyNoReturn: isEnded || isUnpaid || mayReturn ? null : whyNoReturn,
    isRest: order.stage === "partly-shipped",
    isDayUnknown: promise.shipBy === null,
    lines: items.filter(isBought).map((item) => {
      const { canceledQuantity: _, shipsFrom: __, taxCents: ___, returnId: ____, ...line } = item;
      return { ...line, note: noteOf(item, items, promise) };
    }),
    totals: { subtotalCents, shippingCents, taxCents, totalCents },
    /** Less than the total if lines were canceled. */
    chargedCents: amountsCharged(order, items).totalCents,
    payment: paymentFacts({ ...order, payments, hasPayments: hasPayments() }),
    method: methodWords(terms.shipping, order.shippingMethod),
    address: isInFull ? addressLines(order) : maskAddress(order),
    /** Defaults of the address form. */
    typedAddress: isInFull ? typedAddress(order) : { shippingState: order.shippingState },
    email: isInFull ? order.email : maskEmail(order.email),
    privacyNote: isOwner ? null : isInFull ? IN_FULL : MASKED,
  };
}

export type OrderPageData = Awaited<ReturnType<typeof loadOrder>>;

const READ_ONLY =
  "Your browser blocks cookies, so you can only read this page. Allow cookies for this site and open the link again to change your order, print a receipt, or return it.";

/** The order without what needs its cookie. */
export const readOnly = (order: OrderPageData): OrderPageData => ({
  ...order,
  isReadOnly: true,
  actions: {
    ...order.actions,
    mayPay: false,
    mayChange: false,
    mayChangeCard: false,
    mayChangeAddress: false,
    mayCancel: false,
    mustAnswerDelay: false,
    shipNow: null,
  },
  returns: [],
  mayReturn: false,
  whyNoReturn: null,
  privacyNote: READ_ONLY,
});

const HOUR = 3600;

type NotShownData = { order: null; wait: string | null };

/** One response for missing orders, invalid or revoked links and orders of others, limited by network. */
export async function notShown(context: Readonly<RouterContextProvider>) {
  refusedToOthers("order");
  const subject = callerNetwork(context);
  const limits = byNetwork({ name: "order link by network", subject, points: 60, seconds: HOUR });
  const refused = await rateLimits.consume(limits);
  const body: NotShownData = { order: null, wait: refused && waitMessage(refused.wait) };
  return data(body, { status: refused ? 429 : 404, headers: NO_STORE });
}
