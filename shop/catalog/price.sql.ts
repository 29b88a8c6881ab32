/** The rule of price.ts as SQL, for reading, filtering, sorting and checking inside a statement. */
import { getTableColumns, sql } from "drizzle-orm";
import { hexOfColor } from "./colors.sql.ts";
import { inventoryCount } from "./inventory-count.sql.ts";
import { products } from "./product.tables.ts";

/** Whether an early-bird price, where there is one, is what is paid. */
export const isEarly = sql`${products.earlyBirdEndDate} > statement_timestamp()`;
const earlyBirdPrice = sql<number | null>`CASE WHEN ${isEarly} THEN ${products.earlyBirdPriceCents} END`;

/** What one unit costs now, by the database's clock, in cents. */
export const currentPrice = sql<number>`coalesce(${earlyBirdPrice}, ${products.priceCents})`;

/** The columns of a product that leaves the shop, for a SELECT: without an early-bird price that is over. */
export const forSale = {
  ...getTableColumns(products),
  earlyBirdPriceCents: earlyBirdPrice,
  inventoryCount,
  colorHex: hexOfColor,
};
