/** Order list of the back office, filtered and paginated. */
import { and, asc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { afterRow, type Counted, countRows } from "#db/lists.sql.ts";
import { chargedCents, isFee } from "#shop/orders/charged.sql.ts";
import type { OrderStatus, PaymentStatus } from "#shop/orders/lifecycle.ts";
import { orderEvents, orderNotes } from "#shop/orders/order.tables.ts";
import { amountsCharged, unitsKept, type Amounts } from "#shop/orders/order.ts";
import { capturedOf } from "#shop/payments/actions.server.ts";
import { isOfEvent } from "#shop/payments/inbox.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import { midnight, newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { readOrder, wasRefunded } from "./locked-order.server.ts";
import { foundOrders, idBegins } from "./order-search.sql.ts";
import { isRefused, isUnsent } from "./unsent.sql.ts";
import { CAPTURE_HOURS, SHIP_SOON_DAYS, type ViewName } from "./views.ts";

const ORDERS_A_PAGE = 50;

export type OrderFilter = {
  view?: ViewName | undefined;
  /** Leaves out the orders of these views. */
  except?: ViewName[] | undefined;
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

export type Astray = "lost" | "refused" | "returned";

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
  /** After cancellations. */
  totalCents: number;
  onHoldSince: Date | null;
  restToShip: boolean;
  /** Its first parcel that is lost, refused by the customer, or back from that, until staff decide. */
  astray: Astray | null;
  captureBefore: Date | null;
  /** YYYY-MM-DD in New York. */
  shipBy: string;
  promisedOn: string;
  shippingMethod: ShippingMethod;
  /** Its name when the order was placed. */
  methodName: string;
  /** Day by whose end the customer must agree to a delay; null if no answer is needed. */
  delayAnswerBy: string | null;
};

type TimeColumn = "createdAt" | "onHoldSince" | "captureBefore";
type OrderRow = Omit<ListedOrder, TimeColumn | "units" | "what" | "methodName"> &
  Amounts & {
    shippingTaxCents: number;
    createdAt: string;
    onHoldSince: string | null;
    captureBefore: string | null;
    lines: { name: string; priceCents: number; quantity: number; canceledQuantity: number; taxCents: number }[] | null;
  };

export type OrderPage = {
  orders: ListedOrder[];
  /** The `after` of the next page; null on the last. */
  next: string | null;
};

/**
 * The shop cannot ship before the promised day: a line is a pre-order, or the order is delayed. One EXISTS, because of two
 * with OR each would read its whole table.
 */
const isLater = sql`EXISTS (
  SELECT FROM order_items WHERE order_id = orders.id AND quantity > canceled_quantity AND ships_from IS NOT NULL
  UNION ALL SELECT FROM order_events WHERE order_id = orders.id AND type = 'delayed')`;

/** A parcel of which staff must decide what follows. */
const isAstray = sql`state IN ('refused', 'lost') AND resent_at IS NULL
  AND NOT ((${wasRefunded}) AND (state = 'lost' OR returned_at IS NOT NULL))`;
/** An order at no charge has no payment. */
const toShip = sql`(status = 'processing' AND (total = 0 OR payment_status NOT IN ('none', 'mismatch', 'disputed', 'unpaid', 'failed'))
  OR status = 'shipped' AND rest_to_ship AND payment_status <> 'failed') AND on_hold_since IS NULL
  AND (payment_status <> 'refund-failed' OR NOT EXISTS (SELECT FROM payments WHERE order_id = orders.id AND ${isRefused}))`;
const VIEW: Record<ViewName, SQL> = {
  soon: sql`${toShip} AND (ship_by <= ${today} OR ship_by <= ${today} + ${SHIP_SOON_DAYS}::int AND ship_by = promised_on
    OR id IN (SELECT order_id FROM payments
      WHERE state = 'authorized' AND capture_before < now() + ${CAPTURE_HOURS} * interval '1 hour'))`,
  problems: sql`(payment_status IN ('mismatch', 'disputed', 'refund-failed') OR status = 'processing' AND payment_status IN ('unpaid', 'failed')
    OR status = 'shipped' AND rest_to_ship AND payment_status = 'failed')`,
  arrange: sql`status = 'processing' AND payment_status = 'none' AND total > 0 AND on_hold_since IS NULL`,
  "refund-due": sql`id IN (SELECT order_id FROM payments WHERE provider = 'manual' AND captured > refunded
    AND (status IN ('canceled', 'declined') OR captured - refunded > ${chargedCents}))`,
  // An array begins with the few parcels; a join may walk all orders.
  parcels: sql`id = ANY(ARRAY(SELECT order_id FROM shipments WHERE ${isAstray}))`,
  late: sql`${isUnsent} AND ship_by < ${today} AND NOT ${isFee}`,
  expiring: sql`status = 'processing' AND EXISTS (SELECT FROM payments WHERE order_id = orders.id AND state = 'authorized'
    AND ${newYorkDate(sql`capture_before`)} <= promised_on) AND ${isLater}`,
  "to-ship": toShip,
  rest: sql`${toShip} AND status = 'shipped' AND rest_to_ship`,
  // Orders that a return reserves, and of its fee, wait for the return.
  hold: sql`(status = 'processing' OR rest_to_ship) AND on_hold_since IS NOT NULL AND NOT EXISTS (
    SELECT FROM returns WHERE returns.id = replaces_return_id AND (fee_order_id = orders.id OR resolved_at IS NULL))`,
};

const passes = ({ view, except = [], status, payment, since, until, productId }: OrderFilter): SQL =>
  and(
    sql`true`,
    view && VIEW[view],
    ...except.map((other) => sql`NOT (${VIEW[other]})`),
    status && sql`status = ${status}`,
    payment && sql`payment_status = ${payment}`,
    since ? sql`created_at >= ${midnight(sql`${since}::date`)}` : undefined,
    until ? sql`created_at < ${midnight(sql`${until}::date + 1`)}` : undefined,
    productId ? sql`id IN (SELECT order_id FROM order_items WHERE product_id = ${productId}::uuid)` : undefined,
  )!;

const matching = ({ search, searchesContacts = false, ...filter }: OrderFilter): SQL =>
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
      return sql`ORDER BY ${view && sql`ship_by ${direction},`} created_at ${direction}, id ${direction}`;
    },
    begins: (after: string | null, isBackward = false) =>
      afterRow(
        sql`orders`,
        [view ? sql`ship_by, created_at` : sql`created_at`, sql`id`],
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
      subtotal AS "subtotalCents", shipping AS "shippingCents", tax AS "taxCents",
      shipping_tax AS "shippingTaxCents", total AS "totalCents",
      shipping_first_name AS "firstName", shipping_last_name AS "lastName", shipping_city AS city,
      on_hold_since AS "onHoldSince", rest_to_ship AS "restToShip", ship_by::text AS "shipBy", promised_on::text AS "promisedOn",
      shipping_method AS "shippingMethod",
      delay_answer_by::text AS "delayAnswerBy", (
        SELECT min(capture_before) FROM payments WHERE order_id = page.id AND state = 'authorized'
      ) AS "captureBefore", (
        SELECT CASE WHEN returned_at IS NULL THEN state ELSE 'returned' END FROM shipments
        WHERE order_id = page.id AND ${isAstray} ORDER BY created_at, id LIMIT 1
      ) AS astray, (
        SELECT jsonb_agg(jsonb_build_object(
          'name', name, 'priceCents', price, 'quantity', quantity, 'canceledQuantity', canceled_quantity,
          'taxCents', tax) ORDER BY name)
        FROM order_items WHERE order_id = page.id
      ) AS lines
    FROM (SELECT * FROM orders WHERE ${matching(filter)} AND ${begins(after)} ${order()} LIMIT ${size + 1}) AS page
    ${order()}`);
  const time = (value: string | null) => (value === null ? null : new Date(value));
  const listed = rows.slice(0, size).map(({ lines, ...row }) => {
    const kept = (lines ?? []).filter((line) => unitsKept(line) > 0);
    const createdAt = new Date(row.createdAt);
    return {
      ...row,
      createdAt,
      methodName: settingsAt(createdAt).shipping[row.shippingMethod].name,
      onHoldSince: time(row.onHoldSince),
      captureBefore: time(row.captureBefore),
      units: kept.reduce((sum, line) => sum + unitsKept(line), 0),
      what: kept.map((line) => `${unitsKept(line)} × ${line.name}`).join(", "),
      totalCents: amountsCharged(row, kept).totalCents,
    };
  });
  return { orders: listed, next: rows.length > size ? (listed.at(-1)?.id ?? null) : null };
}

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

/** Returns an order with its lines, parcels, payments and timeline. Null if there is none. */
export const getOrderDetails = (db: Database, orderId: string) =>
  db.transaction(async (tx) => {
    const found = await readOrder(tx, orderId);
    if (!found) return null;
    const { lines, shipments, ...order } = found;
    return {
      order,
      lines,
      charged: amountsCharged(order, lines),
      captured: await capturedOf(tx, orderId),
      shipments,
      payments: await tx.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.createdAt)),
      actions: await tx
        .select()
        .from(paymentActions)
        .where(
          inArray(
            paymentActions.paymentId,
            tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId)),
          ),
        )
        .orderBy(asc(paymentActions.createdAt)),
      notes: await tx
        .select()
        .from(orderNotes)
        .where(eq(orderNotes.orderId, orderId))
        .orderBy(asc(orderNotes.at), asc(orderNotes.id)),
      events: await tx.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)).orderBy(asc(orderEvents.id)),
    };
  });

const LISTED = 100;

/** Provider events of unknown payments, from ten minutes after they arrived. */
export async function listUnmatchedEvents(db: Database) {
  const { rows } = await db.execute<Record<"eventId" | "type" | "reference" | "receivedAt", string>>(sql`
    SELECT event_id AS "eventId", type, reference, received_at AS "receivedAt" FROM payment_inbox AS i
    WHERE handled_at IS NULL AND received_at < now() - interval '10 minutes'
      AND NOT EXISTS (SELECT FROM payments WHERE ${isOfEvent}) ORDER BY received_at LIMIT ${LISTED}`);
  return rows.map((row) => ({ ...row, receivedAt: new Date(row.receivedAt) }));
}
