/** The products a customer keeps in mind. */
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { forSale } from "../catalog/price.sql.ts";
import type { Product } from "../catalog/product.ts";
import { products } from "../catalog/product.tables.ts";
import { wishlists } from "./wishlist.tables.ts";

/** Ids of the products on the customer's wishlist, newest first. */
export async function listWishlistIds(db: Database, customerId: string): Promise<string[]> {
  const rows = await db
    .select({ productId: wishlists.productId })
    .from(wishlists)
    .where(eq(wishlists.userId, customerId))
    .orderBy(desc(wishlists.createdAt));
  return rows.map(({ productId }) => productId);
}

/** Puts products on the customer's wishlist; one that is there already, or is none, changes nothing. */
export async function addToWishlist(db: Database, customerId: string, productIds: string[]): Promise<void> {
  if (productIds.length === 0) return;
  await db.execute(sql`
    INSERT INTO wishlists (user_id, product_id)
    SELECT ${customerId}::uuid, id FROM products WHERE ${inArray(products.id, productIds)}
    ON CONFLICT DO NOTHING`);
}

/** Takes products off the customer's wishlist; one that is not on it changes nothing. */
export async function removeFromWishlist(db: Database, customerId: string, productIds: string[]): Promise<void> {
  await db.delete(wishlists).where(and(eq(wishlists.userId, customerId), inArray(wishlists.productId, productIds)));
}

/** The products on the customer's wishlist as the shop shows them, the newest wish first. */
export async function listWishlist(db: Database, customerId: string): Promise<Product[]> {
  return db
    .select(forSale)
    .from(wishlists)
    .innerJoin(products, eq(products.id, wishlists.productId))
    .where(eq(wishlists.userId, customerId))
    .orderBy(desc(wishlists.createdAt), asc(products.name));
}
