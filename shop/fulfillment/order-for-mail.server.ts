/** What the emails about an order's steps need to know of it, read when they are written. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { EmailShop } from "../mail/email.ts";
import { amountsCharged } from "../orders/charge.ts";
import { orderUrl } from "../orders/order-link.server.ts";
import { orderEvents, orderItems } from "../orders/order.tables.ts";
import { getOrderForMail, type OrderForMail, type OrderItem } from "../orders/orders.server.ts";
import { payments } from "../payments/payment.tables.ts";
import type { Money } from "./emails/told.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";

/** An order and its address. Null where there is nobody to write to: the customer has deleted the account meanwhile. */
export async function toldOrder(
  db: Database,
  orderId: string,
  shop: EmailShop,
): Promise<{ order: OrderForMail; url: string } | null> {
  const order = await getOrderForMail(db, orderId);
  return order?.email ? { order, url: orderUrl(order, shop) } : null;
}

export async function moneyOf(db: Database, orderId: string): Promise<Money> {
  const all = await db
    .select({ captured: payments.capturedCents, refunded: payments.refundedCents, method: payments.method })
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(payments.capturedCents));
  return {
    isPaid: all.length > 0,
    capturedCents: all.reduce((sum, { captured }) => sum + captured, 0),
    leftCents: all.reduce((sum, { captured, refunded }) => sum + captured - refunded, 0),
    method: all[0]?.method ?? null,
  };
}

export const linesOf = (db: Database, orderId: string) =>
  db.select().from(orderItems).where(eq(orderItems.orderId, orderId));

/** What the order is charged now. */
export const chargeOf = async (db: Database, order: OrderForMail) => amountsCharged(order, await linesOf(db, order.id));

/** A parcel with what is in it, and whether more of its order is still to be sent. */
export async function parcelOf(db: Database, shipmentId: string) {
  const [parcel] = await db.select().from(shipments).where(eq(shipments.id, shipmentId));
  if (!parcel) return null;
  const items: OrderItem[] = await db
    .select({ name: orderItems.name, priceCents: orderItems.priceCents, quantity: shipmentItems.quantity })
    .from(shipmentItems)
    .innerJoin(orderItems, eq(orderItems.id, shipmentItems.orderItemId))
    .where(eq(shipmentItems.shipmentId, shipmentId))
    .orderBy(orderItems.name);
  const { rows } = await db.execute<{ has_more: boolean }>(sql`
    SELECT (SELECT sum(quantity - canceled_quantity) FROM order_items WHERE order_id = ${parcel.orderId}::uuid)
      > (SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
         WHERE sent.order_id = ${parcel.orderId}::uuid AND sent.state <> 'failed' AND sent.created_at <= (SELECT created_at FROM shipments WHERE id = ${shipmentId}::uuid))
      AS has_more`);
  return { ...parcel, items, hasMoreToCome: rows[0]?.has_more ?? false };
}

/** What was recorded when the order was declined. */
export async function declineReason(db: Database, orderId: string): Promise<string | undefined> {
  const [event] = await db
    .select({ data: orderEvents.data })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), eq(orderEvents.type, "declined")));
  const reason = event?.data?.reason;
  return typeof reason === "string" ? reason : undefined;
}
