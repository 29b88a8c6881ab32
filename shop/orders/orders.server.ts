/** One order with its lines and events, for its page and emails. The caller checks ownership. */
import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { products } from "#shop/catalog/product.tables.ts";
import type { OrderEvent } from "./lifecycle.ts";
import { asOrdered, orderEvents, orderItems, orders } from "./order.tables.ts";
import { keptColumns, lineColumns } from "./units.sql.ts";

export type Order = typeof orders.$inferSelect;
export type OrderItem = Pick<typeof orderItems.$inferSelect, "name" | "priceCents" | "quantity"> & {
  shipsFrom?: string | null;
  /** Note of a later shipping day. */
  note?: string | null;
  /** Null if the product has no picture, or left the catalog. */
  thumbnail?: string | null;
};

type SavedCard = { brand: string; lastFour: string };

const AUTHORIZED: OrderEvent[] = ["authorized", "authorized-late"];

export type OrderForMail = NonNullable<Awaited<ReturnType<typeof getOrderForMail>>>;

export async function getOrderForMail(db: Database, orderId: string) {
  const [found] = await db
    .select({
      order: orders,
      /** True if the order's email is the verified one of its account, so that its reader also typed the order's text. */
      isOwnEmail: sql<boolean>`coalesce(${users.emailVerified} AND lower(${users.email}) = lower(${orders.email}), false)`,
      wasAuthorized: sql<boolean>`EXISTS (
        SELECT FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders.id} AND ${orderEvents.type} IN ${AUTHORIZED})`,
      /** Card that is charged when each package ships; null for other orders. */
      savedCard: sql<SavedCard | null>`(
        SELECT method FROM payments WHERE order_id = ${orders.id} AND kind = 'setup' AND method IS NOT NULL
        ORDER BY created_at DESC LIMIT 1)`,
      /** A notice has moved the promised day. */
      isMoved: sql<boolean>`EXISTS (
        SELECT FROM delay_notices WHERE order_id = ${orders.id} AND sent_at >= ${orders.promisedAt})`,
      declineReason: sql<string | null>`(
        SELECT data->>'reason' FROM order_events WHERE order_id = ${orders.id} AND type = 'declined')`,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  if (!found) return null;
  const items = await db
    .select({ ...lineColumns, thumbnail: products.thumbnail })
    .from(orderItems)
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(eq(orderItems.orderId, orderId))
    .orderBy(...asOrdered);
  const { order, ...facts } = found;
  return { ...order, ...facts, items };
}

/** Returns the row of an order. The caller checks access. */
export async function getOrder(db: Database, orderId: string): Promise<Order | null> {
  const [found] = await db.select().from(orders).where(eq(orders.id, orderId));
  return found ?? null;
}

export type OrderViewItem = Awaited<ReturnType<typeof listOrderItems>>[number];

/** Returns the lines of orders; `slug` and `thumbnail` are null if the product left the catalog. */
export const listOrderItems = (db: Database, orderIds: string[]) =>
  db
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: orderItems.quantity,
      ...keptColumns,
      shipsFrom: orderItems.shipsFrom,
      returnId: orderItems.returnId,
      slug: products.slug,
      thumbnail: products.thumbnail,
    })
    .from(orderItems)
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(inArray(orderItems.orderId, orderIds))
    .orderBy(...asOrdered);

export type OrderViewEvent = Awaited<ReturnType<typeof listOrderEvents>>[number];

export const listOrderEvents = (db: Database, orderId: string) =>
  db
    .select({ type: orderEvents.type, actor: orderEvents.actor, at: orderEvents.at, data: orderEvents.data })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
