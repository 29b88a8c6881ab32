/** The products a customer keeps in mind. */
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
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

/** Takes a product off the customer's wishlist; one that is not on it changes nothing. */
export async function removeFromWishlist(db: Database, customerId: string, productId: string): Promise<void> {
  await db.delete(wishlists).where(and(eq(wishlists.userId, customerId), eq(wishlists.productId, productId)));
}
