/** Facts of an order for its emails, loaded when an email is rendered. */
import { and, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { clock } from "#shop/clock.ts";
import type { EmailShop } from "#shop/mail/email.ts";
import { amountsCharged, type Amounts } from "#shop/orders/order.ts";
import type { Destination } from "#shop/orders/order-emails.server.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { asOrdered, orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { canceledUnits } from "#shop/orders/units.sql.ts";
import { getOrderForMail, type OrderForMail, type OrderItem } from "#shop/orders/orders.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { isChargedByParcel } from "#shop/payments/locked-payments.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { PaymentMethod } from "#shop/payments/provider.ts";
import { wasRefunded } from "./locked-order.server.ts";
import { CANCEL_REASONS, isReason, type CancelReason } from "./order-actions.ts";
import { lastReturnDay, type CarrierCode } from "./shipment.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";

type Money = {
  /** True if the order has a payment, even one that is only authorized. */
  isPaid: boolean;
  capturedCents: number;
  /** Captured and not refunded. */
  leftCents: number;
  method: PaymentMethod | null;
  /** The customer paid staff, without a provider. */
  isArranged: boolean;
  /** Card of an order whose parcels are charged one by one; null for other orders. */
  savedCard: PaymentMethod | null;
  /** End of the authorization; null without one. */
  holdEnd: Date | null;
};

export type OrderMail = Destination &
  Pick<OrderForMail, "status" | "email" | "deliveredAt" | "declineReason"> & {
    orderId: string;
    url: string;
    lines: { id: string; name: string }[];
    charged: Amounts;
    money: Money;
  };

/** Null if the customer has deleted the account. */
export async function loadOrderMail(db: Database, orderId: string, shop: EmailShop): Promise<OrderMail | null> {
  const order = await getOrderForMail(db, orderId);
  if (!order?.email) return null;
  const charged = amountsCharged(order, order.items);
  return {
    ...order,
    orderId,
    url: orderUrl(order, shop),
    lines: order.items,
    charged,
    money: await moneyOf(db, orderId),
  };
}

async function moneyOf(db: Database, orderId: string): Promise<Money> {
  const all = await db
    .select({
      kind: payments.kind,
      captured: payments.capturedCents,
      refunded: payments.refundedCents,
      method: payments.method,
      hasCard: sql<boolean>`${payments.savedCustomer} IS NOT NULL`,
      createdAt: payments.createdAt,
      arrangement: payments.arrangement,
    })
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(payments.capturedCents));
  const cards = all
    .filter(({ kind, hasCard }) => hasCard || kind === "setup")
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const card = cards.findLast(({ hasCard }) => hasCard) ?? cards.at(-1);
  return {
    isPaid: all.length > 0,
    capturedCents: all.reduce((sum, { captured }) => sum + captured, 0),
    leftCents: all.reduce((sum, { captured, refunded }) => sum + captured - refunded, 0),
    method: all[0]?.method ?? null,
    isArranged: Boolean(all[0]?.arrangement),
    savedCard: isChargedByParcel(all) ? (card?.method ?? null) : null,
    holdEnd: await holdEndOf(db, orderId),
  };
}

const isRegistrable = ({ createdAt }: { createdAt: Date }) =>
  newYorkDay(clock.now()) <= daysAfter(newYorkDay(createdAt), warrantyPolicy.registrationDays);

const isReturnable = ({ createdAt, deliveredAt }: { createdAt: Date; deliveredAt: Date | null }) =>
  deliveredAt !== null && newYorkDay(clock.now()) <= lastReturnDay(deliveredAt, settingsAt(createdAt).returns);

type Linked = { id: string; linkVersion: number };

/**
 * `toRegister` while a product of the order can be registered for its warranty; `mayReturn` until the last day for it,
 * unless the order came at no charge.
 */
