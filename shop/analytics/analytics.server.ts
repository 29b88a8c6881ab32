/** Events and sales of a period, by day, campaign and product. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { firstLive, rollUpDays } from "#shop/daily-sums.sql.ts";
import { midnight, newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { givenBack, isOrder, soldCents } from "#shop/orders/charged.sql.ts";
import { type FunnelEvent, RATE_DAYS, type Span, SPANS } from "./events.ts";

export type Step = FunnelEvent | "order";

/** Amounts in cents. */
export type Sums = Record<Step, number> & {
  /** Sum of the orders placed, with shipping and tax, without what was canceled before it was charged. */
  soldCents: number;
  /** Part of it for fees, repairs and replacements, which are no orders of a customer. */
  /** Money sent back, on its own day; also for what was canceled after it was charged. */
  refundedCents: number;
  expired: number;
};
/** YYYY-MM-DD in New York. */
export type Day = Sums & { day: string };
export type CampaignSums = Sums & { source: string; campaign: string };
/** Empty for visits without a source or campaign, undefined for all. */
type AnalyticsFilter = Period & { source?: string | undefined; campaign?: string | undefined };
/** Days up to `until` (YYYY-MM-DD), or up to today. */
export type Period = { days: number; until?: string | undefined };

const PRODUCTS = 20;
const CAMPAIGNS = 30;

// Today in SQL would be worked out for each row.
const to = ({ until }: Period) => sql`${until ?? newYorkDay(clock.now())}::date`;
const from = (period: Period) => sql`${to(period)} - ${period.days - 1}::int`;
const isIn = (period: Period) => sql`day BETWEEN ${from(period)} AND ${to(period)}`;

const dailyOrders = sql`daily_orders`;

/** Events and orders of the period by day and campaign, live from the first day that is not aggregated. */
const facts = (filter: AnalyticsFilter) => sql`(
  SELECT * FROM (
    SELECT day, utm_source AS source, utm_campaign AS campaign, event, count, 0 AS orders, 0 AS sold, 0 AS refunded, 0 AS expired
    FROM daily_counts WHERE ${isIn(filter)}
    UNION ALL
    SELECT day, utm_source, utm_campaign, '', 0, orders, sold, refunded, expired
    FROM daily_orders WHERE ${isIn(filter)}
    UNION ALL
    SELECT day, utm_source, utm_campaign, '', 0, orders, sold, refunded, expired
    FROM ${ordersBetween(sql`greatest(${firstLive(dailyOrders)}, ${from(filter)})`, sql`${to(filter)} + 1`)} AS live
  ) AS facts
  WHERE ${filter.source === undefined ? sql`true` : sql`source = ${filter.source}`}
    AND ${filter.campaign === undefined ? sql`true` : sql`campaign = ${filter.campaign}`})`;

const sum = (column: SQL) => sql`coalesce(sum(${column}), 0)::float8`;
const events = (event: FunnelEvent) => sql`${sum(sql`CASE WHEN event = ${event} THEN count END`)}`;
const sums = sql`${events("visit")} AS visit, ${events("product-view")} AS "product-view", ${events("cart")} AS cart,
  ${events("checkout")} AS checkout, ${sum(sql`orders`)} AS "order", ${sum(sql`sold`)} AS "soldCents",
  ${sum(sql`refunded`)} AS "refundedCents", ${sum(sql`expired`)} AS expired`;

/** Days of the period, oldest first; today is incomplete. */
export async function sumsByDay(db: Database, filter: AnalyticsFilter): Promise<Day[]> {
  const { rows } = await db.execute<Day>(sql`
    SELECT days.day::date::text AS day, ${sums}
    FROM generate_series(${from(filter)}, ${to(filter)}, '1 day') AS days (day)
      LEFT JOIN ${facts(filter)} AS facts ON facts.day = days.day::date
    GROUP BY days.day ORDER BY days.day`);
  return rows;
}

/** Sums by campaign, most orders first. */
export async function sumsByCampaign(db: Database, filter: AnalyticsFilter): Promise<CampaignSums[]> {
  const { rows } = await db.execute<CampaignSums>(sql`
    SELECT source, campaign, ${sums} FROM ${facts(filter)} AS facts
    GROUP BY 1, 2 ORDER BY "order" DESC, visit DESC, 1, 2 LIMIT ${CAMPAIGNS}`);
  return rows;
}

/** Returns how many orders a limit refused today and yesterday, the newer day first, without days that had none. */
export async function refusedOrders(db: Database): Promise<{ day: string; count: number }[]> {
  const { rows } = await db.execute<{ day: string; count: number }>(sql`
    SELECT day::text, sum(count)::int AS count FROM daily_counts
    WHERE event = 'order-refused' AND day >= ${today} - 1 GROUP BY day ORDER BY day DESC`);
  return rows;
}

export type ProductSum = { id: string; name: string; units: number; soldCents: number };

