/** A new shop opens with products, and with units of them. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { openingCatalog } from "../catalog/opening-catalog.ts";
import { products } from "../catalog/product.tables.ts";
import { setStock } from "./stock.server.ts";

/**
 * Fills an empty catalog; does nothing where there are products. Safe when several processes start at once. Returns how
 * many products it made.
 */
export async function seedCatalog(db: Database, now = new Date()): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE`);
    const [any] = await tx.select({ id: products.id }).from(products).limit(1);
    if (any) return 0;
    const opening = openingCatalog(now);
    for (const { inventoryCount, ...product } of opening) {
      const [added] = await tx.insert(products).values(product).returning({ id: products.id });
      if (added) await setStock(tx, added.id, inventoryCount);
    }
    return opening.length;
  });
}
