import { sql } from "drizzle-orm";
import { boolean, check, date, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { writtenAt } from "#db/columns.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { DELAY_REASONS, type DelayReason } from "#shop/orders/reasons.ts";

/** Delays of all orders of a product, each until no order is left to delay, and none to be paid. */
export const productDelays = pgTable(
  "product_delays",
  {
    productId: uuid()
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    /** New ship day; null if it is not known. */
    until: date(),
    reason: text().$type<DelayReason>().notNull(),
    /** Includes orders whose authorization ends before they ship. */
    paysAgain: boolean().notNull(),
    askedBy: jsonb().$type<Acting>().notNull(),
    /** Orders placed or delayed later are left alone. */
    askedAt: writtenAt(),
  },
  (t) => [check("product_delays_reason", sql`${t.reason} IN ${oneOf(Object.keys(DELAY_REASONS))}`)],
);
