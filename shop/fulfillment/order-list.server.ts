/**
 * The orders of the back office, a page at a time, whatever is asked of a million of them: every page is a few short walks
 * along one index, or begins from what is rare. Nothing here counts to the end.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { OrderStatus, PaymentStatus } from "../orders/lifecycle.ts";
import { CAPTURE_HOURS, statusPairs, viewOf, type ViewName } from "./views.ts";

export const ORDERS_A_PAGE = 50;
/** Above this, counts are "10,000+". */
const COUNTED = 10_000;
/** Above this, where each order has to be looked at. */
const LOOKED_AT = 500;
/** Of a search that more fit, only so many are looked at, and whoever searches is asked for more words. */
const SEARCHED = 1_000;
/** Comes after all others in an index of text_pattern_ops, which is by code points. */
const LAST_CHARACTER = "\u{10FFFF}";

export type OrderFilter = {
  view?: ViewName | undefined;
  status?: OrderStatus | undefined;
  payment?: PaymentStatus | undefined;
  /** Placed from the beginning of this day to the end of that one, as YYYY-MM-DD in New York. */
  since?: string | undefined;
  until?: string | undefined;
  productId?: string | undefined;
  /** An order's number, or how a name or an email begins. */
  search?: string | undefined;
  /** Packers do not look for email addresses. */
  searchesEmails?: boolean | undefined;
};

export type ListedOrder = {
  id: string;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  createdAt: Date;
  firstName: string;
  lastName: string;
  city: string;
  /** Those that are not canceled. */
  units: number;
  /** "2 × Charging Dock, 1 × Travel Sleeve" */
  what: string;
  totalCents: number;
  onHoldSince: Date | null;
  restToShip: boolean;
  captureBefore: Date | null;
};

export type OrderPage = {
  orders: ListedOrder[];
  /** Where the next page begins. */
  next: string | null;
  /** More fit what was searched than are looked at. */
  isCut: boolean;
};

/** What is walked, and what must be true of each order. */
type Plan = { walk: (limit: number) => SQL; isCut: boolean };

const AFTER = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00)_([0-9a-f-]{36})$/;

const isOldestFirst = ({ view }: OrderFilter) => view !== undefined;

const dayStart = (day: string) => sql`(${day}::date::timestamp AT TIME ZONE 'America/New_York')`;

/** What a page goes on from, and the days: of the columns that whatever is walked is in the order of. */
function within(filter: OrderFilter, after: string | null, at: SQL, id: SQL): SQL {
  const [, time, orderId] = AFTER.exec(after ?? "") ?? [];
  const parts = [sql`true`];
  if (filter.since) parts.push(sql`${at} >= ${dayStart(filter.since)}`);
  if (filter.until) parts.push(sql`${at} < (${filter.until}::date + 1)::timestamp AT TIME ZONE 'America/New_York'`);
  if (time) {
    const next = isOldestFirst(filter) ? sql`>` : sql`<`;
    parts.push(sql`(${at}, ${id}) ${next} (${time}::timestamptz, ${orderId}::uuid)`);
  }
  return sql.join(parts, sql` AND `);
}

const inOrder = (filter: OrderFilter, at: SQL, id: SQL): SQL =>
  isOldestFirst(filter) ? sql`${at}, ${id}` : sql`${at} DESC, ${id} DESC`;

const pairsOf = ({ view, status, payment }: OrderFilter) =>
  statusPairs(
    (one, paid) =>
      (!view || viewOf(view).is(one, paid)) && (!status || status === one) && (!payment || payment === paid),
  );

const pairTable = (filter: OrderFilter): SQL => {
  const pairs = pairsOf(filter);
  const list = (values: string[]) => sql`${`{${values.join(",")}}`}::text[]`;
  return sql`unnest(${list(pairs.map(({ status }) => status))}, ${list(pairs.map(({ payment }) => payment))})`;
};

