/** Words for each situation of an order, wherever its buyer reads of it. */
import { formatMoney } from "#shop/money.ts";
import { PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import { policyText } from "#shop/policy-text.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { arrivalWords } from "#shop/shipping/methods.ts";
import { isLink } from "./order-money.ts";
import { payBy, type OrderDays } from "./order-days.ts";
import {
  astrayParcel,
  extraUnits,
  isPaidFor,
  onceBack,
  parcelsOnTheWay,
  sentParcels,
  type Situation,
  waits,
} from "./situation.ts";
import type { OrderState, ParcelStanding, Promise } from "./state.ts";
import { isToCharge } from "./summary.ts";

/** An order, and what else its sentences say. */
type Said = {
  order: OrderState;
  /** Settings under which it was placed. */
  shipping: ShippingSettings;
  days: OrderDays;
  /** The kept card. */
  cardName: string | null;
  /** The latest payment failed. */
  hasFailed: boolean;
  /** The shop has a provider. */
  hasPayments: boolean;
  /** Last day on which something of it may be returned; null if nothing may. */
  returnUntil: string | null;
};

/** The statuses that have a look of their own in lists. */
export type Look = "processing" | "shipped" | "delivered";

type Words = {
  title: string | ((order: OrderState) => string);
  lead: string | ((said: Said) => string);
  /** In lists. */
  status: string;
  look?: Look;
};

/** "June 10" */
export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

const NOT_CHARGED = "You weren’t charged.";
const IN_RETURN = "You can see your return below.";

export const bankTakes = `Your bank may take ${policyText.refundBankDays} to show it.`;

export const refundFailed = "Your bank didn’t accept the refund. We’re working on it and will email you.";

/** Words about a refund on its way; none for payments arranged with staff, who send the money back themselves. */
export const refundTakes = (payments: readonly { arrangement: unknown }[]): string =>
  payments.some(({ arrangement }) => arrangement) ? "" : bankTakes;

/** The day of a delayed order, or its rest, and what an answer or none does. */
function delayWords({ shipBy, answerBy, isAsked }: Promise, isRest: boolean): string {
  const it = isRest ? "the rest" : "it";
  const day =
    shipBy === null ? `We can’t say yet when ${it} will ship.` : `We expect to ship ${it} by ${dayText(shipBy)}.`;
  if (!isAsked) return `${day} Thanks for waiting.`;
  if (!answerBy) return `${day} You don’t need to do anything to keep ${it}.`;
  return `${day} Please tell us by ${dayText(answerBy)} if you’ll wait. Otherwise we’ll cancel ${it} and you won’t pay for it.`;
}

function payWords({ order, hasPayments }: Said): string {
  if (order.money.isRefused)
    return `Your bank declined the charge, so the package hasn’t shipped, and nothing was charged. Pay by ${dayText(payBy(order))} and we’ll ship it.`;
  // A capture that failed left its charge; the buyer may have paid again since.
  const last = order.facts.payments.findLast((payment) => !isLink(payment));
  if (order.charges.some(({ state, createdAt }) => state === "failed" && (!last || createdAt >= last.createdAt)))
    return `Your bank declined the payment, so ${order.stage === "partly-shipped" ? "the rest hasn’t" : "nothing has"} shipped. Pay again and we’ll ship it.`;
  return `Your order is ready for payment. ${hasPayments ? "You won’t be charged until it ships." : PAYMENT_BY_HAND}`;
}

function chargeWords({ order, cardName }: Said): string {
  const { money, facts } = order;
  if (isToCharge(order) && money.authorized) return "You won’t be charged until then.";
  if (isToCharge(order) && cardName) return `We’ll charge your ${cardName} as each package ships.`;
  return facts.payments.some(({ state }) => state === "captured") ? "We won’t charge you again." : NOT_CHARGED;
}

const arrivalOf = ({ order: { facts }, shipping }: Said, { shippedAt }: ParcelStanding): string =>
  `should arrive ${arrivalWords(shipping, facts.order.shippingMethod, shippedAt!)}.`;

function lastArrival(said: Said): string {
  const { parcels } = said.order;
  const isSplit = parcels.filter(({ shippedAt }) => shippedAt !== null).length > 1;
  const arrived = parcels.some(({ state }) => state === "delivered") ? "The first package has arrived. " : "";
  return `${arrived}${isSplit ? "The last package" : "It"} ${arrivalOf(said, parcelsOnTheWay(said.order).at(-1)!)}`;
}

/** The parcel that arrives next, and the rest. */
function nextArrival(said: Said): string {
  const [next] = parcelsOnTheWay(said.order);
  const first = sentParcels(said.order).find(({ state }) => state === "shipped" || state === "delivered");
  return `The ${next === first ? "first" : "next"} package ${arrivalOf(said, next!)} ${restWords(said)}`;
}

function restWords({ order: { units, promise, facts }, days }: Said): string {
  if (!units.some(waits)) return `You can see your refund below. ${refundTakes(facts.payments)}`.trim();
  if (promise.isAsked || promise.shipBy === null) return delayWords(promise, true);
  if (!days.arrives) return "The rest will follow.";
  return `The rest ships ${days.ships.replace(/^./, (first) => first.toLowerCase())}.`;
}

const REFUNDS = `We’ll refund it within ${policyText.refundBusinessDays}`;
const WRITE = "Just contact us if you’d like it sent again.";
const AGAIN = "We’ll send it to you again";
const COMING_BACK = {
  refund: `${REFUNDS} once we have it back.`,
  again: `${AGAIN} once we have it back.`,
  asked: WRITE,
};
const BACK = { refund: `${REFUNDS}, unless you’d like it sent again.`, again: `${AGAIN}.`, asked: WRITE };

const refundedOf = (refunds: OrderState["refunds"]): number =>
  refunds.reduce((sum, { movingCents }) => sum + movingCents, 0);

function refundWords({ money, refunds, facts }: OrderState): string {
  if (money.paidCents === 0) return NOT_CHARGED;
  if (refunds.every(({ owedCents, underWayCents }) => owedCents + underWayCents === 0))
    return `We’ve refunded ${formatMoney(refundedOf(refunds))}. ${refundTakes(facts.payments)}`.trim();
  return refunds.some(({ hasFailed }) => hasFailed)
    ? refundFailed
    : `Your money is on its way back, within ${policyText.cancellationRefundBusinessDays}.`;
}

function deliveredWords({ order: { units }, returnUntil }: Said): string {
  if (returnUntil) return `We hope you love it. If not, you can return it until ${dayText(returnUntil)}.`;
  const isKept = units.some(({ place, inReturn }) => place === "delivered" && inReturn === null);
  return isKept ? "We hope you love it." : IN_RETURN;
}

function extraName(order: OrderState): string {
  const [unit] = extraUnits(order);
  if (unit?.returnId === null) return "Your product";
  return unit?.replaces === null ? "Your part" : "Your replacement";
}

export const SITUATION_WORDS = {
  unpaid: {
    title: "Waiting for your payment",
    lead: ({ hasFailed }) =>
      `${hasFailed ? "Your last payment didn’t go through. Try again, or pay another way. " : ""}We’ve reserved your items and won’t charge you until they ship.`,
    status: "Unpaid",
  },
  "save-card": {
    title: "Waiting for your card",
    lead: "We’ve reserved your items. Save your card to finish your order. We’ll charge it as each package ships.",
    status: "Unpaid",
  },
  pay: { title: "We need your payment", lead: payWords, status: "Payment due" },
  preparing: {
    title: "We’re getting it ready",
    lead: (said) => `We’ll email you when it ships. ${chargeWords(said)}`,
    status: "Processing",
    look: "processing",
  },
  delayed: {
    title: "Your order is delayed",
    lead: ({ order }) => delayWords(order.promise, false),
    status: "Delayed",
    look: "processing",
  },
  "sending-again": {
    title: "We’re sending it again",
    lead: "We’ll email you when it ships. You won’t pay for it twice.",
    status: "Processing",
    look: "processing",
  },
  "partly-on-its-way": {
    title: "Partly on its way",
    lead: nextArrival,
    status: "Partially shipped",
    look: "shipped",
  },
  "partly-delivered": { title: "Partly delivered", lead: restWords, status: "Partially delivered", look: "shipped" },
  "partly-refunded": { title: "Partly refunded", lead: restWords, status: "Partially refunded" },
  refunding: { title: "Your refund is on its way", lead: ({ order }) => refundWords(order), status: "Being refunded" },
  "on-its-way": { title: "On its way", lead: lastArrival, status: "Shipped", look: "shipped" },
  "out-for-delivery": {
    title: "Out for delivery",
    lead: "It should arrive today.",
    status: "Out for delivery",
    look: "shipped",
  },
  lost: {
    title: "A package is lost",
    lead: ({ order }) =>
      `We’re sorry. We’ll send it again, or ${isPaidFor(astrayParcel(order)!) ? "refund" : "email"} you if we don’t have it anymore.`,
    status: "Package lost",
  },
  "coming-back": {
    title: "On its way back",
    lead: ({ order }) =>
      `The package was refused or couldn’t be delivered. ${COMING_BACK[onceBack(astrayParcel(order)!)]}`,
    status: "On its way back",
  },
  back: {
    title: "Back with us",
    lead: ({ order }) => BACK[onceBack(astrayParcel(order)!)],
    status: "Back with us",
  },
  "extra-ships-soon": {
    title: (order) => `${extraName(order)} ships soon`,
    lead: ({ order: { promise } }) =>
      promise.isMoved ? delayWords(promise, false) : "We’ll email you the tracking number.",
    status: "Processing",
    look: "processing",
  },
  "extra-on-its-way": {
    title: (order) => `${extraName(order)} is on its way`,
    lead: (said) => `It ${arrivalOf(said, parcelsOnTheWay(said.order).at(-1)!)}`,
    status: "Shipped",
    look: "shipped",
  },
  delivered: { title: "Delivered", lead: deliveredWords, status: "Delivered", look: "delivered" },
  returned: { title: "Returned", lead: IN_RETURN, status: "Returned" },
  refunded: {
    title: "Refunded",
    lead: ({ order: { refunds, facts } }) =>
      `We’ve refunded the full ${formatMoney(refundedOf(refunds))}. ${refundTakes(facts.payments)}`.trim(),
    status: "Refunded",
  },
  canceled: { title: "Canceled", lead: ({ order }) => refundWords(order), status: "Canceled" },
  declined: {
    title: "We couldn’t accept this order",
    lead: ({ order }) => `We’re sorry. ${refundWords(order)}`,
    status: "Declined",
  },
  expired: {
    title: "This order wasn’t paid in time",
    lead: `Its items are no longer reserved. ${NOT_CHARGED}`,
    status: "Expired",
  },
} as const satisfies Record<Situation, Words>;

/** The word for lists, and its look; without one it is neutral. */
export function statusOf(situation: Situation): { status: string; look: Look | null } {
  const { status, look }: Words = SITUATION_WORDS[situation];
  return { status, look: look ?? null };
}

export type Headline = { title: string; lead: string };

/** The title and the sentence of the order's page. */
export function headlineOf(situation: Situation, said: Said): Headline {
  const { title, lead }: Words = SITUATION_WORDS[situation];
  return {
    title: typeof title === "string" ? title : title(said.order),
    lead: typeof lead === "string" ? lead : lead(said),
  };
}
