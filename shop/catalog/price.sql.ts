/** The rule of price.ts as SQL, for filtering, sorting and checking inside a statement. */
import { sql } from "drizzle-orm";
import { products } from "./product.tables.ts";

/** What one unit costs now, by the database's clock, in cents. */
export const currentPrice = sql<number>`CASE
  WHEN ${products.earlyBirdPriceCents} IS NOT NULL
   AND ${products.earlyBirdEndDate} > statement_timestamp()
  THEN ${products.earlyBirdPriceCents} ELSE ${products.priceCents} END`;
