/** One order as a role may read it: what it may not is not sent. */
import type { RouterContextProvider } from "react-router";
import { db } from "../../../../database.server.ts";
import { openOrder, type DeskOrder } from "../../../../../shop/fulfillment/desk.server.ts";
import { addressLine } from "../../../../../shop/fulfillment/beside.server.ts";
import { DESK_ACTS, nextAct, whyNot, type DeskAct, type Guarded } from "../../../../../shop/fulfillment/guards.ts";
import { CARRIERS, trackingUrl } from "../../../../../shop/fulfillment/shipment.ts";
import { orderNumber } from "../../../../../shop/orders/order.ts";
import { paymentProvider } from "../../../../../shop/payments/open-provider.server.ts";
import { SHIPPING_METHODS } from "../../../../../shop/shipping/methods.ts";
import { FRESH_REFUND_CENTS, may, REFUND_LIMIT_CENTS } from "../../../../../shop/staff/permissions.ts";
import { staffNames } from "../../../../../shop/staff/staff.server.ts";
import { staffOf } from "../../../../session/staff.server.ts";
import { ADMIN_ACCESS } from "../../access.ts";
import { flagsOf, PAYMENT_WORDS, STATUS_WORDS } from "../order-words.ts";
import { emailsOf } from "./emails.ts";
import { timelineOf } from "./timeline.ts";

export const PATTERN = "/admin/orders/:orderId";

export const guardedOf = ({ order, lines, shipments, payments }: DeskOrder): Guarded => ({
  status: order.status,
  isOnHold: order.onHoldSince !== null,
  isAnonymous: order.email === "",
  hasProvider: paymentProvider() !== null,
  lines,
  shipments,
  payments,
});

export const namesOfStaff = async () => new Map((await staffNames(db)).map(({ id, name }) => [id, name]));

/** Null where there is no such order. */
export async function loadOrder(context: Readonly<RouterContextProvider>, orderId: string) {
  const { role, isFresh } = staffOf(context);
  const [found, names] = await Promise.all([openOrder(db, orderId), namesOfStaff()]);
  if (!found) return null;
  const { order, lines, shipments, payments, events, actions } = found;
  const allowed = ADMIN_ACCESS[PATTERN]?.acts ?? {};
  const mayDo = (act: string) => allowed[act] !== undefined && may(role, allowed[act]);
  const sums = may(role, "orders:sums");
  const guarded = guardedOf(found);
  const why: Partial<Record<DeskAct, string | null>> = {};
  for (const act of DESK_ACTS) if (mayDo(act)) why[act] = whyNot(act, guarded);
  const next = nextAct(guarded);
  const captureBefore = payments.find(({ state }) => state === "authorized")?.captureBefore ?? null;
  const { name: method, window } = SHIPPING_METHODS[order.shippingMethod];
  return {
    id: order.id,
    number: orderNumber(order.id),
    placedAt: order.createdAt,
    status: STATUS_WORDS[order.status],
    flags: flagsOf({ ...order, captureBefore }, new Date()),
    shipsBy: order.shipsBy,
    method: `${method}, ${window}`,
    why,
    next: next && mayDo(next) ? next : null,
    mayNote: mayDo("note"),
    isFresh,
    /** The newest event that this page knows of. */
    seen: events.at(-1)?.id ?? 0,
    lines: lines.map(({ id, name, quantity, canceledQuantity, unitsLeft, priceCents }) => ({
      id,
      name,
      quantity,
      canceledQuantity,
      unitsLeft,
      ...(sums && { priceCents }),
    })),
    address: {
      shippingFirstName: order.shippingFirstName,
      shippingLastName: order.shippingLastName,
      shippingAddressLine1: order.shippingAddressLine1,
      shippingAddressLine2: order.shippingAddressLine2,
      shippingCity: order.shippingCity,
      shippingState: order.shippingState,
      shippingPostalCode: order.shippingPostalCode,
    },
    addressSeen: addressLine(order),
    parcels: shipments
      .filter(({ state }) => state !== "failed")
      .map(({ id, carrier, trackingNumber, state, shippedAt }) => ({
        id,
        carrier: CARRIERS[carrier].name,
        trackingNumber,
        url: trackingNumber ? trackingUrl(carrier, trackingNumber) : null,
        state,
        shippedAt,
      })),
    timeline: timelineOf(found, names, sums),
    emails: mayDo("email") ? emailsOf(found).map(({ value, name }) => ({ value, name })) : [],
    ...(sums && { money: moneyOf(found, role, actions) }),
  };
}

function moneyOf(
  { order, charged, payments }: DeskOrder,
  role: keyof typeof REFUND_LIMIT_CENTS,
  actions: DeskOrder["actions"],
) {
  const { subtotalCents, shippingCents, taxCents, totalCents } = order;
  const sum = (key: "capturedCents" | "refundedCents") => payments.reduce((all, one) => all + one[key], 0);
  return {
    email: order.email,
    phone: order.phone,
    ordered: { subtotalCents, shippingCents, taxCents, totalCents },
    chargedCents: charged.totalCents,
    capturedCents: sum("capturedCents"),
    refundedCents: sum("refundedCents"),
    status: PAYMENT_WORDS[order.paymentStatus],
    refundLimitCents: REFUND_LIMIT_CENTS[role],
    freshAboveCents: FRESH_REFUND_CENTS,
    refundsSeen: actions.filter(({ kind }) => kind === "refund").length,
    payments: payments.map(({ id, state, amountCents, method, captureBefore, problem, disputedUntil, reference }) => ({
      id,
      state,
      amountCents,
      method: method && `${method.brand} ending in ${method.lastFour}`,
      captureBefore: state === "authorized" ? captureBefore : null,
      problem,
      disputedUntil,
      reference,
    })),
  };
}

export type OrderData = NonNullable<Awaited<ReturnType<typeof loadOrder>>>;
