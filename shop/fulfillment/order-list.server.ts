/** Order list of the back office, filtered and paginated. */
import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { afterRow, type Counted, countRows } from "#db/lists.sql.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { termsOf } from "#shop/orders/actions/notice.ts";
import {
  ASTRAY,
  NOT_TO_SHIP,
  PAYMENT_PROBLEMS,
  type Attention,
  type OrderStatus,
  type PaymentStatus,
  type Stage,
} from "#shop/orders/lifecycle.ts";
import { dayToShip, orderEvents, orderNotes, orders } from "#shop/orders/order.tables.ts";
import { isUnsent as isUnsentOrder, unitsKept } from "#shop/orders/order.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import { midnight, today } from "#shop/new-york-time.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { waitsFor } from "./ready-units.ts";
import { foundOrders, idBegins } from "./order-search.sql.ts";
import { readFacts, readStates } from "#shop/orders/facts.server.ts";
import { linesOf, type LineStanding } from "#shop/orders/lines.ts";
import { orderState } from "#shop/orders/state.ts";
import { isPartlyShipped, isUnsent, needs } from "#shop/orders/stage.sql.ts";
import { CAPTURE_HOURS, type ViewName, WEEK_DAYS } from "./views.ts";

const ORDERS_A_PAGE = 50;

export type OrderFilter = {
  view?: ViewName | undefined;
  /** Leaves out the orders of these views. */
  except?: ViewName[] | undefined;
  /** Only orders that something keeps from shipping, or only the others. */
  isBlocked?: boolean | undefined;
  status?: OrderStatus | undefined;
  payment?: PaymentStatus | undefined;
  /** Inclusive range of days, YYYY-MM-DD in New York. */
  since?: string | undefined;
  until?: string | undefined;
  productId?: string | undefined;
  /** As typed, see order-search.sql.ts. */
  search?: string | undefined;
  searchesContacts?: boolean | undefined;
};

export type ListedOrder = {
  id: string;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  createdAt: Date;
  firstName: string;
  lastName: string;
  city: string;
  units: number;
  what: string;
  /** Units left to ship, of an unshipped order; `waitsFor` is the day, YYYY-MM-DD, of a pre-ordered line. */
  contents: { name: string; units: number; waitsFor: string | null }[];
  /** After cancellations. */
  totalCents: number;
  onHoldSince: Date | null;
  stage: Stage;
  attention: readonly Attention[];
  captureBefore: Date | null;
  /** The promised day, YYYY-MM-DD in New York; null if the buyer was told that it is unknown. */
  shipBy: string | null;
  shippingMethod: ShippingMethod;
  /** Its name when the order was placed. */
  methodName: string;
  /** Day by whose end the customer must agree to a delay; null if no answer is needed. */
  answerBy: string | null;
};

type TimeColumn = "createdAt" | "onHoldSince" | "captureBefore";
type OrderRow = Omit<ListedOrder, TimeColumn | "units" | "what" | "contents" | "totalCents" | "methodName"> & {
  createdAt: string;
  onHoldSince: string | null;
  captureBefore: string | null;
};

export type OrderPage = {
  orders: ListedOrder[];
  /** The `after` of the next page; null on the last. */
  next: string | null;
};

/** As whyNotToShip says, and paid. */
const toShip = sql`(${isUnsent} AND on_hold_since IS NULL AND NOT ${needs(NOT_TO_SHIP)})`;
/** Its payment expires within days. */
const isUrgent = sql`id IN (SELECT order_id FROM payments
  WHERE state = 'authorized' AND capture_before < now() + ${CAPTURE_HOURS} * interval '1 hour')`;
const unsentOn = (days: SQL) => sql`${isUnsent} AND ${days}`;
const day = dayToShip(sql`ship_by`);
const VIEW: Record<ViewName, SQL> = {
  late: unsentOn(sql`${day} < ${today}`),
  today: unsentOn(sql`${day} >= ${today} AND (${day} = ${today} OR ${isUrgent})`),
  tomorrow: unsentOn(sql`${day} = ${today} + 1 AND NOT ${isUrgent}`),
  week: unsentOn(sql`${day} > ${today} + 1 AND ${day} < ${today} + ${WEEK_DAYS}::int AND NOT ${isUrgent}`),
  later: unsentOn(sql`${day} >= ${today} + ${WEEK_DAYS}::int AND NOT ${isUrgent}`),
  problems: needs(PAYMENT_PROBLEMS),
  arrange: sql`${needs(["arrange"])} AND on_hold_since IS NULL`,
  // Nothing is refunded while the payment is disputed.
  "refund-due": sql`${needs(["refund-owed"])} AND NOT ${needs(["disputed"])}`,
  parcels: needs(ASTRAY),
  expiring: needs(["expiring"]),
  "to-ship": toShip,
  rest: sql`${toShip} AND ${isPartlyShipped}`,
  hold: sql`${isUnsent} AND on_hold_since IS NOT NULL`,
};

/** Unpaid, on hold, expiring, or waiting for what becomes of a parcel. */
const isBlockedOrder = sql`(NOT (${toShip}) OR ${isUrgent} OR ${VIEW.parcels})`;

const passes = ({ view, except = [], isBlocked, status, payment, since, until, productId }: OrderFilter): SQL =>
  and(
    sql`true`,
    view && VIEW[view],
    ...except.map((other) => sql`NOT (${VIEW[other]})`),
    isBlocked === undefined ? undefined : isBlocked ? isBlockedOrder : sql`NOT ${isBlockedOrder}`,
    status && sql`status = ${status}`,
    payment && sql`payment_status = ${payment}`,
    since ? sql`created_at >= ${midnight(sql`${since}::date`)}` : undefined,
    until ? sql`created_at < ${midnight(sql`${until}::date + 1`)}` : undefined,
    productId ? sql`id IN (SELECT order_id FROM order_items WHERE product_id = ${productId}::uuid)` : undefined,
  )!;

