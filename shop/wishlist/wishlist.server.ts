/** The wishlist. */
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { forSale } from "#shop/catalog/product.sql.ts";
import type { Product } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { wishlists } from "./wishlist.tables.ts";

/** Product ids of the wishlist, newest first. */
export async function listWishlistIds(db: Database, customerId: string): Promise<string[]> {
  const rows = await db
    .select({ productId: wishlists.productId })
    .from(wishlists)
    .where(eq(wishlists.userId, customerId))
    .orderBy(desc(wishlists.createdAt));
  return rows.map(({ productId }) => productId);
}

/** Adds products to the wishlist. Idempotent; unknown ids are ignored. */
export async function addToWishlist(db: Database, customerId: string, productIds: string[]): Promise<void> {
  if (productIds.length === 0) return;
  await db.execute(sql`
    INSERT INTO wishlists (user_id, product_id)
    SELECT ${customerId}::uuid, id FROM products WHERE ${inArray(products.id, productIds)}
    ON CONFLICT DO NOTHING`);
}

/** Removes products from the wishlist. Idempotent. */
export async function removeFromWishlist(db: Database, customerId: string, productIds: string[]): Promise<void> {
  await db.delete(wishlists).where(and(eq(wishlists.userId, customerId), inArray(wishlists.productId, productIds)));
}

/** Products of the wishlist, newest first. */
export async function listWishlist(db: Database, customerId: string): Promise<Product[]> {
  return db
    .select(forSale)
    .from(wishlists)
    .innerJoin(products, eq(products.id, wishlists.productId))
    .where(eq(wishlists.userId, customerId))
    .orderBy(desc(wishlists.createdAt), asc(products.name));
}
