/** Orders of one person: the history of an account, for customers; orders by email, for staff. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { clock } from "#shop/clock.ts";
import { keptCents } from "./charged.sql.ts";
import { readStates } from "./facts.server.ts";
import type { Attention, Stage } from "./lifecycle.ts";
import { orders } from "./order.tables.ts";
import { listOrderItems } from "./orders.server.ts";
import { statusOf } from "./situation-words.ts";
import { situationOf } from "./situation.ts";

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
};

const newestFirst = [desc(orders.createdAt), desc(orders.id)];

/** Orders with their lines, and what the page of each calls its situation. */
async function withLines<Row extends { id: string }>(db: Database, rows: Row[]) {
  const ids = rows.map(({ id }) => id);
  const [items, states] = await Promise.all([listOrderItems(db, ids), readStates(db, ids)]);
  const now = clock.now();
  return rows.map((row) => ({
    ...row,
    ...statusOf(situationOf(states.get(row.id)!, now)),
    items: items.filter(({ orderId }) => orderId === row.id),
  }));
}

export async function listRecentOrders(db: Database, owner: OrderOwner) {
  const rows = await db
    .select(recent)
    .from(orders)
    .where(ownOrders(owner))
    .orderBy(...newestFirst)
    .limit(RECENT_ORDERS);
  return withLines(db, rows);
}

/** Returns one page of the history with its lines, newest first; `page` counts from 1. */
export async function listOrders(db: Database, owner: OrderOwner, page = 1) {
  const rows = await db
    .select({
      ...recent,
      subtotalCents: orders.subtotalCents,
      discountCents: orders.discountCents,
      discountName: orders.discountName,
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
  const shown = await withLines(db, rows.slice(0, ORDERS_A_PAGE));
  return {
    orders: shown.map((order) => ({
      ...order,
      methodName: settingsAt(order.createdAt).shipping[order.shippingMethod].name,
    })),
    hasOlder: rows.length > ORDERS_A_PAGE,
  };
}

export type PersonOrder = {
  id: string;
  stage: Stage;
  attention: readonly Attention[];
  totalCents: number;
  createdAt: Date;
  isGuest: boolean;
  /** The recipient's. */
  name: string;
};

/** Returns the newest `limit` orders with an email, of guests and of its account. */
export async function listPersonOrders(
  db: Pick<Database, "execute">,
  email: string,
  limit: number,
): Promise<PersonOrder[]> {
  const newest = sql`ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const { rows } = await db.execute<Omit<PersonOrder, "createdAt"> & { createdAt: string }>(sql`
    SELECT id, stage, attention, total AS "totalCents", created_at AS "createdAt", user_id IS NULL AS "isGuest",
      trim(shipping_first_name || ' ' || shipping_last_name) AS name FROM (
      (SELECT * FROM orders WHERE user_id IS NULL AND lower(email) = lower(${email}::text) ${newest})
      UNION ALL
      (SELECT o.* FROM orders o WHERE o.user_id = (SELECT id FROM users WHERE users.email = lower(${email}::text)) ${newest})
    ) theirs ${newest}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** Cents that a person was charged and not refunded, as a guest and by their account. */
export async function spentBy(db: Pick<Database, "execute">, email: string): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(sql`
    SELECT coalesce(sum(${keptCents}), 0)::float8 AS cents FROM orders
    WHERE (user_id IS NULL AND lower(email) = lower(${email}::text))
      OR user_id = (SELECT id FROM users WHERE users.email = lower(${email}::text))`);
  return rows[0]?.cents ?? 0;
}
