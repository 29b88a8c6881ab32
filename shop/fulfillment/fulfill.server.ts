/** Changes of an order other than shipping and refunds. Each succeeds whole or is refused, and is idempotent. */
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { returnStock } from "#shop/inventory/stock.server.ts";
import { amountsCharged, unitsKept } from "#shop/orders/order.ts";
import { isAllowed, statusAfter, type OrderEvent, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { changeStatus, noteOrder } from "#shop/orders/order-events.server.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { cancelOrder, declineOrder, type CancelResult } from "#shop/payments/cancel.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { isShopDay } from "./shipment.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { audit, lockOrder, mail, waitingShipment, withOrder, type LockedOrder } from "./locked-order.server.ts";
import { endsBefore, holdEndOf } from "./order-for-mail.server.ts";
import type { DeclineReason, LineReason } from "./order-actions.ts";
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
 * Marks an order and all its parcels as delivered, which starts the return period. Refused with 'units-left' if units
 * did not ship, unless `restGivenUp`: refundOrder then refunds them.
 */
export const markDelivered = (
  db: Database,
  orderId: string,
  { restGivenUp = false },
  by: Acting | null,
): Promise<Result<"units-left">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (order.status === statusAfter("delivered")) return REPEATED;
    if (!mayBe("delivered", order)) return wrongStatus(order);
    if (!restGivenUp && order.lines.some(({ unitsLeft }) => unitsLeft > 0)) return refused("units-left");
    await changeStatus(tx, orderId, "delivered", "staff", {
      also: sql`delivered_at = now(), rest_to_ship = false`,
      staffId: by?.staffId ?? null,
    });
    await tx
      .update(shipments)
      .set({ state: "delivered", deliveredAt: sql`now()` })
      .where(and(eq(shipments.orderId, orderId), eq(shipments.state, "shipped")));
    await audit(tx, by, "deliver", orderId, { after: { restGivenUp } });
    await mail(tx, { template: "order-delivered", orderId });
    return DONE;
  });

/**
 * Delays an order to the end of `until`, a day (YYYY-MM-DD) after today and after the promised one. The customer may
 * keep or cancel it. Refusals: 'day', 'under-way', and 'hold-ends' if the payment's authorization ends by then, unless
 * `paysAgain`: the customer is asked to pay again.
 */
export const delayOrder = (
  db: Database,
  orderId: string,
  until: string,
  by: Acting | null,
  { paysAgain = false } = {},
): Promise<Result<"day" | "under-way" | "hold-ends">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!isShopDay(until)) return refused("day");
    if (!mayBe("delayed", order)) return wrongStatus(order);
    if (order.shipsBy === until) return REPEATED;
    if (waitingShipment(order)) return refused("under-way");
    if (until <= newYorkDay(new Date()) || (order.shipsBy && until < order.shipsBy)) return refused("day");
    if (!paysAgain && endsBefore(await holdEndOf(tx, orderId), until)) return refused("hold-ends");
    await tx.update(orders).set({ shipsBy: until }).where(eq(orders.id, orderId));
    await noteOrder(tx, orderId, "delayed", "staff", { until }, by?.staffId);
    await audit(tx, by, "delay", orderId, { before: { shipsBy: order.shipsBy }, after: { shipsBy: until } });
    await mail(tx, { template: "order-delayed", orderId, until });
    return DONE;
  });

/** Accepts the latest delay for the buyer, once. Refused with 'no-delay' if none is open. The caller has checked ownership. */
export const acceptDelay = (db: Database, orderId: string, actor: "customer" | "guest"): Promise<Result<"no-delay">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!mayBe("delay-accepted", order)) return wrongStatus(order);
    const [latest] = await tx
      .select({ type: orderEvents.type })
      .from(orderEvents)
      .where(and(eq(orderEvents.orderId, orderId), inArray(orderEvents.type, ["delayed", "delay-accepted"])))
      .orderBy(desc(orderEvents.id))
      .limit(1);
    if (latest?.type !== "delayed") return refused("no-delay");
    await noteOrder(tx, orderId, "delay-accepted", actor);
    return DONE;
  });

type LineChange = {
  itemId: string;
  /** Remaining units; 0 cancels the line. */
  keep: number;
  returnsStock: boolean;
  reason: LineReason;
};

/**
 * Cancels units of a line of an order that has not shipped: they are neither sent nor charged, by amountsCharged.
 * Refusals: 'unknown-line', 'units' if `keep` exceeds the line, 'last-line' if nothing would be left (cancel or decline
 * the order instead), 'under-way' while a parcel waits for its capture.
 */
export const cancelLine = (
  db: Database,
  orderId: string,
  { itemId, keep, returnsStock, reason }: LineChange,
  by: Acting | null,
): Promise<Result<"unknown-line" | "units" | "last-line" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    const line = order.lines.find(({ id }) => id === itemId);
    if (!line) return refused("unknown-line");
    if (!mayBe("line-canceled", order)) return wrongStatus(order);
    if (unitsKept(line) === keep) return REPEATED;
    if (waitingShipment(order)) return refused("under-way");
    if (!Number.isInteger(keep) || keep < 0 || keep > unitsKept(line)) return refused("units");
    const canceledQuantity = line.quantity - keep;
    const lines = order.lines.map((each) => (each === line ? { ...line, canceledQuantity } : each));
    if (lines.every((each) => unitsKept(each) === 0)) return refused("last-line");
    const units = canceledQuantity - line.canceledQuantity;
    await tx.update(orderItems).set({ canceledQuantity }).where(eq(orderItems.id, itemId));
    if (returnsStock) {
      await tx.execute(returnStock(sql`(SELECT ${line.productId}::uuid AS product_id, ${units}::int AS quantity)`));
    }
    const { totalCents } = amountsCharged(order, lines);
    const change = { itemId, units, returnsStock, reason, totalCents };
    await noteOrder(tx, orderId, "line-canceled", "staff", change, by?.staffId);
    await audit(tx, by, "cancel-line", orderId, { after: change });
    await mail(tx, { template: "order-changed", orderId, itemId, units, reason });
    return DONE;
  });

/**
 * Requests payment by email for an order placed without payment or whose payment failed. Refusals: 'paid' if authorized
 * or captured, 'provider' if the shop takes no payments.
 */
export const askForPayment = (
  db: Database,
  provider: PaymentProvider | null,
  orderId: string,
  by: Acting | null,
): Promise<Result<"paid" | "provider" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!provider) return refused("provider");
    if (!mayBe("payment-requested", order)) return wrongStatus(order);
    if (waitingShipment(order)) return refused("under-way");
    const known = await tx.select({ state: payments.state }).from(payments).where(eq(payments.orderId, orderId));
    if (known.some(({ state }) => state === "authorized" || state === "captured")) return refused("paid");
    await noteOrder(tx, orderId, "payment-requested", "staff", undefined, by?.staffId);
    await audit(tx, by, "ask-payment", orderId);
    await mail(tx, { template: "payment-request", orderId, why: "asked" });
    return DONE;
  });

/** Cancels an order. An unpaid one was never confirmed and gets no email. */
export const cancelByStaff = (db: Database, orderId: string, by: Acting | null): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", async (tx) => {
    const result = await cancelOrder(tx, orderId, "staff", by?.staffId);
    if (result.ok && !result.repeated) await audit(tx, by, "cancel", orderId);
    return result;
  });

/** Cancels an order for its buyer. The caller has checked ownership. */
export const cancelByBuyer = (db: Database, orderId: string, actor: "customer" | "guest"): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", (tx) => cancelOrder(tx, orderId, actor));

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
