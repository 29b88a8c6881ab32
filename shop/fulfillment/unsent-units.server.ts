/** Units that are sold and have not left: they lie on the shelf, and are no stock any more. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";

/** A SELECT of how many units of a product they are. Orders end here once they are sent, so that it reads few. */
export const unsentUnits = (productId: string): SQL => sql`
  SELECT coalesce(sum(line.quantity - line.canceled_quantity - coalesce((
    SELECT sum(sent.quantity) FROM shipment_items AS sent JOIN shipments ON shipments.id = sent.shipment_id
    WHERE sent.order_item_id = line.id AND shipments.state <> 'failed'), 0)), 0)
  FROM orders JOIN order_items AS line ON line.order_id = orders.id
  WHERE orders.status IN ('unpaid', 'processing') AND line.product_id = ${productId}::uuid`;

/** The same, read. */
export async function countUnsent(db: Database, productId: string): Promise<number> {
  const { rows } = await db.execute<{ units: number }>(sql`SELECT (${unsentUnits(productId)})::int AS units`);
  return rows[0]?.units ?? 0;
}
