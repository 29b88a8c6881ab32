/** Cancels units that have not shipped: by staff, by the buyer of a delayed order, or by the shop itself. */
import { and, eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { returnStock } from "#shop/inventory/stock.server.ts";
import { isAllowed, type ActorOf } from "#shop/orders/lifecycle.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { amountsCharged, amountsRefunded, NO_SHIPPING, unitsKept } from "#shop/orders/order.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { capturedOf, requestRefund, requestReturn } from "#shop/payments/actions.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { endOfParcels } from "./end-of-parcels.server.ts";
import {
  audit,
  DONE,
  mail,
  refused,
  REPEATED,
  waitingShipment,
  withOrder,
  wrongStatus,
  type Done,
  type LockedOrder,
  type NotNow,
} from "./locked-order.server.ts";
import { ITEMS_CANCELED, type CancelReason, type LineReason } from "./order-actions.ts";
import { requestByStaff, runRefunds, type RefundRefusal, type RefundState } from "./refund.server.ts";
import { paidCents, updateRest } from "./ship.server.ts";

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

/**
 * The change if only the units of `keep` are left, by line; `cents` of the total are saved. `unitsBack` of the canceled
 * units were refunded by units before: more of the line were than it keeps.
 */
function changeOf(order: LockedOrder, keep: Record<string, number>) {
  const lines = order.lines.map((line) => ({
    ...line,
    canceledQuantity: line.quantity - (keep[line.id] ?? unitsKept(line)),
  }));
  const canceled = order.lines.flatMap((line, i) => {
    const kept = unitsKept(lines[i]!);
    const units = unitsKept(line) - kept;
    return units === 0 ? [] : [{ ...line, units, unitsBack: Math.max(0, line.unitsRefunded - kept) }];
  });
  const { totalCents } = amountsCharged(order, lines);
  return { lines, canceled, totalCents, cents: amountsCharged(order, order.lines).totalCents - totalCents };
}

/**
 * Cents to refund for canceled units that were not refunded before, at most what earlier refunds have left. Of orders
 * that are charged by parcel, what was charged pays for the units that are kept first.
 */
async function owedFor(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  { canceled, totalCents, cents }: Pick<ReturnType<typeof changeOf>, "canceled" | "totalCents" | "cents">,
): Promise<number> {
  const known = await tx
    .select({ kind: payments.kind, capturedCents: payments.capturedCents })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  if (known.every(({ capturedCents }) => capturedCents === 0)) return 0;
  const charged = isChargedByParcel(known) ? (await paidCents(tx, order.id)) - totalCents : cents;
  const back = canceled.map(({ unitsRefunded, unitsBack: units, ...line }) => ({
    ...line,
    units,
    unitsRefunded: unitsRefunded - units,
  }));
  const owed = charged - amountsRefunded(back, NO_SHIPPING).totalCents;
  return Math.max(0, Math.min(owed, (await capturedOf(tx, order.id)).leftCents));
}

const isArranged = async (tx: DatabaseOrTransaction, orderId: string): Promise<boolean> =>
  (await tx.$count(payments, and(eq(payments.orderId, orderId), eq(payments.provider, "manual")))) > 0;

type Cancellation = {
  canceled: ReturnType<typeof changeOf>["canceled"];
  returnsStock: boolean;
  isRefunded?: boolean;
  reason: LineReason;
  totalCents: number;
  refundCents: number;
  /** The refund is done, and has an email of its own. */
  isRecorded?: boolean;
  actor: ActorOf<"line-canceled">;
  by: Acting | null;
};

/** Writes canceled units of a locked order: lines, events, stock, the email, and the release of what is no longer due. */
async function writeCancellation(
  tx: DatabaseOrTransaction,
  orderId: string,
  { canceled, returnsStock, isRefunded = false, reason, totalCents, refundCents, isRecorded, actor, by }: Cancellation,
): Promise<void> {
  for (const { id, canceledQuantity, units, unitsBack, ...line } of canceled) {
    await tx
      .update(orderItems)
      .set({ canceledQuantity: canceledQuantity + units })
      .where(eq(orderItems.id, id));
    const unitsRefunded = isRefunded ? Math.min(units, line.unitsRefunded) : unitsBack;
    const change = {
      itemId: id,
      units,
      returnsStock,
      reason,
      totalCents,
      refunds: refundCents > 0,
      ...(unitsRefunded > 0 && { unitsRefunded }),
    };
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
  await requestReturn(tx, held, actor);
  const items = canceled.map(({ id, units }) => ({ itemId: id, units }));
  await mail(tx, { template: "order-changed", orderId, items, reason, refundCents: isRecorded ? 0 : refundCents });
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
    if (!isAllowed("line-canceled", order.status)) return wrongStatus(order);
    const { lines, canceled, totalCents, cents } = changeOf(order, keep);
    if (canceled.length === 0) return { ...REPEATED, refund: null };
    if (waitingShipment(order)) return refused("under-way");
    for (const { id, name, units, unitsLeft } of canceled) {
      if (!Number.isInteger(units) || units < 0 || keep[id]! < 0) return refused("units");
      if (units > unitsLeft) return { ...refused("units"), name, unitsLeft };
    }
    if (isAllowed("canceled", order.status) && lines.every((line) => unitsKept(line) === 0))
      return refused("last-line");
    const owed = await owedFor(tx, order, { canceled, totalCents, cents });
    const refunds = !isRefunded && owed > 0;
    const asked = refunds
      ? await requestByStaff(tx, orderId, { cents: owed, reason: ITEMS_CANCELED, isVerified }, by)
      : null;
    if (asked && !asked.ok) return asked;
    const refundCents = refunds ? owed : 0;
    await writeCancellation(tx, orderId, {
      canceled,
      returnsStock,
      isRefunded,
      reason,
      totalCents,
      refundCents,
      isRecorded: asked?.actionIds.length === 0,
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
export async function cancelRest(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  actor: Exclude<ActorOf<"line-canceled">, "staff">,
  reason: LineReason,
): Promise<boolean> {
  const keep = Object.fromEntries(order.lines.map((line) => [line.id, unitsKept(line) - line.unitsLeft]));
  const { canceled, totalCents, cents } = changeOf(order, keep);
  if (waitingShipment(order)) return false;
  if (canceled.length === 0) return true;
  const refundCents = await owedFor(tx, order, { canceled, totalCents, cents });
  // Staff send back what was arranged with them; Today lists it.
  if (refundCents > 0 && !(await isArranged(tx, order.id))) {
    const asked = await requestRefund(tx, order.id, refundCents, { reason: ITEMS_CANCELED, askedBy: actor });
    if (!asked.ok) return false;
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
