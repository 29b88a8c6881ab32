/** Orders as they were placed: lines, prices and address are frozen. */
import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { users } from "../accounts/account.tables.ts";
import type { OrderEvent } from "./lifecycle.ts";
import { orderEvents, orderItems, orders } from "./order.tables.ts";

export type Order = typeof orders.$inferSelect;
export type OrderItem = Pick<typeof orderItems.$inferSelect, "name" | "priceCents" | "quantity"> & {
  /** As it was promised; what is on its way says nothing of it. */
  shipsFrom?: string | null;
};

const AUTHORIZED: OrderEvent[] = ["authorized", "authorized-late"];

export type OrderForMail = Order & {
  items: OrderItem[];
  /** The order's email is the verified one of its account: whoever reads the email has typed the order's words. */
  isOwnEmail: boolean;
  /** It came to be processed because its payment was authorized. */
  wasAuthorized: boolean;
};

/** One order with its lines, for the emails about it. Not for screens: it does not check whose order it is. */
export async function getOrderForMail(db: Database, orderId: string): Promise<OrderForMail | null> {
  const [found] = await db
    .select({
      order: orders,
      isOwnEmail: sql<boolean>`coalesce(${users.emailVerified} AND lower(${users.email}) = lower(${orders.email}), false)`,
      wasAuthorized: sql<boolean>`EXISTS (
        SELECT FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders.id} AND ${orderEvents.type} IN ${AUTHORIZED})`,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  if (!found) return null;
  const items = await db
    .select({
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: orderItems.quantity,
      shipsFrom: orderItems.shipsFrom,
    })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.name));
  return { ...found.order, isOwnEmail: found.isOwnEmail, wasAuthorized: found.wasAuthorized, items };
}
