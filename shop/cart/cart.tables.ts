import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, unique, uuid } from "drizzle-orm/pg-core";
import { writtenAt } from "#db/columns.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { products } from "#shop/catalog/product.tables.ts";

export const cartItems = pgTable(
  "cart_items",
  {
    id: uuid().primaryKey().defaultRandom(),
    productId: uuid()
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    quantity: integer().notNull(),
    userId: uuid().references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid(),
    createdAt: writtenAt(),
  },
  (t) => [
    check("cart_items_quantity", sql`${t.quantity} BETWEEN 1 AND 10`),
    check("cart_items_one_owner", sql`num_nonnulls(${t.userId}, ${t.sessionId}) = 1`),
    unique("cart_items_session_product").on(t.sessionId, t.productId),
    unique("cart_items_user_product").on(t.userId, t.productId),
    index("cart_items_product").on(t.productId),
  ],
);
