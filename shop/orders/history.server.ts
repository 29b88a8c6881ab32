/** Orders of one person: the history of an account, for customers; orders and guests by email, for staff. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { likePrefix } from "#db/lists.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import type { OrderStatus } from "./lifecycle.ts";
import { orders } from "./order.tables.ts";
import { listOrderItems } from "./orders.server.ts";

const RECENT_ORDERS = 3;
export const ORDERS_A_PAGE = 20;

export type OrderOwner = { id: string; email: string; emailVerified: boolean };

export type HistoryOrder = Awaited<ReturnType<typeof listOrders>>["orders"][number];

export const ownOrders = ({ id }: Pick<OrderOwner, "id">): SQL => eq(orders.userId, id);

/**
 * Condition for a WHERE: orders that hold a customer's personal data, which they may download and erase. Includes guest
 * orders with the customer's verified email, which join the account only once claimed (decision 009). An unverified
 * email selects no guest orders.
 */
export function ordersAbout(owner: OrderOwner): SQL {
  const own = ownOrders(owner);
  if (!owner.emailVerified) return own;
  return sql`(${own} OR ${guestOrders(owner.email)})`;
}

export const guestOrders = (email: string): SQL =>
  sql`(${orders.userId} IS NULL AND lower(${orders.email}) = ${email.toLowerCase()})`;

const recent = {
  id: orders.id,
  totalCents: orders.totalCents,
  createdAt: orders.createdAt,
  status: orders.status,
};

const newestFirst = [desc(orders.createdAt), desc(orders.id)];

export const listRecentOrders = (db: Database, owner: OrderOwner) =>
  db
    .select(recent)
    .from(orders)
    .where(ownOrders(owner))
    .orderBy(...newestFirst)
    .limit(RECENT_ORDERS);

/** Returns one page of the history with its lines, newest first; `page` counts from 1. */
export async function listOrders(db: Database, owner: OrderOwner, page = 1) {
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
    .orderBy(...newestFirst)
    .limit(ORDERS_A_PAGE + 1)
    .offset((page - 1) * ORDERS_A_PAGE);
  const shown = rows.slice(0, ORDERS_A_PAGE);
  const ids = shown.map(({ id }) => id);
  const items = ids.length > 0 ? await listOrderItems(db, ids) : [];
  return {
    orders: shown.map((order) => ({
      ...order,
      methodName: settingsAt(order.createdAt).shipping[order.shippingMethod].name,
      items: items.filter(({ orderId }) => orderId === order.id),
    })),
    hasOlder: rows.length > ORDERS_A_PAGE,
  };
}

export type PersonOrder = {
  id: string;
  status: OrderStatus;
  restToShip: boolean;
  totalCents: number;
  createdAt: Date;
  isGuest: boolean;
};

/** Returns the newest `limit` orders with an email, of guests and of its account. */
export async function listPersonOrders(
  db: Pick<Database, "execute">,
  email: string,
  limit: number,
): Promise<PersonOrder[]> {
  const newest = sql`ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const { rows } = await db.execute<Omit<PersonOrder, "createdAt"> & { createdAt: string }>(sql`
    SELECT id, status, rest_to_ship AS "restToShip", total AS "totalCents", created_at AS "createdAt", user_id IS NULL AS "isGuest" FROM (
      (SELECT * FROM orders WHERE user_id IS NULL AND lower(email) = lower(${email}::text) ${newest})
      UNION ALL
      (SELECT o.* FROM orders o WHERE o.user_id = (SELECT id FROM users WHERE users.email = lower(${email}::text)) ${newest})
    ) theirs ${newest}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** Cents that a person was charged and not refunded, as a guest and by their account. */
export async function spentBy(db: Pick<Database, "execute">, email: string): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(sql`
    SELECT coalesce(sum(captured - refunded), 0)::float8 AS cents FROM payments JOIN orders o ON o.id = order_id
    WHERE (o.user_id IS NULL AND lower(o.email) = lower(${email}::text))
      OR o.user_id = (SELECT id FROM users WHERE users.email = lower(${email}::text))`);
  return rows[0]?.cents ?? 0;
}

export const GUESTS_PAGE = 50;

export type ListedGuest = { email: string; orders: number; newestAt: Date };

/**
 * Returns one page of guests by email prefix, and one more row if there are more; `after` is the last email of the
 * previous page. The operators match the index under any collation.
 */
export async function listGuests(db: Database, search: string, after = ""): Promise<ListedGuest[]> {
  const { rows } = await db.execute<{ email: string; orders: number; newestAt: string }>(sql`
    SELECT lower(email) AS email, count(*)::int AS orders, max(created_at) AS "newestAt" FROM orders
    WHERE user_id IS NULL AND lower(email) LIKE ${likePrefix(search)} AND lower(email) ~>~ ${after}
    GROUP BY lower(email) ORDER BY lower(email) USING ~<~ LIMIT ${GUESTS_PAGE + 1}`);
  return rows.map(({ newestAt, ...row }) => ({ ...row, newestAt: new Date(newestAt) }));
}
