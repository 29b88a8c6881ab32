/** Shipping. Nothing ships unpaid or twice: orders are locked, and a parcel waits for the capture or charge it needs. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { amountsCharged, amountsDue, unitsKept } from "#shop/orders/order.ts";
import { isAllowed, statusesBefore, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { changeStatus, noteOrder } from "#shop/orders/order-events.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { requestCapture, requestCharge } from "#shop/payments/actions.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction, type AfterAction } from "#shop/payments/run-action.server.ts";
import { endOfParcels } from "./end-of-parcels.server.ts";
import { audit, lockOrder, mail, waitingShipment, type LockedOrder } from "./locked-order.server.ts";
import { isReason, ITEMS_CANCELED, REFUND_REASONS } from "./order-actions.ts";
import { type CarrierCode, readTrackingNumber } from "./shipment.ts";
import { labels, shipmentItems, shipments } from "./shipment.tables.ts";

export type Parcel = {
  carrier: CarrierCode;
  trackingNumber: string;
  /** Units by order line; all that is left if omitted. */
  units?: Record<string, number>;
  /** The label that was bought for it, which ships once. */
  labelId?: string;
};

export type ShipResult =
  | {
      ok: true;
      shipmentId: string;
      /** `waiting`: the capture has no outcome yet; jobs ask the provider again. */
      state: "shipped" | "waiting";
      /** This parcel was recorded before; nothing changed. */
      repeated: boolean;
    }
  | {
      ok: false;
      reason:
        | "not-found"
        | "tracking-number"
        | "on-hold"
        | "under-way"
        | "nothing-left"
        | "nothing-chosen"
        | "not-paid"
        | "capture-failed";
    }
  | { ok: false; reason: "status"; status: OrderStatus }
  | { ok: false; reason: "units"; name: string; unitsLeft: number };

type Refusal = Extract<ShipResult, { ok: false }>;
type Written = { shipmentId: string; captureId: string | null; repeated: boolean };

/**
 * Ships a parcel of an order. The first one captures the payment and ships once that succeeds; later ones ship at once,
 * as does an order whose payment staff recorded. With a saved card, each parcel is charged by itself and ships once that
 * succeeds. A repeated parcel changes nothing. Refusals: 'tracking-number' if
 * it does not match the carrier, 'status', 'on-hold', 'under-way' while another parcel waits for its capture,
 * 'nothing-left', 'nothing-chosen', 'units' if a line has fewer left, 'not-paid', 'capture-failed'.
 */
export async function shipOrder(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  parcel: Parcel,
  by: Acting | null,
): Promise<ShipResult> {
  const trackingNumber = readTrackingNumber(parcel.carrier, parcel.trackingNumber);
  if (!trackingNumber) return { ok: false, reason: "tracking-number" };
  const written = await db.transaction((tx) => write(tx, orderId, { ...parcel, trackingNumber }, by));
  if ("ok" in written) return written;
  const { shipmentId, captureId, repeated } = written;
  if (captureId && providers) await runAction(db, providers, captureId, afterAction);
  const [now] = await db.select({ state: shipments.state }).from(shipments).where(eq(shipments.id, shipmentId));
  if (now?.state === "failed") return { ok: false, reason: "capture-failed" };
  return { ok: true, shipmentId, state: now?.state === "capturing" ? "waiting" : "shipped", repeated };
}

async function write(
  tx: DatabaseOrTransaction,
  orderId: string,
  parcel: Parcel,
  by: Acting | null,
): Promise<Refusal | Written> {
  const order = await lockOrder(tx, orderId);
  if (!order) return { ok: false, reason: "not-found" };
  const same = order.shipments.find(({ carrier, trackingNumber, labelId, state }) =>
    parcel.labelId
      ? labelId === parcel.labelId
      : carrier === parcel.carrier && trackingNumber === parcel.trackingNumber && state !== "failed",
  );
  if (same) return { shipmentId: same.id, captureId: same.captureId, repeated: true };
  const packed = packParcel(order, parcel.units);
  if ("ok" in packed) return packed;
  const money = await moneyFor(tx, order, { packed, isFirst: isAllowed("shipped", order.status) }, by);
  if (!money) return { ok: false, reason: "not-paid" };
  const sent = await insertShipment(tx, order, parcel, packed, money.captureId, by);
  if (!money.captureId) await recordParcel(tx, orderId, sent);
  return { shipmentId: sent.id, captureId: money.captureId, repeated: false };
}

type Packed = { lineId: string; quantity: number }[];

