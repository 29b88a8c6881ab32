import { index, pgTable, unique, uuid } from "drizzle-orm/pg-core";
import { writtenAt } from "#db/columns.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { products } from "#shop/catalog/product.tables.ts";

export const wishlists = pgTable(
  "wishlists",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    productId: uuid()
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    createdAt: writtenAt(),
  },
  (t) => [unique("wishlists_user_product").on(t.userId, t.productId), index("wishlists_product").on(t.productId)],
);
