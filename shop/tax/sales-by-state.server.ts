/** Sales and tax by state, for registering and filing. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { decimalMoney } from "#shop/money.ts";
import { midnight } from "#shop/new-york-time.sql.ts";

/** First and last day in New York, YYYY-MM-DD. */
export type Period = { from: string; to: string };

/** Amounts in cents. Orders count when they are placed, tax when it is recorded or reversed. */
export type StateSales = {
  state: string;
  orders: number;
  /** Items and shipping of what was not canceled, before refunds. */
  salesCents: number;
  /** Recorded at the tax provider, less what was reversed. */
  recordedCents: number;
  taxCents: number;
};

const within = (moment: SQL, { from, to }: Period) => sql`
  ${moment} >= ${midnight(sql`${from}::date`)} AND ${moment} < ${midnight(sql`${to}::date + 1`)}`;

const net = (column: SQL) => sql`sum(CASE kind WHEN 'record' THEN ${column} ELSE -${column} END)`;

/** Returns the states with sales or tax in a period, by sales. */
export async function salesByState(db: Database, period: Period): Promise<StateSales[]> {
  const { rows } = await db.execute<StateSales>(sql`
    WITH sold AS (
      SELECT shipping_state AS state, count(*) AS orders, sum(subtotal + shipping - coalesce(canceled.cents, 0)) AS sales
      FROM orders LEFT JOIN (
        SELECT order_id, sum(price * canceled_quantity) AS cents
        FROM order_items WHERE canceled_quantity > 0 GROUP BY 1
      ) AS canceled ON canceled.order_id = orders.id
      WHERE status IN ('processing', 'shipped', 'delivered') AND ${within(sql`created_at`, period)}
      GROUP BY 1
    ), taxed AS (
      SELECT shipping_state AS state, ${net(sql`tax_records.amount`)} AS recorded, ${net(sql`tax_records.tax`)} AS tax
      FROM tax_records JOIN orders ON orders.id = order_id
      WHERE state <> 'failed' AND ${within(sql`tax_records.created_at`, period)}
      GROUP BY 1
    )
    SELECT state, coalesce(orders, 0)::int AS orders, coalesce(sales, 0)::float8 AS "salesCents",
      coalesce(recorded, 0)::float8 AS "recordedCents", coalesce(tax, 0)::float8 AS "taxCents"
    FROM sold FULL JOIN taxed USING (state) ORDER BY "salesCents" DESC, state`);
  return rows;
}

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
export async function* exportTax(
  db: Database,
  period: Period,
  by: Acting,
): AsyncGenerator<Record<string, string | number>> {
  await writeAudit(db, by, { action: "tax.export", after: period });
  for (const { state, orders, salesCents, recordedCents, taxCents } of await salesByState(db, period)) {
    yield {
      ...period,
      state,
      orders,
      sales: decimalMoney(salesCents),
      recorded_sales: decimalMoney(recordedCents),
      tax: decimalMoney(taxCents),
    };
  }
}
