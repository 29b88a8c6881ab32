/** Changes of an order other than shipping and refunds. Each succeeds whole or is refused, and is idempotent. */
import { and, eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { returnStock } from "#shop/inventory/stock.server.ts";
import { amountsCharged, unitsKept } from "#shop/orders/order.ts";
import { isAllowed, statusAfter, type ActorOf, type OrderEvent, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { changeStatus, noteOrder } from "#shop/orders/order-events.server.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { requestRefund, requestReturn } from "#shop/payments/actions.server.ts";
import { cancelOrder, declineOrder, type CancelResult } from "#shop/payments/cancel.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { endOfParcels } from "./end-of-parcels.server.ts";
import { audit, lockOrder, mail, waitingShipment, withOrder, type LockedOrder } from "./locked-order.server.ts";
import { isArriving, ITEMS_CANCELED, type CancelReason, type DeclineReason, type LineReason } from "./order-actions.ts";
import { requestByStaff, runRefunds, type RefundRefusal, type RefundState } from "./refund.server.ts";
import { paidCents, updateRest } from "./ship.server.ts";
import { shipments } from "./shipment.tables.ts";

type Done = { ok: true; repeated: boolean };
type NotNow = { ok: false; reason: "not-found" } | { ok: false; reason: "status"; status: OrderStatus };
type Result<Reason extends string = never> = Done | NotNow | { ok: false; reason: Reason };

const DONE: Done = { ok: true, repeated: false };
const REPEATED: Done = { ok: true, repeated: true };
const refused = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
const mayBe = (event: OrderEvent, { status }: LockedOrder) => isAllowed(event, status);
const wrongStatus = ({ status }: LockedOrder) => ({ ok: false, reason: "status", status }) as const;

/**
 * Marks an order and all its parcels as delivered, which starts the return period. Refusals: 'units-left' if
 * units did not ship (cancelItems cancels them), 'not-in-transit' if all parcels were refused or lost.
 */
export const markDelivered = (
  db: Database,
  orderId: string,
  by: Acting | null,
): Promise<Result<"units-left" | "not-in-transit">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (order.status === statusAfter("delivered")) return REPEATED;
    if (!mayBe("delivered", order)) return wrongStatus(order);
    if (order.lines.some(({ unitsLeft }) => unitsLeft > 0)) return refused("units-left");
    if (!isArriving(order)) return refused("not-in-transit");
    await changeStatus(tx, orderId, "delivered", "staff", {
      also: sql`delivered_at = now(), rest_to_ship = false`,
      staffId: by?.staffId ?? null,
    });
    await tx
      .update(shipments)
      .set({ state: "delivered", deliveredAt: sql`now()` })
      .where(and(eq(shipments.orderId, orderId), eq(shipments.state, "shipped")));
    await audit(tx, by, "deliver", orderId);
    await mail(tx, { template: "order-delivered", orderId });
    return DONE;
  });

