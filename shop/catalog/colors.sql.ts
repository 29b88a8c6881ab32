/** What the swatch of a product's color is filled with, as SQL. */
import { sql } from "drizzle-orm";
import { products } from "./product.tables.ts";

/** Of the products row that a query reads. */
export const hexOfColor = sql<string | null>`(SELECT hex FROM colors WHERE colors.name = ${products.colorVariant})`;
