/** What is about to be sold out. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";

/** At this many units or fewer, somebody should look after more. */
export const LOW_STOCK = 10;

export type LowStock = { id: string; name: string; slug: string; units: number };

/** Products on sale with LOW_STOCK units or fewer, the fewest first, with how many there are of them in all. */
export async function listLowStock(db: Database, limit: number): Promise<{ products: LowStock[]; count: number }> {
  const { rows } = await db.execute<LowStock & { count: number }>(sql`
    SELECT products.id, name, slug, inventory_count AS units, count(*) OVER ()::int AS count
    FROM stock JOIN products ON products.id = product_id
    WHERE is_available AND inventory_count <= ${LOW_STOCK} ORDER BY inventory_count, name, products.id LIMIT ${limit}`);
  return { products: rows.map(({ count: _count, ...product }) => product), count: rows[0]?.count ?? 0 };
}