type CanceledItems = {
  /** Remaining units by line, shipped ones included; 0 cancels the line. Lines left out stay as they are. */
  keep: Record<string, number>;
  returnsStock: boolean;
  reason: LineReason;
  /** The units were refunded before. */
  isRefunded?: boolean;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

type CancelItemsResult =
  | (Done & { refund: { cents: number; state: RefundState } | null })
  | NotNow
  | RefundRefusal
  | { ok: false; reason: "unknown-line" | "last-line" | "under-way" }
  /** With a name, only `unitsLeft` of it are left to ship. */
  | { ok: false; reason: "units"; name?: string; unitsLeft?: number };

type Lines = LockedOrder["lines"];

/** The change if only the units of `keep` are left, by line; `cents` of the total are saved. */
function changeOf(order: LockedOrder, keep: Record<string, number>) {
  const lines = order.lines.map((line) => ({
    ...line,
    canceledQuantity: line.quantity - (keep[line.id] ?? unitsKept(line)),
  }));
  const canceled = order.lines.flatMap((line, i) => {
    const units = unitsKept(line) - unitsKept(lines[i]!);
    return units === 0 ? [] : [{ ...line, units }];
  });
  const { totalCents } = amountsCharged(order, lines);
  return { lines, canceled, totalCents, cents: amountsCharged(order, order.lines).totalCents - totalCents };
}

/** Cents to refund for canceled units. Orders that are charged by parcel were not charged for what has not shipped. */
async function owedFor(
  tx: DatabaseOrTransaction,
  orderId: string,
  { totalCents, cents }: { totalCents: number; cents: number },
): Promise<number> {
  const known = await tx
    .select({ kind: payments.kind, capturedCents: payments.capturedCents })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  if (known.every(({ capturedCents }) => capturedCents === 0)) return 0;
  return isChargedByParcel(known) ? Math.max(0, (await paidCents(tx, orderId)) - totalCents) : cents;
}

const isArranged = async (tx: DatabaseOrTransaction, orderId: string): Promise<boolean> =>
  (await tx.$count(payments, and(eq(payments.orderId, orderId), eq(payments.provider, "manual")))) > 0;

type Cancellation = {
  canceled: (Lines[number] & { units: number })[];
  returnsStock: boolean;
  reason: LineReason;
  totalCents: number;
  refundCents: number;
  actor: ActorOf<"line-canceled">;
  by: Acting | null;
};

/** Writes canceled units of a locked order: lines, events, stock, the email, and the release of what is no longer due. */
async function writeCancellation(
  tx: DatabaseOrTransaction,
  orderId: string,
  { canceled, returnsStock, reason, totalCents, refundCents, actor, by }: Cancellation,
): Promise<void> {
  for (const { id, canceledQuantity, units } of canceled) {
    await tx
      .update(orderItems)
      .set({ canceledQuantity: canceledQuantity + units })
      .where(eq(orderItems.id, id));
    const change = { itemId: id, units, returnsStock, reason, totalCents, refunds: refundCents > 0 };
    await noteOrder(tx, orderId, "line-canceled", actor, change, by?.staffId);
    if (actor === "staff") await audit(tx, by, "cancel-line", orderId, { after: change });
  }
  if (returnsStock) {
    const ids = sql.param(canceled.map(({ productId }) => productId));
    const units = sql.param(canceled.map((line) => line.units));
    await tx.execute(
      returnStock(sql`(SELECT * FROM unnest(${ids}::uuid[], ${units}::int[]) AS units (product_id, quantity))`),
    );
  }
  await updateRest(tx, orderId);
  // A refused parcel that was paid by link and does not ship any more.
  const isUnneeded = and(eq(payments.state, "authorized"), eq(orders.status, "shipped"), eq(orders.restToShip, false));
  const held = await tx
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(orders.id, orderId), isUnneeded));
  await requestReturn(
    tx,
    held.map(({ id }) => id),
    actor,
  );
  const items = canceled.map(({ id, units }) => ({ itemId: id, units }));
  await mail(tx, { template: "order-changed", orderId, items, reason, refundCents });
  await endOfParcels(tx, orderId);
}

/**
 * Cancels units of an order that have not shipped: they are neither sent nor charged, by amountsCharged, and are refunded
 * if the order is charged already. Refusals: 'unknown-line', 'units' if more than that are left or fewer have shipped,
 * 'last-line' if nothing would be left of an order that has not shipped (cancel or decline it instead), 'under-way' while a parcel waits for its
 * capture, and those of a refund.
 */
export async function cancelItems(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { keep, returnsStock, reason, isRefunded = false, isVerified = false }: CanceledItems,
  by: Acting | null,
): Promise<CancelItemsResult> {
  const result = await withOrder(db, orderId, async (order, tx) => {
    if (Object.keys(keep).some((id) => !order.lines.some((line) => line.id === id))) return refused("unknown-line");
    if (!mayBe("line-canceled", order)) return wrongStatus(order);
    const { lines, canceled, totalCents, cents } = changeOf(order, keep);
    if (canceled.length === 0) return { ...REPEATED, refund: null };
    if (waitingShipment(order)) return refused("under-way");
    for (const { id, name, units, unitsLeft } of canceled) {
      if (!Number.isInteger(units) || units < 0 || keep[id]! < 0) return refused("units");
      if (units > unitsLeft) return { ...refused("units"), name, unitsLeft };
    }
    if (mayBe("canceled", order) && lines.every((line) => unitsKept(line) === 0)) return refused("last-line");
    const owed = await owedFor(tx, orderId, { totalCents, cents });
    const refunds = !isRefunded && owed > 0;
    const asked = refunds
      ? await requestByStaff(tx, orderId, { cents: owed, reason: ITEMS_CANCELED, isVerified }, by)
      : null;
    if (asked && !asked.ok) return asked;
    const refundCents = refunds ? owed : 0;
    await writeCancellation(tx, orderId, {
      canceled,
      returnsStock,
      reason,
      totalCents,
      refundCents,
      actor: "staff",
      by,
    });
    return { ...DONE, refund: asked && { cents: owed, actionIds: asked.actionIds } };
  });
  if (!result.ok) return result;
  const { refund, repeated } = result;
  if (!refund) return { ok: true, repeated, refund };
  return {
    ok: true,
    repeated,
    refund: { cents: refund.cents, state: await runRefunds(db, providers, refund.actionIds) },
  };
}

/**
 * Cancels the rest of a locked partial order, returns its stock and requests the refund of what is left of its price.
 * False if a parcel waits for its capture, or the payment is disputed.
 */