export async function loadDelivered(
  db: Database,
  orderId: string,
): Promise<{ toRegister: Linked | null; mayReturn: boolean }> {
  const { id, linkVersion, totalCents, createdAt, deliveredAt } = orders;
  const [order] = await db
    .select({ id, linkVersion, totalCents, createdAt, deliveredAt })
    .from(orders)
    .where(eq(orders.id, orderId));
  const bought = await db
    .select({ warrantyYears: orderItems.warrantyYears })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(and(eq(orderItems.orderId, orderId), gt(orderItems.quantity, canceledUnits)));
  const isToRegister = order && isRegistrable(order) && bought.some(({ warrantyYears }) => warrantyYears !== null);
  return {
    toRegister: isToRegister ? { id: order.id, linkVersion: order.linkVersion } : null,
    mayReturn: order !== undefined && order.totalCents > 0 && isReturnable(order),
  };
}

/** `reason` is null if the customer or staff canceled the order. */
export async function loadCancellation(db: Database, orderId: string): Promise<{ reason: CancelReason | null }> {
  const ended = and(eq(orderEvents.orderId, orderId), eq(orderEvents.type, "canceled"));
  const [event] = await db.select({ data: orderEvents.data }).from(orderEvents).where(ended);
  const reason = event?.data?.reason;
  return { reason: isReason(CANCEL_REASONS, reason) ? reason : null };
}

/** End of an order's authorization; null without one. */
export async function holdEndOf(db: DatabaseOrTransaction, orderId: string): Promise<Date | null> {
  const authorized = and(eq(payments.orderId, orderId), eq(payments.state, "authorized"));
  const [payment] = await db.select({ end: payments.captureBefore }).from(payments).where(authorized);
  return payment?.end ?? null;
}

/** True if an authorization may end before an order ships on `day`, YYYY-MM-DD in New York. */
export const endsBefore = (holdEnd: Date | null, day: string): boolean =>
  holdEnd !== null && newYorkDay(holdEnd) <= day;

export type ParcelMail = {
  carrier: CarrierCode;
  /** Empty if the order was anonymized. */
  trackingNumber: string;
  shippedAt: Date;
  items: readonly OrderItem[];
  /** True if units of the order were still to ship after this parcel. */
  hasMoreToCome: boolean;
  /** Charged for this parcel; null if nothing was charged with it. */
  charge: { cents: number; method: PaymentMethod | null } | null;
  wasRefunded: boolean;
};

export async function loadParcelMail(db: Database, shipmentId: string): Promise<ParcelMail | null> {
  const [parcel] = await db
    .select({ ...getTableColumns(shipments), wasRefunded })
    .from(shipments)
    .where(eq(shipments.id, shipmentId));
  if (!parcel) return null;
  const items: OrderItem[] = await db
    .select({
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: shipmentItems.quantity,
      thumbnail: products.thumbnail,
    })
    .from(shipmentItems)
    .innerJoin(orderItems, eq(orderItems.id, shipmentItems.orderItemId))
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(eq(shipmentItems.shipmentId, shipmentId))
    .orderBy(...asOrdered);
  const { rows } = await db.execute<{ has_more: boolean }>(sql`
    SELECT (SELECT count(*) FROM order_units WHERE order_id = ${parcel.orderId}::uuid AND canceled_at IS NULL)
      > (SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
         WHERE packed.order_id = ${parcel.orderId}::uuid AND sent.order_id = ${parcel.orderId}::uuid AND sent.state <> 'failed' AND NOT (sent.state IN ('refused', 'lost') AND NOT EXISTS (SELECT FROM shipment_units AS held WHERE held.shipment_id = sent.id AND held.released_at IS NULL)) AND sent.created_at <= (SELECT created_at FROM shipments WHERE id = ${shipmentId}::uuid))
      AS has_more`);
  const { carrier, trackingNumber, createdAt, shippedAt, chargeId } = parcel;
  const [charge] = chargeId
    ? await db
        .select({ cents: paymentActions.amountCents, method: payments.method })
        .from(paymentActions)
        .innerJoin(payments, eq(payments.id, paymentActions.paymentId))
        .where(and(eq(paymentActions.chargeId, chargeId), eq(paymentActions.state, "done")))
    : [];
  return {
    carrier,
    trackingNumber,
    shippedAt: shippedAt ?? createdAt,
    items,
    hasMoreToCome: rows[0]?.has_more ?? false,
    charge: charge ?? null,
    wasRefunded: parcel.wasRefunded,
  };
}
