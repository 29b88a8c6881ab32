/** Loads one order without fields that the role may not read. */
import { amountsOf } from "#shop/cart/totals.ts";
import type { RouterContextProvider } from "react-router";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { getOrderDetails, listOrderPage, neighborsOf, type OrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { byCardWords, nextAction, ORDER_ACTIONS, type OrderAction, whyNot } from "#shop/fulfillment/order-actions.ts";
import { waitsFor } from "#shop/fulfillment/ready-units.ts";
import { mustArrange } from "#shop/fulfillment/views.ts";
import { type CarrierCode, CARRIERS } from "#shop/fulfillment/shipment.ts";
import { savedCardName } from "#shop/card-name.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { listOrderEmails } from "#shop/mail/mailbox.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { addressLine, addressOf, isToShip, isUnpaid, isUnsent, orderNumber, termsPath } from "#shop/orders/order.ts";
import type { Stage } from "#shop/orders/lifecycle.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import type { Service } from "#shop/orders/order-money.ts";
import { orderDays } from "#shop/orders/order-days.ts";
import { listOrderItems } from "#shop/orders/orders.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { arrangedWith } from "#shop/payments/arrangement.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import type { LineRefusal } from "#shop/returns/eligibility.ts";
import { exchangeChoices } from "#shop/returns/exchange.server.ts";
import { returnOptions } from "#shop/returns/request.server.ts";
import { KIND_WORDS, STATE_WORDS } from "#shop/returns/return.ts";
import { listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { methodWords, shortName } from "#shop/shipping/methods.ts";
import { may, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { isWaiting } from "#shop/orders/state.ts";
import { staffNames } from "#shop/staff/staff.server.ts";
import type { Role } from "#shop/roles.ts";
import { actingOf, staffOf } from "#app/session/staff.server.ts";
import { ADMIN_ACCESS } from "../../access.ts";
import { dueOf } from "../../returns/due.ts";
import { orderFilter } from "../load.server.ts";
import { flagsOf, paymentWordsOf, statusWordsOf } from "../order-table.tsx";
import { labelOf, parcelsOf } from "./load-parcels.server.ts";
import { dashboardOf, paymentWords, problemWords } from "./payment-words.ts";
import { timelineOf } from "./timeline.ts";

type Resendable = { value: string; name: string; job: EmailJob };

const PATTERN = "/admin/orders/:orderId";

const ENDS: Partial<Record<Stage, { name: string; template: "order-canceled" | "order-declined" }>> = {
  canceled: { name: "Cancellation", template: "order-canceled" },
  declined: { name: "Order declined", template: "order-declined" },
};

/** Resendable emails, newest first. The confirmation says that nothing was charged yet, of an order placed at checkout. */
export function emailsOf({ order, state: { stage, parcels, money, facts } }: OrderDetails): Resendable[] {
  const { id: orderId } = order;
  const emails: Resendable[] = [];
  if (isUnpaid({ stage }))
    emails.push({ value: "link", name: "Link to pay", job: { template: "order-to-pay", orderId } });
  if (!facts.order.confirmedAt) return emails;
  if (isToShip({ stage }) && money.paidCents === 0)
    emails.push({
      value: "confirmation",
      name: "Order confirmation",
      job: { template: "order-confirmation", orderId },
    });
  for (const [i, { id, carrier }] of parcels.filter(({ shippedAt }) => shippedAt !== null).entries()) {
    const template = i === 0 ? ("order-shipped" as const) : ("parcel-shipped" as const);
    const name = `Shipping confirmation ${i + 1}, ${CARRIERS[carrier as CarrierCode].name}`;
    emails.push({ value: id, name, job: { template, orderId, shipmentId: id } });
  }
  if (order.deliveredAt)
    emails.push({ value: "delivered", name: "Delivery confirmation", job: { template: "order-delivered", orderId } });
  const end = ENDS[stage];
  if (end) emails.push({ value: stage, name: end.name, job: { template: end.template, orderId } });
  return emails.toReversed();
}

export const namesOfStaff = async () => new Map((await staffNames(db)).map(({ id, name }) => [id, name]));

/** Null if the order does not exist. `query`: the filters of the list that it was opened from. */
export async function loadOrder(context: Readonly<RouterContextProvider>, orderId: string, query: URLSearchParams) {
  const { role } = staffOf(context);
  const filter = await orderFilter(context, query);
  const [found, names, returns, items, queued, beside] = await Promise.all([
    getOrderDetails(db, orderId),
    namesOfStaff(),
    listReturnsOfOrder(db, orderId),
    listOrderItems(db, [orderId]),
    listOrderEmails(db, orderId),
    filter && neighborsOf(db, filter, orderId),
  ]);
  if (!found) return null;
  const { order, state, lines, events } = found;
  const { promise } = state;
  const now = clock.now();
  const allowed = ADMIN_ACCESS[PATTERN]?.actions ?? {};
  const mayDo = (intent: string) => allowed[intent] !== undefined && may(role, allowed[intent]);
  const sums = may(role, "orders:sums");
  const today = newYorkDay(now);
  const guarded = { state, today, isAnonymous: order.email === "", hasProvider: paymentProviders() !== null };
  const why: Partial<Record<OrderAction, string | null>> = {};
  for (const intent of ORDER_ACTIONS) if (mayDo(intent)) why[intent] = whyNot(intent, guarded);
  // A cancellation for a reason of the shop's own.
  if (mayDo("cancel")) why.decline = whyNot("decline", guarded);
  const next = nextAction(guarded);
  const captureBefore = state.money.authorized?.captureBefore ?? null;
  const { shipping } = settingsAt(order.createdAt);
  const methodName = shipping[order.shippingMethod].name;
  const [label, { parcels, voidedLabels }] = await Promise.all([
    why.rates === null ? labelOf(found, actingOf(context), { sums }) : null,
    parcelsOf(found),
  ]);
  const noReturn = mayDo("return") ? await whyNoReturn(found) : undefined;
  return {
    id: order.id,
    number: orderNumber(order.id),
    placedAt: order.createdAt,
    status: statusWordsOf(order),
    flags: flagsOf({ ...order, methodName, captureBefore }, now),
    isWithoutPayment: mustArrange(order),
    toPay: mayDo("email") ? toPayOf(found, now) : null,
    /** Reason that the saved card cannot be charged yet, and nothing can ship. */
    cardNote: byCardWords(guarded),
    termsVersion: order.termsVersion,
    termsPath: termsPath(order),
    hasBillingAddress: !order.billingAddressSameAsShipping,
    days: isUnsent(order)
      ? {
          shipBy: order.shipBy,
          told: orderDays({ ...order, ...promise, totalCents: state.totalCents }, lines, shipping, clock.now()),
        }
      : null,
    delayTerms: found.delayTerms,
    /** Day on which the authorization ends. */
    holdEndsOn: captureBefore && newYorkDay(captureBefore),
    methodName: shortName(methodName),
    method: methodWords(shipping, order.shippingMethod),
    why,
    next: next && mayDo(next) ? next : null,
    returns: returns.map(({ id, number, kind, state, createdAt, shipBy, dueOn }) => ({
      id,
      number,
      words: `${KIND_WORDS[kind]}, ${STATE_WORDS[state].toLowerCase()}`,
      tone: dueOf({ state, createdAt, shipBy, dueOn }, newYorkDay(now)).tone,
    })),
    /** Undefined if the role may not open a return. */
    whyNoReturn: noReturn,
    nextToShip: mayDo("ship") && !state.units.some(isWaiting) && state.parcels.length > 0 ? await firstToShip() : null,
    exchanges: noReturn === null ? await exchangesFor(found) : [],
    returnKey: crypto.randomUUID(),
    mayPlace: may(role, "orders:place"),
    mayNote: mayDo("note"),
    mayRefund: mayDo("resolve-refund"),
    /** Id of the newest event shown. */
    seen: events.at(-1)?.id ?? 0,
    previous: beside?.previous ?? null,
    following: beside?.next ?? null,
    customerPath: may(role, "customers:read") ? customerPath(order) : null,
    lines: lines.map(({ priceCents, taxCents, refundable, ...line }) => {
      const { slug = null, thumbnail = null } = items.find(({ id }) => id === line.id) ?? {};
      const amounts = sums && { priceCents, taxCents };
      return {
        ...line,
        slug,
        thumbnail,
        waitsFor: waitsFor(line, now),
        sentFor: returns.find(({ id }) => id === line.returnId)?.number ?? null,
        refundable: sums ? refundable : [],
        ...amounts,
      };
    }),
    address: addressOf(order),
    giftMessage: order.giftMessage,
    addressSeen: addressLine(order),
    label,
    parcels,
    voidedLabels,
    timeline: timelineOf(found, names, sums, queued),
    emails: mayDo("email") ? emailsOf(found).map(({ value, name }) => ({ value, name })) : [],
    ...(sums && { money: moneyOf(found, returns, role) }),
  };
}

/** The link by which a customer pays, and the end of the reservation; null once it is over or the order is paid. */
function toPayOf({ order, state: { stage, facts } }: OrderDetails, now: Date) {
  const { holdUntil } = facts.order;
  if (!isUnpaid({ stage }) || !holdUntil || holdUntil <= now) return null;
  return { until: holdUntil, url: orderUrl(order, config()) };
}

/** The order that must ship first. Null if there is none. */
const firstToShip = async (): Promise<string | null> =>
  (await listOrderPage(db, { view: "to-ship" }, null, 1)).orders[0]?.id ?? null;

const NO_RETURN: Partial<Record<LineRefusal, string>> = {
  "not-shipped": "Nothing in this order has shipped.",
  "in-return": "All items are in a return.",
  refunded: "All items are refunded.",
  astray: "Its packages are lost, or on their way back.",
};

/** Null for a person whose data was erased. */
function customerPath({ userId, email }: OrderDetails["order"]): string | null {
  if (userId) return `/admin/customers/${userId}`;
  return email ? `/admin/customers/by-email?email=${encodeURIComponent(email)}` : null;
}

/** Reason that nothing of an order may come back; null if something may. */
async function whyNoReturn({ order, state }: OrderDetails): Promise<string | null> {
  const options = state.parcels.length > 0 ? await returnOptions(db, order.id) : null;
  const all = (options ?? []).flatMap(({ kinds }) => Object.values(kinds));
  if (all.some(({ why }) => why === null)) return null;
  return NO_RETURN[all[0]?.why ?? "not-shipped"] ?? "Its return window has closed.";
}

/** Products for which something of an order may be exchanged, at today's prices. */
async function exchangesFor({ order, lines }: OrderDetails) {
  const choices = await Promise.all(lines.map(({ id }) => exchangeChoices(db, order.id, { lineId: id, units: 1 })));
  return [...new Map(choices.flat().map((choice) => [choice.productId, choice])).values()];
}

const SERVICES: Record<Service["kind"], string> = { fee: "Diagnostic fee", repair: "Repair" };

/** A service, as a form chooses it. */
export const serviceValue = ({ returnId, kind }: Pick<Service, "returnId" | "kind">) => `${kind}-${returnId}`;

function moneyOf(
  { order, state, payments }: OrderDetails,
  returns: readonly { id: string; number: string }[],
  role: Role,
) {
  const { money, shipping, refunds, facts } = state;
  const arranged = new Set(facts.payments.filter(({ kind }) => kind === "arranged").map(({ id }) => id));
  const isSentByHand = (id: string) =>
    facts.attempts.some(({ refundId, paymentId }) => refundId === id && arranged.has(paymentId));
  const sum = (key: "capturedCents" | "refundedCents") => payments.reduce((all, one) => all + one[key], 0);
  return {
    email: order.email,
    phone: order.phone,
    ordered: amountsOf(order),
    shippingToRefund: shipping.isRefundable ? shipping.charged : null,
    chargedCents: state.totalCents,
    capturedCents: sum("capturedCents"),
    leftForGoodsCents: Math.max(0, money.leftForGoodsCents),
    leftTaxCents: money.leftTaxCents,
    services: money.services.map((service) => ({
      value: serviceValue(service),
      name: `${SERVICES[service.kind]} of ${returns.find(({ id }) => id === service.returnId)?.number}`,
      cents: service.leftCents,
    })),
    refundedCents: sum("refundedCents"),
    /** Given back by staff after the bank failed to, so that the provider's sums do not have it. */
    otherwiseCents: refunds.reduce((all, each) => all + each.otherwiseCents, 0),
    status: paymentWordsOf(order),
    /** By which a refund would be given back. */
    refundable: money.refundable,
    refundLimitCents: REFUND_LIMIT_CENTS[role],
    failedRefunds: refunds
      .filter(({ id, owedCents, otherwiseCents }) => owedCents > 0 || otherwiseCents > 0 || isSentByHand(id))
      .map(({ id, owedCents, atProviderCents, byHandCents, hasFailed, createdAt: at }) => ({
        id,
        cents: owedCents - byHandCents,
        atProviderCents,
        byHandCents,
        at,
        hasFailed,
      })),
    refundsSeen: refunds.length,
    payments: payments.map(({ state, method, arrangement, captureBefore, problem, intentReference, ...payment }) => ({
      id: payment.id,
      words: [
        paymentWords({ state, ...payment }),
        ...(method ? [payment.kind === "setup" ? savedCardName(method) : paidWith(method)] : []),
        ...(arrangement ? [arrangedWith(arrangement)] : []),
      ].join(", "),
      captureBefore: state === "authorized" ? captureBefore : null,
      problem: problem && problemWords(problem),
      disputedUntil: payment.disputedUntil,
      isLost: payment.dispute === "lost",
      dashboard: dashboardOf(config(), { provider: payment.provider, intentReference }),
    })),
  };
}

export type OrderData = NonNullable<Awaited<ReturnType<typeof loadOrder>>>;