/** The sums of a span end with the last day that was summed, so they count only until the next midnight. */
const isCurrent = sql`${firstLive(dailyOrders)} = ${today}`;

const ofSpan = (days: Span) => sql`
  (SELECT product_id, units, sold FROM product_sales WHERE days = ${days} AND ${isCurrent} ORDER BY units DESC LIMIT ${PRODUCTS})
  UNION ALL SELECT product_id, units, sold
  FROM ${unitsBetween(sql`${today} - CASE WHEN ${isCurrent} THEN 0 ELSE ${days}::int END`, sql`${today} + 1`)} AS live`;

/** Best-selling products of the last `days` days and today, aggregated before; or of other days, from the orders. */
export async function unitsByProduct(db: Database, period: { days: Span } | Required<Period>): Promise<ProductSum[]> {
  const most =
    "until" in period
      ? sql`SELECT * FROM ${unitsBetween(from(period), sql`${to(period)} + 1`)} AS sold WHERE units > 0`
      : ofSpan(period.days);
  const { rows } = await db.execute<ProductSum>(sql`
    WITH most AS (${most})
    SELECT product_id AS id, coalesce(name, (
        SELECT name FROM order_items WHERE product_id = most.product_id ORDER BY created_at DESC LIMIT 1
      )) AS name, sum(units)::int AS units, sum(sold)::float8 AS "soldCents"
    FROM most LEFT JOIN products ON products.id = product_id
    GROUP BY 1, 2 ORDER BY units DESC, name LIMIT ${PRODUCTS}`);
  return rows;
}

export type RunningOut = { id: string; name: string; stock: number; units: number; daysLeft: number };

/** Products that sell out first at the rate of the last RATE_DAYS days, without those already sold out. */
export async function runningOut(db: Database): Promise<RunningOut[]> {
  const { rows } = await db.execute<RunningOut>(sql`
    SELECT id, name, inventory_count AS stock, units,
      floor(inventory_count * ${RATE_DAYS}::float8 / units)::int AS "daysLeft"
    FROM product_sales JOIN stock USING (product_id) JOIN products ON products.id = product_id
    WHERE days = ${RATE_DAYS} AND inventory_count > 0 AND is_available
    ORDER BY inventory_count::float8 / units, name LIMIT 10`);
  return rows;
}

/** The names in rows of campaigns, each once, for a filter. */
export function campaignNames(rows: CampaignSums[]): Record<"source" | "campaign", string[]> {
  const all = (key: "source" | "campaign") => [...new Set(rows.map((row) => row[key]))].toSorted();
  return { source: all("source"), campaign: all("campaign") };
}

/** Sales of orders by the day they were placed, and refunds by their own, of a range of days, end excluded, by campaign. */
const ordersBetween = (from: SQL, to: SQL): SQL => sql`(
  SELECT day, coalesce(utm_source, '') AS utm_source, coalesce(utm_campaign, '') AS utm_campaign,
    sum(orders)::int AS orders, sum(sold)::bigint AS sold, sum(refunded)::bigint AS refunded, sum(expired)::int AS expired
  FROM (
    SELECT ${newYorkDate(sql`created_at`)} AS day, utm_source, utm_campaign,
      (${isOrder})::int AS orders, ${soldCents} AS sold, 0 AS refunded, (stage = 'expired')::int AS expired
    FROM orders WHERE created_at >= ${midnight(from)} AND created_at < ${midnight(to)}
    UNION ALL
    SELECT ${newYorkDate(sql`given.at`)}, utm_source, utm_campaign, 0, 0, cents, 0
    FROM ${givenBack} AS given JOIN orders ON orders.id = order_id
    WHERE given.at >= ${midnight(from)} AND given.at < ${midnight(to)}
  ) AS each GROUP BY 1, 2, 3)`;

/** Units of each product in customers' orders of a range of days, end excluded, and what they cost, without what was canceled. */
const unitsBetween = (from: SQL, to: SQL): SQL => sql`(
  SELECT product_id, count(*)::int AS units, sum(unit.price)::bigint AS sold
  FROM orders JOIN order_units AS unit ON unit.order_id = orders.id JOIN order_items AS line ON line.id = order_item_id
  WHERE ${isOrder} AND unit.return_id IS NULL AND unit.canceled_at IS NULL
    AND orders.created_at >= ${midnight(from)} AND orders.created_at < ${midnight(to)}
  GROUP BY 1)`;

/** Sums the days before today by campaign, and the units of each product. */
export const rollUp = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await rollUpDays(tx, dailyOrders, ordersBetween);
    await tx.execute(sql`DELETE FROM product_sales`);
    for (const days of SPANS) {
      await tx.execute(sql`
        INSERT INTO product_sales (days, product_id, units, sold)
        SELECT ${days}::int, * FROM ${unitsBetween(sql`${today} - ${days}::int`, today)} AS sold WHERE units > 0`);
    }
  });
