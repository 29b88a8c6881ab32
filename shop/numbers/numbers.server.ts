/** What happened in the shop, in sums of days: what is over from what was summed up, today from the orders themselves. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { sumsBetween, today, unitsBetween } from "./roll-up.server.ts";
import { RATE_DAYS, type CountedStep, type Span } from "./steps.ts";

export type Step = CountedStep | "order";

/** Amounts in cents. */
export type Sums = Record<Step, number> & { soldCents: number; refundedCents: number; lapsed: number };
/** A day (YYYY-MM-DD) in New York. */
export type Day = Sums & { day: string };
export type CampaignSums = Sums & { source: string; campaign: string };
/** Both empty: visits that named none. Undefined: all. */
export type NumbersFilter = { days: Span; source?: string | undefined; campaign?: string | undefined };

const PRODUCTS = 20;
const CAMPAIGNS = 30;

/** Once a statement: where each row is compared with it, PostgreSQL works it out for each row. */
const once = (value: SQL) => sql`(SELECT ${value})`;
const from = ({ days }: NumbersFilter) => once(sql`${today} - ${days - 1}::int`);
const named = ({ source, campaign }: NumbersFilter) => sql`
  ${source === undefined ? sql`true` : sql`source = ${source}`}
  AND ${campaign === undefined ? sql`true` : sql`campaign = ${campaign}`}`;

/** The sums of a time by day and campaign, to be added up by one of them. */
const sumsOf = (filter: NumbersFilter) => sql`(
  SELECT * FROM (
    SELECT day, utm_source AS source, utm_campaign AS campaign, visits, product_views, carts, checkouts, orders, sold,
      refunded, lapsed
    FROM daily_orders WHERE day >= ${from(filter)} AND day < ${once(today)}
    UNION ALL SELECT * FROM ${sumsBetween(today, sql`${today} + 1`)} AS now
  ) AS days WHERE ${named(filter)})`;

const of = (column: SQL) => sql`coalesce(sum(${column}), 0)::float8`;
const sums = sql`${of(sql`visits`)} AS visit, ${of(sql`product_views`)} AS "product-view", ${of(sql`carts`)} AS cart,
  ${of(sql`checkouts`)} AS checkout, ${of(sql`orders`)} AS "order", ${of(sql`sold`)} AS "soldCents",
  ${of(sql`refunded`)} AS "refundedCents", ${of(sql`lapsed`)} AS lapsed`;

/** Each day of the time, the oldest first; the last one is today, which is not over. */
export async function sumsByDay(db: Database, filter: NumbersFilter): Promise<Day[]> {
  const { rows } = await db.execute<Day>(sql`
    SELECT days.day::date::text AS day, ${sums}
    FROM generate_series(${from(filter)}, ${today}, '1 day') AS days (day)
      LEFT JOIN ${sumsOf(filter)} AS sums ON sums.day = days.day::date
    GROUP BY days.day ORDER BY days.day`);
  return rows;
}

/** By what brought the visits, the one with most orders first. */
export async function sumsByCampaign(db: Database, filter: NumbersFilter): Promise<CampaignSums[]> {
  const { rows } = await db.execute<CampaignSums>(sql`
    SELECT source, campaign, ${sums} FROM ${sumsOf(filter)} AS sums
    GROUP BY 1, 2 ORDER BY "order" DESC, visit DESC, 1, 2 LIMIT ${CAMPAIGNS}`);
  return rows;
}

export type ProductSum = { id: string; name: string; units: number; soldCents: number };

/** What was sold most in the time: days that are over, and today. */
export async function unitsByProduct(db: Database, { days }: NumbersFilter): Promise<ProductSum[]> {
  const { rows } = await db.execute<ProductSum>(sql`
    WITH now AS (SELECT * FROM ${unitsBetween(today, sql`${today} + 1`)} AS now), most AS (
      (SELECT product_id, units, sold FROM product_sales WHERE days = ${days} ORDER BY units DESC LIMIT ${PRODUCTS})
      UNION ALL SELECT product_id, units, sold FROM now
    )
    SELECT product_id AS id, coalesce(name, 'A product of before') AS name, sum(units)::int AS units,
      sum(sold)::float8 AS "soldCents"
    FROM most LEFT JOIN products ON products.id = product_id
    GROUP BY 1, 2 ORDER BY units DESC, name LIMIT ${PRODUCTS}`);
  return rows;
}

export type RunningOut = { id: string; name: string; stock: number; units: number; daysLeft: number };

/** What is sold out first at the rate of the last RATE_DAYS days, and when; what is sold out already is not here. */
export async function runningOut(db: Database): Promise<RunningOut[]> {
  const { rows } = await db.execute<RunningOut>(sql`
    SELECT id, name, inventory_count AS stock, units,
      floor(inventory_count * ${RATE_DAYS}::float8 / units)::int AS "daysLeft"
    FROM product_sales JOIN stock USING (product_id) JOIN products ON products.id = product_id
    WHERE days = ${RATE_DAYS} AND inventory_count > 0 AND is_available
    ORDER BY inventory_count::float8 / units, name LIMIT 10`);
  return rows;
}

/** The sources and campaigns of the time, for a choice. */
export async function campaignNames(
  db: Database,
  { days }: NumbersFilter,
): Promise<Record<"source" | "campaign", string[]>> {
  const rows = await sumsByCampaign(db, { days });
  const all = (key: "source" | "campaign") => [...new Set(rows.map((row) => row[key]))].toSorted();
  return { source: all("source"), campaign: all("campaign") };
}
