/** A customer's own orders: those they placed, and those placed as a guest that they have added to their account. */
import { asc, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { products } from "../catalog/product.tables.ts";
import { orderItems, orders } from "./order.tables.ts";
import type { Order } from "./orders.server.ts";

export const RECENT_ORDERS = 3;
export const ORDERS_A_PAGE = 20;

/** The part of a customer that decides which orders are theirs. */
export type OrderOwner = { id: string; email: string; emailVerified: boolean };

export type RecentOrder = Pick<Order, "id" | "totalCents" | "createdAt" | "status">;

export type HistoryItem = {
  id: string;
  name: string;
  priceCents: number;
  quantity: number;
  /** Null where the product is no longer in the catalog. */
  slug: string | null;
  thumbnail: string | null;
};

export type HistoryOrder = RecentOrder &
  Pick<Order, "subtotalCents" | "shippingCents" | "taxCents" | "shippingMethod" | "shippingCity" | "shippingState"> & {
    items: HistoryItem[];
  };

/** The orders of one customer, for a WHERE. */
export const ownOrders = ({ id }: Pick<OrderOwner, "id">): SQL => eq(orders.userId, id);

/**
 * The orders that hold a customer's personal data, for a WHERE: their own, and guest orders with the email that they have
 * verified, whoever typed it. They may download and erase all of them, but a guest order is in their account only once
 * they add it (decision 009). An unverified email selects no guest orders.
 */
export function ordersAbout(owner: OrderOwner): SQL {
  const own = ownOrders(owner);
  if (!owner.emailVerified) return own;
  return sql`(${own} OR ${guestOrders(owner.email)})`;
}

/** The orders that guests placed with an email, for a WHERE. */
export const guestOrders = (email: string): SQL =>
  sql`(${orders.userId} IS NULL AND lower(${orders.email}) = ${email.toLowerCase()})`;

const recent = {
  id: orders.id,
  totalCents: orders.totalCents,
  createdAt: orders.createdAt,
  status: orders.status,
};

/** The newest three. */
export function listRecentOrders(db: Database, owner: OrderOwner): Promise<RecentOrder[]> {
  return db
    .select(recent)
    .from(orders)
    .where(ownOrders(owner))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(RECENT_ORDERS);
}

/** One page of the history with its lines, newest first; `page` counts from 1. */
export async function listOrders(
  db: Database,
  owner: OrderOwner,
  page = 1,
): Promise<{ orders: HistoryOrder[]; hasOlder: boolean }> {
  const rows = await db
    .select({
      ...recent,
      subtotalCents: orders.subtotalCents,
      shippingCents: orders.shippingCents,
      taxCents: orders.taxCents,
      shippingMethod: orders.shippingMethod,
      shippingCity: orders.shippingCity,
      shippingState: orders.shippingState,
    })
    .from(orders)
    .where(ownOrders(owner))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(ORDERS_A_PAGE + 1)
    .offset((page - 1) * ORDERS_A_PAGE);
  const shown = rows.slice(0, ORDERS_A_PAGE);
  if (shown.length === 0) return { orders: [], hasOlder: false };
  const items = await db
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: orderItems.quantity,
      slug: products.slug,
      thumbnail: products.thumbnail,
    })
    .from(orderItems)
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(
      inArray(
        orderItems.orderId,
        shown.map(({ id }) => id),
      ),
    )
    .orderBy(asc(orderItems.name));
  return {
    orders: shown.map((order) => ({
      ...order,
      items: items.filter(({ orderId }) => orderId === order.id),
    })),
    hasOlder: rows.length > ORDERS_A_PAGE,
  };
}
