/** Returns for screens: one, those of an order, the board, and what is due. */
import { and, asc, desc, eq, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "#db/connection.server.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { asOrdered, orderItems, orders } from "#shop/orders/order.tables.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import type { ReturnKind, ReturnState } from "./lifecycle.ts";
import { standingOf, type ReturnStanding } from "./return-standing.ts";
import { returnItems, returnPhotos, returns } from "./return.tables.ts";

type Item = typeof orderItems.$inferSelect &
  Pick<typeof returnItems.$inferSelect, "condition" | "isRestocked"> & { units: number; thumbnail: string | null };
export type ReturnDetails = typeof returns.$inferSelect &
  ReturnStanding & {
    /** Lines of the order in the return, with their units. */
    items: Item[];
    photoIds: string[];
    /** Name of the product wanted in an exchange. */
    exchangeName: string | null;
    order: Pick<typeof orders.$inferSelect, "id" | "email" | "shippingFirstName" | "shippingLastName">;
  };

async function details(db: Database, which: SQL): Promise<ReturnDetails[]> {
  const wanted = alias(products, "wanted");
  const found = await db
    .select({ orderReturn: returns, order: orders, exchangeName: wanted.name })
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .leftJoin(wanted, eq(wanted.id, returns.exchangeProductId))
    .where(which)
    .orderBy(desc(returns.createdAt), desc(returns.id));
  const ids = found.map(({ orderReturn }) => orderReturn.id);
  const { condition, isRestocked, quantity, returnId } = returnItems;
  const items = await db
    .select({ line: orderItems, condition, isRestocked, units: quantity, returnId, thumbnail: products.thumbnail })
    .from(returnItems)
    .innerJoin(orderItems, eq(orderItems.id, returnItems.orderItemId))
    .leftJoin(products, eq(products.id, orderItems.productId))
    .where(inArray(returnItems.returnId, ids))
    .orderBy(...asOrdered);
  const photos = await db
    .select({ id: returnPhotos.id, returnId: returnPhotos.returnId })
    .from(returnPhotos)
    .where(inArray(returnPhotos.returnId, ids))
    .orderBy(asc(returnPhotos.createdAt));
  const states = new Map<string, OrderState>();
  for (const { order } of found)
    if (!states.has(order.id)) states.set(order.id, orderState((await readFacts(db, order.id))!));
  return found.map(({ orderReturn, order, exchangeName }) => ({
    ...orderReturn,
    ...standingOf({ row: orderReturn, order: states.get(order.id)! }),
    items: items
      .filter((item) => item.returnId === orderReturn.id)
      .map(({ line, returnId: _returnId, ...item }) => ({ ...line, ...item })),
    photoIds: photos.filter((photo) => photo.returnId === orderReturn.id).map((photo) => photo.id),
    exchangeName,
    order,
  }));
}

/** Returns one return with its lines and money. The caller checks access to its order. */
export const getReturn = async (db: Database, returnId: string): Promise<ReturnDetails | null> =>
  (await details(db, eq(returns.id, returnId)))[0] ?? null;

/** The id of the return with a number as of readReturnNumber. */
export async function findReturn(db: Database, number: string): Promise<string | null> {
  const [found] = await db.select({ id: returns.id }).from(returns).where(eq(returns.number, number));
  return found?.id ?? null;
}

/** Returns of an order, newest first. The caller has checked ownership. */
export const listReturnsOfOrder = (db: Database, orderId: string): Promise<ReturnDetails[]> =>
  details(db, eq(returns.orderId, orderId));

export type ReturnRow = Pick<
  typeof returns.$inferSelect,
  "id" | "number" | "kind" | "state" | "reason" | "orderId" | "createdAt" | "shipBy" | "dueOn" | "outcome"
> & { name: string; products: string };

const { id, number, kind, state, reason, orderId, createdAt, shipBy, dueOn, outcome } = returns;
const row = {
  id,
  number,
  kind,
  state,
  reason,
  orderId,
  createdAt,
  shipBy,
  dueOn,
  outcome,
  name: sql<string>`${orders.shippingFirstName} || ' ' || ${orders.shippingLastName}`,
  products: sql<string>`(SELECT string_agg(name, ', ' ORDER BY position, name) FROM return_items
    JOIN order_items ON order_items.id = order_item_id WHERE return_items.return_id = ${returns.id})`,
};

export const RETURNS_PAGE = 50;

type Filter = {
  state?: ReturnState | undefined;
  kind?: ReturnKind | undefined;
  /** Id of the last row of the page before. */
  before?: string | undefined;
};

/** A page of the board, newest first, and one row more if another page follows. */
export const listReturns = (db: Database, { state: inState, kind: ofKind, before }: Filter): Promise<ReturnRow[]> =>
  db
    .select(row)
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(
      and(
        inState ? eq(returns.state, inState) : undefined,
        ofKind ? eq(returns.kind, ofKind) : undefined,
        before
          ? sql`(${returns.createdAt}, ${returns.id}) < (SELECT created_at, id FROM returns WHERE id = ${before}::uuid)`
          : undefined,
      ),
    )
    .orderBy(sql`${returns.createdAt} DESC NULLS FIRST, ${returns.id} DESC NULLS FIRST`)
    .limit(RETURNS_PAGE + 1);

/** The newest returns of a person's orders: of guests with the email, and of its account. */
export const listPersonReturns = (db: Database, email: string, limit: number): Promise<ReturnRow[]> =>
  db
    .select(row)
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(
      sql`(${orders.userId} IS NULL AND lower(${orders.email}) = lower(${email}::text)
        OR ${orders.userId} = (SELECT id FROM users WHERE users.email = lower(${email}::text)))`,
    )
    .orderBy(desc(returns.createdAt), desc(returns.id))
    .limit(limit);

/**
 * Returns that wait for the shop, the earliest promise first, and their number: to answer, to send a label, to inspect, to
 * resolve, and to end if their customer has not answered or paid by the promised day.
 */
export async function dueReturns(db: Database, limit: number): Promise<{ returns: ReturnRow[]; count: number }> {
  const owesLabel = and(eq(returns.state, "authorized"), isNull(returns.shipBy));
  const isLate = and(inArray(returns.state, ["quoted", "resolved"]), sql`${returns.dueOn} < ${today}`);
  const isDue = or(inArray(returns.state, ["requested", "received", "inspected"]), owesLabel, isLate);
  const found = await db
    .select(row)
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(isDue)
    .orderBy(sql`${returns.dueOn} NULLS LAST, ${returns.createdAt}`)
    .limit(limit);
  return { returns: found, count: await db.$count(returns, isDue) };
}
