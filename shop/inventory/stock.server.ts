/** Stock that is counted anew, by hand. What a sale takes and an end gives back is in stock.sql.ts. */
import { eq } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { stock } from "./stock.tables.ts";

/** Sets how many units of a product can be sold, 0 or more. Returns false where there is no such product. */
export async function setStock(db: DatabaseOrTransaction, productId: string, units: number): Promise<boolean> {
  const { rowCount } = await db.update(stock).set({ inventoryCount: units }).where(eq(stock.productId, productId));
  return rowCount === 1;
}
