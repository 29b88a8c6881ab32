/** What happened, summed up by day: once for each day that is over, and afresh for a while, since orders end later. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { CAMPAIGNS_A_DAY, OTHER_CAMPAIGNS, SPANS, type CountedStep } from "./steps.ts";

const ROLL_UP_LOCK = 7_652_275;
/** For how long an order may still end or lose a line: its day is summed up again until then. */
const OPEN_DAYS = 40;

export const today = sql`(now() AT TIME ZONE 'America/New_York')::date`;
const midnight = (day: SQL) => sql`((${day})::timestamp AT TIME ZONE 'America/New_York')`;
const dayOf = (moment: SQL) => sql`(${moment} AT TIME ZONE 'America/New_York')::date`;
/** Sold, and not taken back since. */
export const isSold = sql`status IN ('processing', 'shipped', 'delivered')`;

const steps = (step: CountedStep) => sql`CASE WHEN step = ${step} THEN count ELSE 0 END`;

/** A relation of what happened from one day to before another, by day and campaign. */
export const sumsBetween = (from: SQL, to: SQL): SQL => sql`(
  SELECT day, source, campaign, sum(visits)::bigint AS visits, sum(product_views)::bigint AS product_views,
    sum(carts)::bigint AS carts, sum(checkouts)::bigint AS checkouts, sum(orders)::int AS orders,
    sum(sold)::bigint AS sold, sum(refunded)::bigint AS refunded, sum(lapsed)::int AS lapsed
  FROM (
    SELECT day, utm_source AS source, utm_campaign AS campaign, ${steps("visit")} AS visits,
      ${steps("product-view")} AS product_views, ${steps("cart")} AS carts, ${steps("checkout")} AS checkouts,
      0 AS orders, 0 AS sold, 0 AS refunded, 0 AS lapsed
    FROM daily_counts WHERE day >= ${from} AND day < ${to}
    UNION ALL
    SELECT ${dayOf(sql`created_at`)}, coalesce(utm_source, ''), coalesce(utm_campaign, ''), 0, 0, 0, 0,
      (${isSold})::int AS orders, CASE WHEN ${isSold} THEN total - lost.cents ELSE 0 END AS sold,
      0 AS refunded, (status = 'lapsed')::int AS lapsed
    FROM orders CROSS JOIN LATERAL (
      SELECT coalesce(sum(price * canceled_quantity), 0) AS cents FROM order_items WHERE order_id = orders.id
    ) AS lost WHERE created_at >= ${midnight(from)} AND created_at < ${midnight(to)}
    UNION ALL
    SELECT ${dayOf(sql`a.done_at`)}, coalesce(o.utm_source, ''), coalesce(o.utm_campaign, ''), 0, 0, 0, 0, 0, 0, a.amount, 0
    FROM payment_actions a JOIN payments p ON p.id = a.payment_id JOIN orders o ON o.id = p.order_id
    WHERE a.kind = 'refund' AND a.state = 'done' AND a.done_at >= ${midnight(from)} AND a.done_at < ${midnight(to)}
  ) AS moved GROUP BY 1, 2, 3)`;

/** Units by product that were sold from one day to before another. */
export const unitsBetween = (from: SQL, to: SQL): SQL => sql`(
  SELECT product_id, sum(quantity - canceled_quantity)::int AS units,
    sum((quantity - canceled_quantity) * price)::bigint AS sold
  FROM orders JOIN order_items ON order_id = orders.id
  WHERE ${isSold} AND orders.created_at >= ${midnight(from)} AND orders.created_at < ${midnight(to)}
  GROUP BY 1)`;

/** Sums up what is over and was not yet; true where there was something to do. Several processes may try at once. */
export const rollUp = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rows: locks } = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(${ROLL_UP_LOCK}) AS held`);
    if (!locks[0]?.held) return false;
    // A day without orders has a row, too: the last one says how far it has come.
    const { rows } = await tx.execute<{ from: string; due: boolean }>(sql`
      SELECT CASE WHEN EXISTS (SELECT FROM daily_orders) THEN ${today} - ${OPEN_DAYS}::int
          ELSE coalesce(least((SELECT min(${dayOf(sql`created_at`)}) FROM orders), (SELECT min(day) FROM daily_counts)),
            ${today} - 1) END::text AS from,
        coalesce((SELECT max(day) FROM daily_orders), '-infinity') < ${today} - 1 AS due`);
    const { from = "", due = false } = rows[0] ?? {};
    if (!due) return false;
    await tx.execute(sql`DELETE FROM daily_orders WHERE day >= ${from}::date`);
    await tx.execute(sql`
      INSERT INTO daily_orders (day, utm_source, utm_campaign, visits, product_views, carts, checkouts, orders, sold,
        refunded, lapsed)
      SELECT day, CASE WHEN place <= ${CAMPAIGNS_A_DAY} THEN source ELSE ${OTHER_CAMPAIGNS} END AS source,
        CASE WHEN place <= ${CAMPAIGNS_A_DAY} THEN campaign ELSE '' END AS campaign, sum(visits), sum(product_views),
        sum(carts), sum(checkouts), sum(orders), sum(sold), sum(refunded), sum(lapsed)
      FROM (
        SELECT *, row_number() OVER (PARTITION BY day ORDER BY orders DESC, visits DESC, source, campaign) AS place FROM (
          SELECT * FROM ${sumsBetween(sql`${from}::date`, today)} AS sums
          UNION ALL
          SELECT day::date, '', '', 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(${from}::date, ${today} - 1, '1 day') AS day
        ) AS days
      ) AS placed GROUP BY 1, 2, 3`);
    await tx.execute(sql`DELETE FROM product_sales`);
    for (const days of SPANS) {
      await tx.execute(sql`
        INSERT INTO product_sales (days, product_id, units, sold)
        SELECT ${days}::int, product_id, units, sold FROM ${unitsBetween(sql`${today} - ${days}::int`, today)} AS sold
        WHERE units > 0`);
    }
    return true;
  });
