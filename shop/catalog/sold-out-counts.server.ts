/** Counts sold-out products by kind, so that the list need not count them one by one. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "../../db/connection.server.ts";
import { isListed, isSoldOut } from "./inventory-count.sql.ts";

/**
 * Counts anew where anything has changed since the last time. What commits meanwhile leaves its note, which lasts until the
 * next count: so nobody who sells or edits waits for this one, and the list is exact at any time.
 */
export async function countSoldOut(db: Database): Promise<void> {
  const { rowCount } = await db.execute(sql`SELECT FROM sold_out_changes LIMIT 1`);
  if (!rowCount) return;
  await transaction(db, async (tx) => {
    // Two who count take turns. Each statement sees what is committed by then: whatever note is deleted is counted below.
    await tx.execute(sql`LOCK TABLE sold_out_counts IN SHARE ROW EXCLUSIVE MODE`);
    await tx.execute(sql`DELETE FROM sold_out_changes`);
    await tx.execute(sql`DELETE FROM sold_out_counts`);
    await tx.execute(sql`
      INSERT INTO sold_out_counts
      SELECT category, color_variant, price_step(price), price_step(early_bird_price),
        CASE WHEN early_bird_price IS NOT NULL THEN early_bird_end_date END, count(*)
      FROM products WHERE ${isSoldOut} AND ${isListed} GROUP BY 1, 2, 3, 4, 5`);
  });
}