/** Units that a parcel of a locked order would hold, or why it cannot ship; its payment is not looked at. */
export function packParcel(order: LockedOrder, units?: Record<string, number>): Packed | Refusal {
  const { lines, status } = order;
  if (!isAllowed("shipped", status) && !isAllowed("parcel-shipped", status))
    return { ok: false, reason: "status", status };
  if (order.onHoldSince) return { ok: false, reason: "on-hold" };
  if (waitingShipment(order)) return { ok: false, reason: "under-way" };
  if (lines.every(({ unitsLeft }) => unitsLeft === 0)) return { ok: false, reason: "nothing-left" };
  const packed: Packed = [];
  for (const { id, name, unitsLeft } of lines) {
    const quantity = units ? (units[id] ?? 0) : unitsLeft;
    if (quantity > unitsLeft || quantity < 0) return { ok: false, reason: "units", name, unitsLeft };
    if (quantity > 0) packed.push({ lineId: id, quantity });
  }
  return packed.length > 0 ? packed : { ok: false, reason: "nothing-chosen" };
}

type Money = { captureId: string | null } | null;

/** Capture or charge that a parcel waits for, if any. Null if the order is unpaid. */
async function moneyFor(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  { packed, isFirst }: { packed: Packed; isFirst: boolean },
  by: Acting | null,
): Promise<Money> {
  const known = await tx.select({ kind: payments.kind }).from(payments).where(eq(payments.orderId, order.id));
  if (isChargedByParcel(known)) return chargeFor(tx, order, packed, by);
  return isFirst ? captureFor(tx, order, by) : { captureId: null };
}

/** The charge that is due with the parcel and not paid yet, so that an undone parcel is not charged again. */
async function chargeFor(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  packed: Packed,
  by: Acting | null,
): Promise<Money> {
  const lines = order.lines.map((line) => {
    const inParcel = packed.find(({ lineId }) => lineId === line.id)?.quantity ?? 0;
    return { ...line, unitsSent: unitsKept(line) - line.unitsLeft + inParcel };
  });
  const cents = amountsDue(order, lines).totalCents - (await paidCents(tx, order.id));
  if (cents <= 0) return { captureId: null };
  const charge = await requestCharge(tx, order.id, cents, by?.staffId);
  return charge && { captureId: charge.actionId };
}

/** Captured and not refunded for canceled units; other refunds are not charged again. */
export async function paidCents(tx: DatabaseOrTransaction, orderId: string): Promise<number> {
  const { rows } = await tx.execute<{ cents: number }>(sql`
    SELECT coalesce(sum(captured - coalesce((
      SELECT sum(refund.amount) FROM payment_actions AS refund WHERE refund.payment_id = payments.id
        AND refund.kind = 'refund' AND refund.reason = ${ITEMS_CANCELED} AND refund.state <> 'failed'), 0)), 0)::int AS cents
    FROM payments WHERE order_id = ${orderId}::uuid`);
  return rows[0]!.cents;
}

async function captureFor(tx: DatabaseOrTransaction, order: LockedOrder, by: Acting | null): Promise<Money> {
  const { totalCents } = amountsCharged(order, order.lines);
  if (totalCents === 0) return { captureId: null };
  const capture = await requestCapture(tx, order.id, totalCents, "staff", by?.staffId);
  if (capture) return { captureId: capture.actionId };
  const [paid] = await tx
    .select({
      // Recorded by staff, or captured before a shipment was undone, and perhaps refunded in part.
      isPaid: sql<boolean>`coalesce(sum(captured) >= ${totalCents} AND sum(captured) > sum(refunded), false)`,
    })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  return paid?.isPaid ? { captureId: null } : null;
}

async function insertShipment(
  tx: DatabaseOrTransaction,
  { id: orderId }: LockedOrder,
  { carrier, trackingNumber, labelId }: Parcel,
  packed: Packed,
  captureId: string | null,
  by: Acting | null,
): Promise<Sent> {
  const [shipment] = await tx
    .insert(shipments)
    .values({
      orderId,
      carrier,
      trackingNumber,
      captureId,
      labelId,
      staffId: by?.staffId,
      state: captureId ? "capturing" : "shipped",
      shippedAt: captureId ? null : sql`now()`,
    })
    .returning({ id: shipments.id, staffId: shipments.staffId });
  const shipmentId = shipment!.id;
  await tx
    .insert(shipmentItems)
    .values(packed.map(({ lineId, quantity }) => ({ shipmentId, orderItemId: lineId, quantity })));
  if (labelId) await tx.update(labels).set({ state: "used" }).where(eq(labels.id, labelId));
  await audit(tx, by, "ship", orderId, { after: { carrier, shipmentId } });
  return shipment!;
}

/**
 * Effects of a payment action, in the transaction that records its outcome: the waiting parcel ships or fails, and the
 * customer gets the email.
 */
