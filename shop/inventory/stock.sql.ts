/**
 * The only code that changes stock: fragments that stand in the statement of the sale or its end, so that stock never
 * moves without its reason. Whoever moves several products locks them in id order, and so never waits in a circle.
 */
import { sql, type SQL } from "drizzle-orm";

/**
 * A call that takes the units of `lines`, as part of another statement. It must be evaluated once, as in RETURNING, because
 * PostgreSQL skips a SELECT in WITH that nothing reads. `lines` is a relation of (product_id, quantity), one row for each
 * product, which the same statement has locked by lockStock and found to have that many. The database refuses to go
 * below zero.
 */
export const takeStockCall = (lines: SQL): SQL =>
  sql`take_stock((SELECT array_agg(product_id) FROM ${lines} AS lines), (SELECT array_agg(quantity) FROM ${lines} AS lines))`;

/**
 * An UPDATE that gives the units of `lines` back, and locks their rows itself. `lines` is a relation of
 * (product_id, quantity) in which a product may stand several times; one that has left the catalog is passed over.
 */
export const returnStock = (lines: SQL): SQL => sql`
  UPDATE stock SET inventory_count = stock.inventory_count + returned.quantity
  FROM (
    SELECT stock.product_id, units.quantity
    FROM (SELECT product_id, sum(quantity)::int AS quantity FROM ${lines} AS lines GROUP BY product_id) AS units
    JOIN stock ON stock.product_id = units.product_id
    ORDER BY stock.product_id FOR NO KEY UPDATE OF stock
  ) AS returned WHERE stock.product_id = returned.product_id`;

/** A SELECT of (product_id, inventory_count) that locks the stock of the products that `ids` selects, in id order. */
export const lockStock = (ids: SQL): SQL => sql`SELECT product_id, inventory_count FROM lock_stock(ARRAY(${ids}))`;