async function cancelRest(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  actor: Exclude<ActorOf<"line-canceled">, "staff">,
  reason: LineReason,
): Promise<boolean> {
  const keep = Object.fromEntries(order.lines.map((line) => [line.id, unitsKept(line) - line.unitsLeft]));
  const { canceled, totalCents, cents } = changeOf(order, keep);
  if (waitingShipment(order)) return false;
  if (canceled.length === 0) return true;
  let refundCents = await owedFor(tx, order.id, { totalCents, cents });
  // Staff send back what was arranged with them; Today lists it.
  if (refundCents > 0 && !(await isArranged(tx, order.id))) {
    const request = { reason: ITEMS_CANCELED, askedBy: actor };
    let asked = await requestRefund(tx, order.id, refundCents, request);
    // Staff may have refunded a part before.
    if (!asked.ok && asked.reason !== "disputed") {
      refundCents = asked.leftCents;
      if (refundCents > 0) asked = await requestRefund(tx, order.id, refundCents, request);
    }
    if (!asked.ok && refundCents > 0) return false;
  }
  await writeCancellation(tx, order.id, {
    canceled,
    returnsStock: true,
    reason,
    totalCents,
    refundCents,
    actor,
    by: null,
  });
  return true;
}

/** Cancels what has not shipped of a locked order for the shop itself: the order, or the rest of it, unless a parcel is under way. */
export async function cancelUnsent(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  reasons: { order: CancelReason; rest: LineReason },
): Promise<void> {
  const { id: orderId } = order;
  if (order.restToShip) return void (await cancelRest(tx, order, "system", reasons.rest));
  const result = await cancelOrder(tx, orderId, "system", { reason: reasons.order });
  if (result.ok && !result.repeated) await mail(tx, { template: "order-canceled", orderId });
}

/**
 * Requests payment by email for an order placed without payment or whose payment failed. Refusals: 'paid' if authorized,
 * captured, or charged by parcel, 'provider' if the shop takes no payments.
 */
export const askForPayment = (
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  by: Acting | null,
): Promise<Result<"paid" | "provider" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!providers) return refused("provider");
    if (!mayBe("payment-requested", order)) return wrongStatus(order);
    if (waitingShipment(order)) return refused("under-way");
    const known = await tx
      .select({ kind: payments.kind, state: payments.state })
      .from(payments)
      .where(eq(payments.orderId, orderId));
    const isPaid = known.some(({ state }) => state === "authorized" || state === "captured");
    if (isPaid || isChargedByParcel(known)) return refused("paid");
    await noteOrder(tx, orderId, "payment-requested", "staff", undefined, by?.staffId);
    await audit(tx, by, "ask-payment", orderId);
    await mail(tx, { template: "payment-request", orderId, why: "asked" });
    return DONE;
  });

/** Cancels an order. An unpaid one was never confirmed and gets no email. */
export const cancelByStaff = (db: Database, orderId: string, by: Acting | null): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", async (tx) => {
    const result = await cancelOrder(tx, orderId, "staff", { staffId: by?.staffId ?? null });
    if (result.ok && !result.repeated) await audit(tx, by, "cancel", orderId);
    return result;
  });

/** Cancels an order for its buyer, or the rest of a partial one that is delayed. The caller has checked ownership. */
export const cancelByBuyer = (db: Database, orderId: string, actor: "customer" | "guest"): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", async (tx, order) => {
    if (!order?.restToShip || !(await wasDelayed(tx, orderId))) return cancelOrder(tx, orderId, actor);
    const isCanceled = await cancelRest(tx, order, actor, "asked");
    return isCanceled ? DONE : { ok: false, reason: "too-late", status: order.status };
  });

const wasDelayed = async (tx: DatabaseOrTransaction, orderId: string): Promise<boolean> =>
  (await tx.$count(orderEvents, and(eq(orderEvents.orderId, orderId), eq(orderEvents.type, "delayed")))) > 0;

/** Declines an order with a reason for the customer. Refused with 'accepted' if it has shipped once. */
export const declineByStaff = (
  db: Database,
  orderId: string,
  reason: DeclineReason,
  by: Acting | null,
): Promise<CancelResult | { ok: false; reason: "accepted" }> =>
  end(db, orderId, "order-declined", async (tx, before) => {
    if (before?.status === "processing" && before.acceptedAt) return refused("accepted");
    const result = await declineOrder(tx, orderId, { reason, staffId: by?.staffId ?? null });
    if (result.ok && !result.repeated) await audit(tx, by, "decline", orderId, { after: { reason } });
    return result;
  });

const end = <Ended extends CancelResult | { ok: false; reason: "accepted" }>(
  db: Database,
  orderId: string,
  template: "order-canceled" | "order-declined",
  change: (tx: DatabaseOrTransaction, before: LockedOrder | null) => Promise<Ended>,
): Promise<Ended> =>
  db.transaction(async (tx) => {
    const before = await lockOrder(tx, orderId);
    const result = await change(tx, before);
    if (result.ok && !result.repeated && before?.status === "processing") await mail(tx, { template, orderId });
    return result;
  });
