/** Orders as they were placed: lines, prices and address are frozen. */
import { asc, eq } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { orderItems, orders } from "./order.tables.ts";

export type Order = typeof orders.$inferSelect;
export type OrderItem = Pick<typeof orderItems.$inferSelect, "name" | "priceCents" | "quantity">;

/** One order with its lines, for the letters about it. Not for screens: it asks nobody who they are. */
export async function getOrderForMail(db: Database, orderId: string): Promise<(Order & { items: OrderItem[] }) | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) return null;
  const items = await db
    .select({ name: orderItems.name, priceCents: orderItems.priceCents, quantity: orderItems.quantity })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.name));
  return { ...order, items };
}
