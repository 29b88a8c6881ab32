/** Loads the order page as its visitor may see it. */
import { amountsOf } from "#shop/cart/totals.ts";
import { data, type RouterContextProvider } from "react-router";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { refusedToOthers } from "#platform/log.server.ts";
import { clock } from "#shop/clock.ts";
import {
  addressLines,
  addressOf,
  isEnded,
  isPartlyShipped,
  isByLink,
  isUnpaid,
  isUnsent,
  maskAddress,
  maskEmail,
  orderNumber,
  termsPath,
} from "#shop/orders/order.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { toApprove } from "#shop/orders/actions/announce.ts";
import { mayBuyerCancel } from "#shop/orders/actions/cancel.ts";
import { isToCharge } from "#shop/orders/summary.ts";
import { hasLeft, orderState, type OrderState, type Promise as Promised } from "#shop/orders/state.ts";
import { lineWords, orderDays } from "#shop/orders/order-days.ts";
import { listOrderEvents, listOrderItems, type OrderViewItem } from "#shop/orders/orders.server.ts";
import { dayText, headlineOf } from "#shop/orders/situation-words.ts";
import { extraUnits, situationOf, waits, type Situation } from "#shop/orders/situation.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { latestDay } from "#shop/new-york-time.ts";
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
import { listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { stepsOf } from "./order-timeline.ts";
import { paymentFacts } from "./payment-facts.ts";
import { lastDay, whyNot } from "./returns/request-form.ts";
import { viewOf } from "./returns/return-view.ts";

const noteOf = (item: OrderViewItem, waiting: OrderViewItem[], promise: Promised) => {
  const { quantity, canceledQuantity } = item;
  if (canceledQuantity === quantity) return "Canceled";
  const canceled = canceledQuantity > 0 ? `${canceledQuantity} canceled` : null;
  return [canceled, lineWords(item, waiting, promise, clock.now())].filter(Boolean).join(". ") || undefined;
};

type Announced = { cents: number; day: string };

/** Charges that wait for their day, which the buyer need not wait for: their sum, and the last day. */
function announcedTo(state: OrderState): Announced | null {
  const charges = toApprove(state);
  const day = latestDay(charges.map(({ chargeOn }) => chargeOn));
  return day === null ? null : { day, cents: charges.reduce((sum, { cents }) => sum + cents, 0) };
}

const shipNowWords = ({ cents, day }: Announced, cardName: string | null): string =>
  `We planned to ship on ${dayText(day)}. Instead, we’ll ship it as soon as we can and charge ${formatMoney(cents)} to your ${cardName ?? "card"} when it ships.`;

const MUST_PAY: readonly Situation[] = ["unpaid", "save-card", "pay"];

/** Actions on offer; the server checks them again. */
function actionsOf(state: OrderState, situation: Situation, cardName: string | null) {
  const { promise, money, facts } = state;
  const announced = announcedTo(state);
  return {
    mayPay: hasPayments() && MUST_PAY.includes(situation),
    mayChange: hasPayments() && isUnpaid(state) && !isByLink(facts.order),
    /** No card pays for what a return sends. */
    mayChangeCard: hasPayments() && isUnsent(state) && extraUnits(state).length === 0 && money.card !== null,
    mayChangeAddress: isUnsent(state),
    mayCancel: mayBuyerCancel(state),
    mustAnswerDelay: promise.isAsked,
    shipNow: announced && shipNowWords(announced, cardName),
    /** The buyer agrees to this: a day, none if it is unknown, or cents. */
    seen: { keep: promise.shipBy ?? "", "ship-now": String(announced?.cents ?? 0) },
    holdUntil: isUnpaid(state) ? facts.order.holdUntil : null,
    isByLink: isByLink(facts.order),
  };
}

const isBought = ({ returnId }: OrderViewItem) => returnId === null;

const typedAddress = (order: OrderAccess["order"]) => ({
  ...addressOf(order),
  shippingAddressLine2: order.shippingAddressLine2 ?? undefined,
});

const IN_FULL = `For your privacy, your name and address show only in this browser, for ${policyText.orderInFull} after you order.`;
const MASKED =
  "Your name and address are partly hidden, because anyone with the link in our emails can open this page.";

export async function loadOrder({ order, isOwner, isInFull }: OrderAccess) {
  const [items, events, payments, returns, facts] = await Promise.all([
    listOrderItems(db, [order.id]),
    listOrderEvents(db, order.id),
    listPayments(db, order.id),
    listReturnsOfOrder(db, order.id),
    readFacts(db, order.id),
  ]);
  const state = orderState(facts!);
  const { promise } = state;
  const options = state.parcels.some(hasLeft) ? await returnOptions(db, order.id) : null;
  const terms = settingsAt(order.createdAt);
  const waiting = items.filter(({ id }) => state.units.some((unit) => unit.lineId === id && waits(unit)));
  const now = clock.now();
  const situation = situationOf(state, now);
  const { totalCents } = state;
  const days = orderDays(
    { ...order, ...promise, totalCents, isByLink: isByLink(facts!.order) },
    items,
    terms.shipping,
    now,
  );
  const card = savedCardOf(payments)?.method;
  const said = {
    order: state,
    shipping: terms.shipping,
    days,
    cardName: card ? savedCardName(card) : null,
    hasFailed: Boolean(payments.at(-1)?.problem),
    hasPayments: hasPayments(),
    returnUntil: options && lastDay(options, "return"),
  };
  const mayReturn = options !== null && RETURN_KINDS.some((kind) => whyNot(options, kind) === null);
  const whyNoReturn = options ? whyNot(options, "return") : LINE_REFUSALS["not-shipped"];
  return {
    id: order.id,
    number: orderNumber(order.id),
    isOwner,
    isReadOnly: false,
    placedAt: order.createdAt,
    termsPath: termsPath(order),
    isEnded: isEnded(order),
    timeline: {
      ...headlineOf(situation, said),
      steps: stepsOf({ order, state, days, terms, items, events, payments, hasPayments: hasPayments() }),
    },
    actions: actionsOf(state, situation, said.cardName),
    returns: returns.map((orderReturn) => viewOf(orderReturn, events)),
    mayReturn,
    whyNoReturn: isEnded(order) || isUnpaid(order) || mayReturn ? null : whyNoReturn,
    isRest: isPartlyShipped(order),
    isDayUnknown: promise.shipBy === null,
    lines: items.filter(isBought).map((item) => {
      const {
        canceledQuantity: _,
        shipsFrom: __,
        taxKeptCents: ___,
        discountKeptCents: ____,
        returnId: _____,
        ...line
      } = item;
      return { ...line, note: noteOf(item, waiting, promise) };
    }),
    totals: amountsOf(order),
    /** Less than the total if lines were canceled. */
    chargedCents: totalCents,
    payment: paymentFacts({ ...order, isToCharge: isToCharge(state), payments, hasPayments: hasPayments() }),
    method: methodWords(terms.shipping, order.shippingMethod),
    address: isInFull ? addressLines(order) : maskAddress(order),
    giftMessage: isInFull ? order.giftMessage : null,
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
