/** Sales and tax by state, for registering and filing. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { dollarCell, type Cells } from "#shop/csv-cell.ts";
import { firstLive, rollUpDays } from "#shop/daily-sums.sql.ts";
import { midnight, newYorkDate } from "#shop/new-york-time.sql.ts";
import { isSale, keepsPriced } from "#shop/orders/charged.sql.ts";
import { isConfirmed } from "#shop/orders/stage.sql.ts";
import { US_STATES } from "#shop/us-states.ts";

/** First and last day in New York, YYYY-MM-DD. */
export type Period = { from: string; to: string };

/** Amounts in cents. Orders count when they are placed, tax when it is recorded or reversed, where the sale was. */
export type StateSales = {
  state: string;
  orders: number;
  /** Items and shipping of the orders placed, without tax and what was canceled, before refunds. */
  salesCents: number;
  /** Recorded at the tax provider, less what was reversed. */
  recordedCents: number;
  taxCents: number;
};

const net = (column: SQL) => sql`CASE kind WHEN 'record' THEN ${column} ELSE -${column} END`;

/** By day and state, end excluded. */
const statesBetween = (from: SQL, to: SQL): SQL => sql`(
  SELECT day, state, sum(orders)::int AS orders, sum(sales)::bigint AS sales, sum(recorded)::bigint AS recorded, sum(tax)::bigint AS tax
  FROM (
    SELECT ${newYorkDate(sql`created_at`)} AS day, shipping_state AS state, (${isSale})::int AS orders,
      CASE WHEN ${keepsPriced} THEN shipping ELSE 0 END + (
        SELECT coalesce(sum(price), 0) FROM order_units WHERE order_id = orders.id AND return_id IS NULL AND canceled_at IS NULL
      ) AS sales, 0 AS recorded, 0 AS tax
    FROM orders
    WHERE ${isConfirmed} AND created_at >= ${midnight(from)} AND created_at < ${midnight(to)}
    UNION ALL
    SELECT ${newYorkDate(sql`created_at`)}, address->>'state', 0, 0, ${net(sql`amount`)}, ${net(sql`tax`)}
    FROM tax_records WHERE state <> 'failed' AND created_at >= ${midnight(from)} AND created_at < ${midnight(to)}
  ) AS each GROUP BY 1, 2)`;

const dailySales = sql`daily_sales_by_state`;

/**
 * Returns the states with sales or tax in a period, by sales. A cancellation, or a record that the provider refuses, on a
 * later day than its own counts from the day after it.
 */
export async function salesByState(db: Database, { from, to }: Period): Promise<StateSales[]> {
  const { rows } = await db.execute<StateSales>(sql`
    SELECT state, sum(orders)::int AS orders, sum(sales)::float8 AS "salesCents",
      sum(recorded)::float8 AS "recordedCents", sum(tax)::float8 AS "taxCents"
    FROM (
      SELECT * FROM ${dailySales} WHERE day BETWEEN ${from} AND ${to}
      UNION ALL SELECT * FROM ${statesBetween(sql`greatest(${firstLive(dailySales)}, ${from}::date)`, sql`${to}::date + 1`)} AS live
    ) AS days GROUP BY state ORDER BY "salesCents" DESC, state`);
  return rows;
}

/** Sums the days before today by state. */
export const rollUpSalesByState = (db: Database): Promise<void> =>
  db.transaction((tx) => rollUpDays(tx, dailySales, statesBetween));

export type FailedTax = { id: string; orderId: string; kind: "record" | "reverse"; taxCents: number; problem: string };

const MAX_FAILED = 50;

/** Returns the newest rows that the provider refused, which must be filed by hand. */
export async function listFailedTax(db: Database): Promise<FailedTax[]> {
  const { rows } = await db.execute<FailedTax>(sql`
    SELECT id, order_id AS "orderId", kind, tax AS "taxCents", problem FROM tax_records
    WHERE state = 'failed' ORDER BY created_at DESC LIMIT ${MAX_FAILED}`);
  return rows;
}

/** Yields a period by state, by column name, amounts in dollars. The export is audited first. */
export async function* exportTax(db: Database, period: Period, by: Acting): AsyncGenerator<Cells> {
  await writeAudit(db, by, { action: "tax.export", after: period });
  for (const { state, orders, salesCents, recordedCents, taxCents } of await salesByState(db, period)) {
    yield {
      From: period.from,
      To: period.to,
      State: (US_STATES as Record<string, string>)[state] ?? state,
      Orders: orders,
      "Sales before tax": dollarCell(salesCents),
      "Recorded sales": dollarCell(recordedCents),
      "Recorded tax": dollarCell(taxCents),
    };
  }
}