export const afterAction: AfterAction = async (tx, { id, orderId, kind, amountCents, outcome }) => {
  if (kind === "capture" || kind === "charge") await afterCharge(tx, orderId, id, outcome);
  if (kind === "refund" && outcome === "done") await afterRefund(tx, orderId, id, amountCents);
};

async function afterCharge(
  tx: DatabaseOrTransaction,
  orderId: string,
  captureId: string,
  outcome: "done" | "failed",
): Promise<void> {
  const [shipment] = await tx
    .update(shipments)
    .set(outcome === "done" ? { state: "shipped", shippedAt: sql`now()` } : { state: "failed" })
    .where(and(eq(shipments.captureId, captureId), eq(shipments.state, "capturing")))
    .returning({ id: shipments.id, staffId: shipments.staffId, labelId: shipments.labelId });
  if (outcome === "done") return shipment && recordParcel(tx, orderId, shipment);
  // A fee is charged without a parcel.
  const parcel = shipment && { shipmentId: shipment.id };
  if (shipment) await releaseLabel(tx, shipment);
  const known = await tx.select({ kind: payments.kind }).from(payments).where(eq(payments.orderId, orderId));
  if (isChargedByParcel(known)) {
    await noteOrder(tx, orderId, "charge-refused", "provider", parcel);
    await mail(tx, { template: "charge-refused", orderId, isReminder: false });
    return;
  }
  await noteOrder(tx, orderId, "capture-failed", "provider", parcel);
  await mail(tx, { template: "payment-request", orderId, why: "capture-failed" });
}

async function afterRefund(tx: DatabaseOrTransaction, orderId: string, actionId: string, cents: number): Promise<void> {
  const [action] = await tx
    .select({ reason: paymentActions.reason, askedBy: paymentActions.askedBy, staffId: paymentActions.staffId })
    .from(paymentActions)
    .where(eq(paymentActions.id, actionId));
  const word = action?.reason ?? undefined;
  const reason = isReason(REFUND_REASONS, word) ? word : null;
  const by = action?.askedBy === "staff" || action?.askedBy === "provider" ? action.askedBy : "system";
  await noteOrder(tx, orderId, "refunded", by, { cents, reason, actionId }, action?.staffId);
  await mail(tx, { template: "refund-issued", orderId, cents, reason });
  await endOfParcels(tx, orderId);
}

/** Has the label of a parcel that does not ship refunded, by the jobs. */
export async function releaseLabel(tx: DatabaseOrTransaction, { labelId }: { labelId: string | null }): Promise<void> {
  if (labelId) await tx.update(labels).set({ state: "voiding" }).where(eq(labels.id, labelId));
}

type Sent = { id: string; staffId: string | null };

/** False before the first parcel. */
const hasRest = (orderId: string) => sql`coalesce((
  SELECT sum(quantity - canceled_quantity) FROM order_items WHERE order_id = ${orderId}::uuid) > (
  SELECT sum(CASE WHEN sent.resent_at IS NULL THEN packed.quantity ELSE 0 END)
  FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
  WHERE sent.order_id = ${orderId}::uuid AND sent.state <> 'failed'), false)`;

/** Updates whether units of a locked order are left to ship after its parcels. */
export const updateRest = (tx: DatabaseOrTransaction, orderId: string) =>
  tx.execute(sql`UPDATE orders SET rest_to_ship = ${hasRest(orderId)} WHERE id = ${orderId}::uuid`);

async function recordParcel(tx: DatabaseOrTransaction, orderId: string, sent: Sent): Promise<void> {
  const ofOrder = and(eq(orders.id, orderId), inArray(orders.status, statusesBefore("shipped")));
  const isFirst = (await tx.$count(orders, ofOrder)) > 0;
  await (isFirst ? recordFirstParcel : recordLaterParcel)(tx, orderId, sent);
}

async function recordFirstParcel(
  tx: DatabaseOrTransaction,
  orderId: string,
  { id: shipmentId, staffId }: Sent,
): Promise<void> {
  const also = sql`accepted_at = coalesce(accepted_at, now()), on_hold_since = NULL, rest_to_ship = ${hasRest(orderId)}`;
  await changeStatus(tx, orderId, "shipped", "staff", { also, data: { shipmentId }, staffId });
  await mail(tx, { template: "order-shipped", orderId, shipmentId });
}

async function recordLaterParcel(
  tx: DatabaseOrTransaction,
  orderId: string,
  { id: shipmentId, staffId }: Sent,
): Promise<void> {
  await updateRest(tx, orderId);
  await noteOrder(tx, orderId, "parcel-shipped", "staff", { shipmentId }, staffId);
  await mail(tx, { template: "parcel-shipped", orderId, shipmentId });
}
