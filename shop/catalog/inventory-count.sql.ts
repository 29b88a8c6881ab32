/** How many units there are, as SQL. They stand in rows of their own, which shop/inventory alone changes. */
import { sql } from "drizzle-orm";
import { products } from "./product.tables.ts";

/** The units of the products row that a query reads. */
export const inventoryCount = sql<number>`(SELECT inventory_count FROM stock WHERE stock.product_id = ${products.id})`;

/** Whether the products row that a query reads can be bought. */
export const isInStock = sql`(${products.isAvailable} AND EXISTS (
  SELECT FROM stock WHERE stock.product_id = ${products.id} AND stock.inventory_count > 0))`;

/** The same by what is kept of sold-out products, for lists of many. */
export const isSoldOut = sql`${products.id} IN (
  SELECT product_id FROM sold_out UNION ALL SELECT id FROM products WHERE NOT is_available)`;
export const isNotSoldOut = sql`(${products.isAvailable} AND NOT EXISTS (
  SELECT FROM sold_out WHERE sold_out.product_id = ${products.id}))`;

/** Whether lists show the products row that a query reads. Those that retired are few, and found without reading each row. */
export const isListed = sql`${products.id} NOT IN (SELECT retired.id FROM products AS retired WHERE retired.retired_at IS NOT NULL)`;
