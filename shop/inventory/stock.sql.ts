/**
 * The only code that changes stock: fragments that stand in the statement of the sale or its end, so that stock never
 * moves without its reason. Whoever moves several products locks them in id order, and so never waits in a circle.
 */
import { sql, type SQL } from "drizzle-orm";

/**
 * An UPDATE that takes the units of `lines` where `condition` holds. `lines` is a relation of (id, quantity), one row for
 * each product, which the same statement has locked in id order and found to have that many. The database refuses to
 * go below zero.
 */
export const takeStock = (lines: SQL, condition: SQL): SQL => sql`
  UPDATE products SET inventory_count = products.inventory_count - lines.quantity
  FROM ${lines} AS lines WHERE products.id = lines.id AND ${condition}`;

/**
 * An UPDATE that gives the units of `lines` back, and locks their products itself. `lines` is a relation of
 * (product_id, quantity) in which a product may stand several times; one that has left the catalog is passed over.
 */
export const returnStock = (lines: SQL): SQL => sql`
  UPDATE products SET inventory_count = products.inventory_count + returned.quantity
  FROM (
    SELECT products.id, units.quantity
    FROM (SELECT product_id, sum(quantity)::int AS quantity FROM ${lines} AS lines GROUP BY product_id) AS units
    JOIN products ON products.id = units.product_id
    ORDER BY products.id FOR NO KEY UPDATE OF products
  ) AS returned WHERE products.id = returned.id`;
