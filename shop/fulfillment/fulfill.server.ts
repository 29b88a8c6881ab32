/** Changes of an order other than shipping and refunds. Each succeeds whole or is refused, and is idempotent. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { isAllowed, statusAfter } from "#shop/orders/lifecycle.ts";
import { changeStatus, hasHad, noteOrder } from "#shop/orders/order-events.server.ts";
import { orderEvents } from "#shop/orders/order.tables.ts";
import { cancelOrder, declineOrder, type CancelResult } from "#shop/payments/cancel.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { cancelRest } from "./cancel-items.server.ts";
import {
  audit,
  DONE,
  lockOrder,
  mail,
  refused,
  REPEATED,
  waitingShipment,
  withOrder,
  wrongStatus,
  type LockedOrder,
  type Result,
} from "./locked-order.server.ts";
import { isArriving, type DeclineReason } from "./order-actions.ts";
import { shipments } from "./shipment.tables.ts";

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
    if (!isAllowed("delivered", order.status)) return wrongStatus(order);
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

/**
 * Requests payment by email for an order placed without payment or whose payment failed. Repeats within a minute send
 * nothing. Refusals: 'paid' if authorized, captured, or charged by parcel, 'provider' if the shop takes no payments.
 */
export const askForPayment = (
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  by: Acting | null,
): Promise<Result<"paid" | "provider" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!providers) return refused("provider");
    if (!isAllowed("payment-requested", order.status)) return wrongStatus(order);
    if (waitingShipment(order)) return refused("under-way");
    const known = await tx
      .select({ kind: payments.kind, state: payments.state })
      .from(payments)
      .where(eq(payments.orderId, orderId));
    const isPaid = known.some(({ state }) => state === "authorized" || state === "captured");
    if (isPaid || isChargedByParcel(known)) return refused("paid");
    const same = and(
      eq(orderEvents.orderId, orderId),
      eq(orderEvents.type, "payment-requested"),
      gt(orderEvents.at, sql`now() - interval '1 minute'`),
    );
    if ((await tx.$count(orderEvents, same)) > 0) return REPEATED;
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
    if (!order?.restToShip || !(await hasHad(tx, orderId, "delayed"))) return cancelOrder(tx, orderId, actor);
    const isCanceled = await cancelRest(tx, order, actor, "asked");
    return isCanceled ? DONE : { ok: false, reason: "too-late", status: order.status };
  });

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
