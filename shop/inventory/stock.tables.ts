import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { writtenAt } from "#db/columns.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { MOVE_REASONS, type MoveReason } from "./move-form.ts";

/**
 * Units for sale, in rows of their own: a sale locks and rewrites this small row, while reading a product or adding it
 * to a cart (whose foreign key locks the product) never waits. A trigger creates one row per product.
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
 * Stock changes other than sales, with their reason. Stock equals the moves, less sales, plus returned units; the
 * opening stock is a move too.
 */
export const stockMoves = pgTable(
  "stock_moves",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    productId: uuid()
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    delta: integer().notNull(),
    reason: text().$type<MoveReason>().notNull(),
    note: text(),
    /** Return whose units came back, or went back to the customer. No foreign key: moves outlive the order. */
    returnId: uuid(),
    /** Null if the shop did it. No foreign key: moves outlive the staff account. */
    staffId: uuid(),
    /** Key of the submitted form: a repeated submission moves units once. */
    formKey: uuid().unique(),
    at: writtenAt(),
  },
  (t) => [
    check("stock_moves_reason", sql`${t.reason} IN ${oneOf(MOVE_REASONS)}`),
    index("stock_moves_product").on(t.productId, t.id.desc()),
  ],
);