/** What an order must be beside its statuses. */
function also({ view, productId }: OrderFilter, isProductWalked = false): SQL {
  const parts = [sql`true`];
  if (view && viewOf(view).also === "not-hold") parts.push(sql`orders.on_hold_since IS NULL`);
  if (view && viewOf(view).also === "soon") parts.push(sql`orders.on_hold_since IS NULL`);
  if (productId && !isProductWalked) {
    parts.push(sql`EXISTS (
      SELECT FROM order_items WHERE order_items.order_id = orders.id AND order_items.product_id = ${productId}::uuid)`);
  }
  return sql.join(parts, sql` AND `);
}

/** Begins from few orders, by their ids. */
const byIds = (filter: OrderFilter, after: string | null, ids: SQL): Plan["walk"] => {
  const [at, id] = [sql`orders.created_at`, sql`orders.id`];
  return (limit) => sql`
    SELECT orders.id, orders.created_at AS at FROM orders
    WHERE orders.id IN (${ids}) AND (orders.status, orders.payment_status) IN (SELECT * FROM ${pairTable(filter)})
      AND ${also(filter)} AND ${within(filter, after, at, id)}
    ORDER BY ${inOrder(filter, at, id)} LIMIT ${limit}`;
};

/** Walks along orders_desk once for each pair of statuses. */
const byStatuses = (filter: OrderFilter, after: string | null): Plan["walk"] => {
  const [at, id] = [sql`orders.created_at`, sql`orders.id`];
  return (limit) => sql`
    SELECT walked.id, walked.at FROM ${pairTable(filter)} AS pairs (status, payment) CROSS JOIN LATERAL (
      SELECT orders.id, orders.created_at AS at FROM orders
      WHERE orders.status = pairs.status AND orders.payment_status = pairs.payment
        AND ${also(filter)} AND ${within(filter, after, at, id)}
      ORDER BY ${inOrder(filter, at, id)} LIMIT ${limit}
    ) AS walked`;
};

/** Walks along the orders of a product. */
const byProduct = (filter: OrderFilter, after: string | null): Plan["walk"] => {
  const [at, id] = [sql`bought.created_at`, sql`bought.order_id`];
  return (limit) => sql`
    SELECT bought.order_id AS id, bought.created_at AS at
    FROM order_items AS bought JOIN orders ON orders.id = bought.order_id
    WHERE bought.product_id = ${filter.productId}::uuid AND ${within(filter, after, at, id)}
      AND (orders.status, orders.payment_status) IN (SELECT * FROM ${pairTable(filter)}) AND ${also(filter, true)}
    ORDER BY ${inOrder(filter, at, id)} LIMIT ${limit}`;
};

