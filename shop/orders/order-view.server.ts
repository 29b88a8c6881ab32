/** One order as its page shows it: lines as they were bought, and what happened to it. It does not ask whose it is. */
import { asc, eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { products } from "../catalog/product.tables.ts";
import type { HistoryItem } from "./history.server.ts";
import type { OrderEvent } from "./lifecycle.ts";
import { orderEvents, orderItems, orders, type OrderEventData } from "./order.tables.ts";
import type { Order } from "./orders.server.ts";

export type OrderViewItem = HistoryItem & { canceledQuantity: number; shipsFrom: string | null };
export type OrderViewEvent = {
  type: OrderEvent;
  actor: (typeof orderEvents.$inferSelect)["actor"];
  at: Date;
  data: OrderEventData | null;
};

/** The row that decides who may see the order, with all that is in it. */
export async function getOrder(db: Database, orderId: string): Promise<Order | null> {
  const [found] = await db.select().from(orders).where(eq(orders.id, orderId));
  return found ?? null;
}

export const listOrderItems = (db: Database, orderId: string): Promise<OrderViewItem[]> =>
  db
    .select({
      id: orderItems.id,
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: orderItems.quantity,
      canceledQuantity: orderItems.canceledQuantity,
      shipsFrom: orderItems.shipsFrom,
      slug: products.slug,
      thumbnail: products.thumbnail,
    })
    .from(orderItems)
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.name));

/** What happened, the first thing first. */
export const listOrderEvents = (db: Database, orderId: string): Promise<OrderViewEvent[]> =>
  db
    .select({ type: orderEvents.type, actor: orderEvents.actor, at: orderEvents.at, data: orderEvents.data })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
