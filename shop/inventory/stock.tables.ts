import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import { products } from "../catalog/product.tables.ts";
import { MOVE_REASONS, type MoveReason } from "./move-reasons.ts";

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

/**
 * Why stock changed otherwise than by a sale. Stock is always the moves, less what was sold, and with what came back of that;
 * what there was in the beginning is a move too.
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
    /** Null: the shop by itself. No foreign key: what somebody did outlives their account. */
    staffId: uuid(),
    /** The form that it was typed into: sent twice, it moves once. */
    formKey: uuid().unique(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("stock_moves_reason", sql`${t.reason} IN ${oneOf(MOVE_REASONS)}`),
    index("stock_moves_product").on(t.productId, t.id.desc()),
  ],
);