/** The ids of what is searched for: by number, or by how names and emails begin. */
async function searched(db: Database, text: string, emails: boolean): Promise<{ ids: string[]; isCut: boolean }> {
  const words = text.trim().replaceAll(/\s+/g, " ");
  // A letter fits too many to be worth looking.
  if (words.length < 2) return { ids: [], isCut: true };
  const digits = words.toLowerCase().replaceAll("-", "").replace(/^#/, "");
  const first = words.toLowerCase();
  const last = `${first}${LAST_CHARACTER}`;
  // Along its index, whatever is searched: by a bound that it sees, the planner may read all orders, or all that fit.
  const beginning = (text: SQL) => sql`(SELECT id FROM orders
    WHERE ${text} ~>=~ (SELECT ${first}::text) AND ${text} ~<=~ (SELECT ${last}::text)
    ORDER BY ${text} USING ~<~ LIMIT ${SEARCHED + 1})`;
  const parts = [
    beginning(sql`lower(shipping_first_name || ' ' || shipping_last_name)`),
    beginning(sql`lower(shipping_last_name)`),
  ];
  if (emails) parts.push(beginning(sql`lower(email)`));
  if (/^[0-9a-f]{8,32}$/.test(digits)) {
    const [from, to] = [digits.padEnd(32, "0"), digits.padEnd(32, "f")];
    parts.push(sql`(SELECT id FROM orders WHERE id BETWEEN ${from}::uuid AND ${to}::uuid LIMIT ${SEARCHED + 1})`);
  }
  const { rows } = await db.execute<{ id: string }>(sql`${sql.join(parts, sql` UNION `)} LIMIT ${SEARCHED + 1}`);
  return { ids: rows.slice(0, SEARCHED).map(({ id }) => id), isCut: rows.length > SEARCHED };
}

const idList = (ids: string[]) => sql`SELECT unnest(${`{${ids.join(",")}}`}::uuid[])`;

const RARE: Partial<Record<NonNullable<ReturnType<typeof viewOf>["also"]>, SQL>> = {
  soon: sql`SELECT order_id FROM payments WHERE payments.state = 'authorized'
    AND payments.capture_before < now() + ${CAPTURE_HOURS} * interval '1 hour'`,
  hold: sql`SELECT id FROM orders WHERE on_hold_since IS NOT NULL`,
  rest: sql`SELECT id FROM orders WHERE rest_to_ship`,
};

async function planOf(db: Database, filter: OrderFilter, after: string | null): Promise<Plan> {
  if (filter.search?.trim()) {
    const { ids, isCut } = await searched(db, filter.search, filter.searchesEmails ?? false);
    return { walk: byIds(filter, after, idList(ids)), isCut };
  }
  const rare = filter.view && viewOf(filter.view).also;
  const ids = rare && RARE[rare];
  if (ids) return { walk: byIds(filter, after, ids), isCut: false };
  // Of a product: along its own orders, but where few orders have these statuses, along those.
  const isByProduct =
    filter.productId && (await count(db, byStatuses({ ...filter, productId: undefined }, null))) >= COUNTED;
  return { walk: (isByProduct ? byProduct : byStatuses)(filter, after), isCut: false };
}

async function count(db: Database, walk: Plan["walk"], most = COUNTED): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM (SELECT FROM (${walk(most)}) AS found LIMIT ${most}) AS counted`,
  );
  return rows[0]?.n ?? 0;
}

/** How many orders there are, as far as they are counted. */
export async function countOrders(db: Database, filter: OrderFilter): Promise<{ count: number; hasMore: boolean }> {
  const { walk, isCut } = await planOf(db, filter, null);
  const most = filter.productId ? LOOKED_AT : COUNTED;
  const found = await count(db, walk, most);
  return { count: found, hasMore: isCut || found === most };
}

/** One page, the newest first; of a view, the oldest. `after` is where the page before ended. */
export async function listOrderPage(
  db: Database,
  filter: OrderFilter,
  after: string | null = null,
  size = ORDERS_A_PAGE,
): Promise<OrderPage> {
  const { walk, isCut } = await planOf(db, filter, after);
  const order = inOrder(filter, sql`at`, sql`id`);
  const { rows } = await db.execute<Record<keyof ListedOrder | "at", never>>(sql`
    WITH found AS MATERIALIZED (
      SELECT id, at FROM (${walk(size + 1)}) AS walked ORDER BY ${order} LIMIT ${size + 1}
    )
    SELECT found.id, (found.at AT TIME ZONE 'UTC')::text || '+00' AS at, orders.created_at AS "createdAt", status,
      payment_status AS "paymentStatus", total AS "totalCents", shipping_first_name AS "firstName",
      shipping_last_name AS "lastName", shipping_city AS city, on_hold_since AS "onHoldSince",
      rest_to_ship AS "restToShip", lines.units, lines.what, (
        SELECT min(capture_before) FROM payments WHERE payments.order_id = found.id AND payments.state = 'authorized'
      ) AS "captureBefore"
    FROM found JOIN orders USING (id) CROSS JOIN LATERAL (
      SELECT coalesce(sum(kept), 0)::int AS units, coalesce(string_agg(kept || ' × ' || name, ', ' ORDER BY name), '') AS what
      FROM (SELECT name, quantity - canceled_quantity AS kept FROM order_items WHERE order_id = found.id) AS each
      WHERE kept > 0
    ) AS lines
    ORDER BY ${order}`);
  const time = (value: string | null) => (value === null ? null : new Date(value));
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    orders: rows.slice(0, size).map(({ at: _at, ...row }) => ({
      ...row,
      createdAt: new Date(row.createdAt),
      onHoldSince: time(row.onHoldSince),
      captureBefore: time(row.captureBefore),
    })),
    next: last ? `${String(last.at)}_${String(last.id)}` : null,
    isCut,
  };
}
