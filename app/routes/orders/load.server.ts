/** Loads the order page as its visitor may see it. */
import { data, type RouterContextProvider } from "react-router";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers } from "#platform/log.server.ts";
import { preOrderWords } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { addressOf } from "#shop/fulfillment/address.server.ts";
import { listShipments } from "#shop/fulfillment/shipments.server.ts";
import { addressLines, amountsCharged, isUnsent, maskAddress, maskEmail, orderNumber } from "#shop/orders/order.ts";
import { isAllowed } from "#shop/orders/lifecycle.ts";
import { listOrderEvents, listOrderItems, type OrderViewItem } from "#shop/orders/orders.server.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { listPayments } from "#shop/payments/payments.server.ts";
import { savedCardOf } from "#shop/payments/saved-card.ts";
import { policyText } from "#shop/policy-text.ts";
import { byNetwork, waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { methodWords } from "#shop/shipping/methods.ts";
import { LINE_REFUSALS } from "#shop/returns/eligibility.ts";
import { RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import { returnOptions } from "#shop/returns/request.server.ts";
import { getReturn, listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { isRestDelayed, mustAnswerDelay } from "./delay-words.ts";
import { mustPayAgain } from "./order-headline.ts";
import { type OrderState, timelineOf } from "./order-timeline.ts";
import { paymentFacts } from "./payment-facts.ts";
import { whyNot } from "./returns/request-form.ts";
import { viewOf } from "./returns/return-view.ts";

const noteOf = ({ quantity, canceledQuantity, shipsFrom }: OrderViewItem) => {
  if (canceledQuantity === quantity) return "Canceled";
  const canceled = canceledQuantity > 0 ? `${canceledQuantity} canceled` : null;
  return [canceled, preOrderWords({ shipsFrom }, clock.now())].filter(Boolean).join(". ") || undefined;
};

/** Actions on offer; the server checks them again. */
function actionsOf(state: OrderState) {
  const { order, events, payments, shipments, hasPayments, isFee } = state;
  const isUnpaid = order.status === "unpaid";
  return {
    mayPay: hasPayments && (isUnpaid || mustPayAgain(state)),
    mayChange: hasPayments && isUnpaid,
    mayChangeCard: hasPayments && isUnsent(order) && savedCardOf(payments) !== null,
    mayChangeAddress: isUnsent(order) && !isFee,
    mayCancel: (isAllowed("canceled", order.status) && shipments.length === 0) || isRestDelayed(state),
    mustAnswerDelay: mustAnswerDelay({ order, events }),
    holdUntil: isUnpaid ? order.holdUntil : null,
  };
}

const typedAddress = (order: OrderAccess["order"]) => ({
  ...addressOf(order),
  shippingAddressLine2: order.shippingAddressLine2 ?? undefined,
});

const IN_FULL = `Only this browser shows your name and address, and only for ${policyText.orderInFull} after your order.`;
const MASKED =
  "Your name and address are partly hidden, because anyone with the link in our emails can open this page.";

export async function loadOrder({ order, isOwner, isInFull }: OrderAccess) {
  const [items, events, payments, shipments, returns, sentFor] = await Promise.all([
    listOrderItems(db, [order.id]),
    listOrderEvents(db, order.id),
    listPayments(db, order.id),
    listShipments(db, order.id),
    listReturnsOfOrder(db, order.id),
    order.replacesReturnId ? getReturn(db, order.replacesReturnId) : null,
  ]);
  const isFee = sentFor?.feeOrderId === order.id;
  const options = shipments.length > 0 ? await returnOptions(db, order.id) : null;
  const terms = settingsAt(order.createdAt);
  const now = clock.now();
  const state: OrderState = {
    order,
    terms,
    items,
    events,
    payments,
    shipments,
    hasPayments: hasPayments(),
    now,
    isFee,
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
    placedAt: order.createdAt,
    termsVersion: order.termsVersion,
    isEnded,
    timeline: timelineOf(state),
    actions: actionsOf(state),
    returns: returns.map((rma) => viewOf(rma, events)),
    mayReturn,
    whyNoReturn: isEnded || isUnpaid || mayReturn || isFee ? null : whyNoReturn,
    isRest: order.restToShip,
    isDayUnknown: order.isDayUnknown,
    lines: items.map((item) => {
      const { canceledQuantity: _, shipsFrom: __, taxCents: ___, ...line } = item;
      return { ...line, note: noteOf(item) };
    }),
    totals: { subtotalCents, shippingCents, taxCents, totalCents },
    /** Less than the total if lines were canceled. */
    chargedCents: amountsCharged(order, items).totalCents,
    payment: paymentFacts({ ...order, payments, hasPayments: hasPayments(), isFee }),
    method: isFee ? "Nothing ships" : methodWords(terms.shipping, order.shippingMethod),
    address: isInFull ? addressLines(order) : maskAddress(order),
    /** Defaults of the address form. */
    typedAddress: isInFull ? typedAddress(order) : { shippingState: order.shippingState },
    email: isInFull ? order.email : maskEmail(order.email),
    privacyNote: isOwner ? null : isInFull ? IN_FULL : MASKED,
  };
}

export type OrderPageData = Awaited<ReturnType<typeof loadOrder>>;

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
