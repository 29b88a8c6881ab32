/** One product as staff see it. */
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { hexOfColor } from "../colors.sql.ts";
import { inventoryCount } from "../inventory-count.sql.ts";
import { products } from "../product.tables.ts";
import { getTableColumns } from "drizzle-orm";
import { hasOrders } from "./edit-product.server.ts";

/** The whole record, an early-bird price that is over included; null where there is none. */
export async function getDeskProduct(db: Database, id: string) {
  const [found] = await db
    .select({ ...getTableColumns(products), inventoryCount, colorHex: hexOfColor })
    .from(products)
    .where(eq(products.id, id));
  return found ? { ...found, isOrdered: await hasOrders(db, id) } : null;
}

export type DeskProduct = NonNullable<Awaited<ReturnType<typeof getDeskProduct>>>;
