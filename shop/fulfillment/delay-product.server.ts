/** A new ship day for all orders of a product: previewed, requested once, and carried out order by order. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import { type Acting, writeAudit } from "#shop/audit/audit.server.ts";
import { moveShipDay } from "#shop/catalog/back-office/edit-product.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import type { Report } from "#shop/report.ts";
import { answerDay, historyOf, isDelayDay } from "#shop/orders/delay-terms.ts";
import type { DelayNotice } from "#shop/orders/facts.ts";
import { delayOrder } from "./delay.server.ts";
import { productDelays } from "./delay.tables.ts";
import type { DelayReason } from "#shop/orders/reasons.ts";
import { goesBack, mayShip } from "#shop/orders/units.sql.ts";
import { isBeingPaid, isLater, isToDelay, isWaiting, mustPayAgain } from "./delay-product.sql.ts";

export type DelayPreview = {
  /** Orders that the delay changes. */
  orders: number;
  /** Orders that ship later already. */
  later: number;
  /** Orders whose authorization ends before they ship. */
  payAgain: number;
  /** The changed orders by their promised day, and the day by which their buyers must agree; null if silence keeps them. */
  groups: { shipBy: string | null; answerBy: string | null; orders: number }[];
};

type Waiting = {
  shipBy: string | null;
  isLater: boolean;
  mustPayAgain: boolean;
  /** As `endsUnanswered` says of its units. */
  endsUnanswered: boolean;
  notices: (Pick<DelayNotice, "from" | "until" | "answerBy"> & { acceptedAt: string | null })[];
};

const notices = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
    'from', "from", 'until', until, 'answerBy', answer_by, 'acceptedAt', accepted_at) ORDER BY sent_at, id), '[]')
  FROM delay_notices WHERE order_id = orders.id AND sent_at >= promised_at)`;
const hasBought = sql`EXISTS (SELECT FROM order_units AS unit WHERE unit.order_id = orders.id AND price + tax > 0
  AND return_id IS NULL AND ${mayShip} AND NOT ${goesBack})`;

/**
 * Returns what a delay of a product's orders to the end of `until` (YYYY-MM-DD, null for an unknown day) would change
 * today. `paysAgain` includes orders whose authorization ends by then. Null if isDelayDay refuses the day.
 */
export async function previewDelay(
  db: Database,
  productId: string,
  { until, paysAgain }: { until: string | null; paysAgain: boolean },
): Promise<DelayPreview | null> {
  if (until !== null && !isDelayDay(until, clock.now())) return null;
  const { rows } = await db.execute<Waiting>(sql`
    SELECT ship_by::text AS "shipBy", ${isLater} AS "isLater", ${mustPayAgain} AS "mustPayAgain",
      ${hasBought} AS "endsUnanswered", ${notices} AS notices
    FROM (SELECT ${productId}::uuid AS product_id, ${until}::date AS until, now() AS asked_at) AS asked
    JOIN orders ON ${isWaiting} ORDER BY ship_by`);
  const sooner = rows.filter((order) => !order.isLater);
  const changed = sooner.filter((order) => paysAgain || !order.mustPayAgain);
  const groups = new Map<string, DelayPreview["groups"][number]>();
  for (const { shipBy, endsUnanswered, notices: sent } of changed) {
    const answerBy = endsUnanswered ? answerDay(historyOf(shipBy, sent), until, newYorkDay(clock.now())) : null;
    const key = `${shipBy} ${answerBy}`;
    const known = groups.get(key) ?? { shipBy, answerBy, orders: 0 };
    groups.set(key, { ...known, orders: known.orders + 1 });
  }
  return {
    orders: changed.length,
    later: rows.length - sooner.length,
    payAgain: sooner.filter((order) => order.mustPayAgain).length,
    groups: [...groups.values()],
  };
}

/**
 * Requests the delay that previewDelay describes, which the shop then carries out; a later request for the same product
 * replaces it. `movesShipDay` moves the product's own ship day along if it is earlier. False if isDelayDay
 * refuses the day, or the product is gone.
 */
export const delayProduct = (
  db: Database,
  productId: string,
  { movesShipDay, ...delay }: { until: string | null; reason: DelayReason; paysAgain: boolean; movesShipDay: boolean },
  by: Acting,
): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { until, reason, paysAgain } = delay;
    if (until !== null && !isDelayDay(until, clock.now())) return false;
    const moved = await moveShipDay(tx, by, productId, movesShipDay ? until : null);
    if (!moved.ok) return false;
    const asked = { ...delay, askedBy: by, askedAt: sql`clock_timestamp()` };
    await tx
      .insert(productDelays)
      .values({ productId, ...asked })
      .onConflictDoUpdate({ target: productDelays.productId, set: asked });
    await writeAudit(tx, by, {
      action: "product.delay",
      subject: `product:${productId}`,
      after: { until, reason, paysAgain },
    });
    return true;
  });

/** Returns the delay of a product's orders that is under way, with the number of orders left; null if none is. */
export async function delayUnderWay(
  db: Database,
  productId: string,
): Promise<{ until: string | null; orders: number } | null> {
  const { rows } = await db.execute<{ until: string | null; orders: number }>(sql`
    SELECT until::text, (SELECT count(*)::int FROM orders WHERE ${isToDelay}) AS orders
    FROM product_delays AS asked WHERE product_id = ${productId}::uuid`);
  return rows[0]?.orders ? rows[0] : null;
}

const AT_ONCE = 200;

/**
 * Delays the next orders of requested products, and those that wait for their payment once it is there. Each order is one transaction with its notice, checked again under its
 * lock, so that any number of processes may run this at any time. A failed order is reported and tried again.
 */
export async function carryOutProductDelays(db: Database, report: Report): Promise<void> {
  const { rows } = await db.execute<Next>(sql`
    SELECT product_id AS "productId", orders.id FROM product_delays AS asked JOIN orders ON ${isToDelay}
    ORDER BY asked_at, ship_by, orders.id LIMIT ${AT_ONCE}`);
  for (const next of rows)
    await delayNext(db, next).catch((error: unknown) => report(error, "an order was not delayed", { id: next.id }));
  await db.execute(sql`DELETE FROM product_delays AS asked
    WHERE NOT EXISTS (SELECT FROM orders WHERE ${isToDelay}) AND NOT EXISTS (SELECT FROM orders WHERE ${isBeingPaid})`);
}

type Next = { productId: string; id: string };
type Asked = Pick<typeof productDelays.$inferSelect, "until" | "reason" | "paysAgain" | "askedBy">;

const delayNext = (db: Database, { productId, id }: Next): Promise<void> =>
  transaction(db, async (tx) => {
    const { rows } = await tx.execute<Asked>(sql`
      SELECT until::text, reason, pays_again AS "paysAgain", asked_by AS "askedBy"
      FROM product_delays AS asked JOIN orders ON ${isToDelay}
      WHERE asked.product_id = ${productId}::uuid AND orders.id = ${id}::uuid FOR SHARE OF asked FOR UPDATE OF orders`);
    for (const { until, askedBy, ...delay } of rows) await delayOrder(tx, id, until, askedBy, delay);
  });
