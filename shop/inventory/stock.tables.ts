import { sql } from "drizzle-orm";
import { check, integer, pgTable, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/product.tables.ts";

/**
 * The units that can be sold, in rows of their own: a sale locks and rewrites this small row, while reading a product or
 * putting it in a cart (whose foreign key locks the product) never waits for it. A trigger makes one for each product.
 */
export const stock = pgTable(
  "stock",
  {
    productId: uuid()
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    inventoryCount: integer().notNull().default(0),
  },
  (t) => [check("stock_not_negative", sql`${t.inventoryCount} >= 0`)],
);

/**
 * The products of which there are no units, kept by a trigger where a sale takes the last one or units return. They are few:
 * so the list can tell them apart and count them without reading the stock of all.
 */
export const soldOut = pgTable("sold_out", {
  productId: uuid()
    .primaryKey()
    .references(() => stock.productId, { onDelete: "cascade" }),
});