/** Condition on orders. */
export const matching = ({ search, searchesContacts = false, ...filter }: OrderFilter): SQL =>
  search?.trim()
    ? sql`id IN (${foundOrders(search, searchesContacts, sql`orders WHERE ${passes(filter)}`)})`
    : passes(filter);

export const countOrders = (db: Database, filter: OrderFilter): Promise<Counted> =>
  countRows(db, sql`orders WHERE ${matching(filter)}`);

/** Newest first, but in a view what must ship first; backward the other way round. */
function sortOf({ view }: OrderFilter) {
  const isDescending = (isBackward: boolean) => (view === undefined) !== isBackward;
  return {
    order: (isBackward = false) => {
      const direction = isDescending(isBackward) ? sql`DESC` : sql`ASC`;
      return sql`ORDER BY ${view && sql`${day} ${direction},`} created_at ${direction}, id ${direction}`;
    },
    begins: (after: string | null, isBackward = false) =>
      afterRow(
        sql`orders`,
        [view ? sql`${day}, created_at` : sql`created_at`, sql`id`],
        after,
        isDescending(isBackward),
      ),
  };
}

/** Returns one page of orders, newest first, but in a view what must ship first. `after` is the `next` of the previous page. */
export async function listOrderPage(
  db: Database,
  filter: OrderFilter,
  after: string | null = null,
  size = ORDERS_A_PAGE,
): Promise<OrderPage> {
  const { order, begins } = sortOf(filter);
  const { rows } = await db.execute<OrderRow>(sql`
    SELECT id, created_at AS "createdAt", status, payment_status AS "paymentStatus",
      shipping_first_name AS "firstName", shipping_last_name AS "lastName", shipping_city AS city,
      on_hold_since AS "onHoldSince", stage, attention, ship_by::text AS "shipBy",
      shipping_method AS "shippingMethod",
      answer_by::text AS "answerBy", (
        SELECT min(capture_before) FROM payments WHERE order_id = page.id AND state = 'authorized'
      ) AS "captureBefore"
    FROM (SELECT * FROM orders WHERE ${matching(filter)} AND ${begins(after)} ${order()} LIMIT ${size + 1}) AS page
    ${order()}`);
  const time = (value: string | null) => (value === null ? null : new Date(value));
  const shown = rows.slice(0, size);
  const states = await readStates(
    db,
    shown.map(({ id }) => id),
  );
  const listed = shown.map((row) => {
    const state = states.get(row.id)!;
    const kept = linesOf(state).filter((line) => unitsKept(line) > 0);
    const createdAt = new Date(row.createdAt);
    return {
      ...row,
      createdAt,
      methodName: settingsAt(createdAt).shipping[row.shippingMethod].name,
      onHoldSince: time(row.onHoldSince),
      captureBefore: time(row.captureBefore),
      units: kept.reduce((sum, line) => sum + unitsKept(line), 0),
      what: kept.map((line) => `${unitsKept(line)} × ${line.name}`).join(", "),
      contents: contentsOf(kept, isUnsentOrder(row)),
      totalCents: state.totalCents,
    };
  });
  return { orders: listed, next: rows.length > size ? (listed.at(-1)?.id ?? null) : null };
}

/** Units left to ship, of an unshipped order; all that was bought, of another. */
const contentsOf = (lines: LineStanding[], isLeft: boolean): ListedOrder["contents"] =>
  lines
    .map((line) => ({
      name: line.name,
      units: isLeft ? line.unitsLeft : unitsKept(line),
      waitsFor: isLeft ? waitsFor(line, clock.now()) : null,
    }))
    .filter(({ units }) => units > 0);

/** The ids before and after an order in the list of a filter, in the list's order. Null at its ends. */
export async function neighborsOf(
  db: Database,
  filter: OrderFilter,
  orderId: string,
): Promise<{ previous: string | null; next: string | null }> {
  const { order, begins } = sortOf(filter);
  const nearest = (isBackward: boolean) => sql`(SELECT id FROM orders
    WHERE ${matching(filter)} AND ${begins(orderId, isBackward)} ${order(isBackward)} LIMIT 1)`;
  const { rows } = await db.execute<{ previous: string | null; next: string | null }>(
    sql`SELECT ${nearest(true)} AS previous, ${nearest(false)} AS next`,
  );
  return rows[0]!;
}

/** Returns at most two ids that begin with an order number or a longer part of the id. */
export async function findOrderIds(db: Database, typed: string): Promise<string[]> {
  const begins = idBegins(typed);
  if (!begins) return [];
  const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM orders WHERE ${begins} ORDER BY id LIMIT 2`);
  return rows.map(({ id }) => id);
}

export type OrderDetails = NonNullable<Awaited<ReturnType<typeof getOrderDetails>>>;

/** Returns an order with its state, lines, payments and timeline. Null if there is none. */
export const getOrderDetails = (db: Database, orderId: string) =>
  db.transaction(async (tx) => {
    const facts = await readFacts(tx, orderId);
    if (!facts) return null;
    const state = orderState(facts);
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId));
    return {
      order: order!,
      state,
      lines: linesOf(state),
      payments: await tx.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.createdAt)),
      /** Terms of a delay told today. */
      delayTerms: termsOf(state, newYorkDay(clock.now())),
      notes: await tx
        .select()
        .from(orderNotes)
        .where(eq(orderNotes.orderId, orderId))
        .orderBy(asc(orderNotes.at), asc(orderNotes.id)),
      events: await tx.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)).orderBy(asc(orderEvents.id)),
    };
  });
