/** Colors of products. */
import { sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import type { products } from "./product.tables.ts";

export type Color = { name: string; hex: string };
type Model = Pick<typeof products.$inferSelect, "category" | "model">;

export async function listAllColors(db: Database): Promise<Color[]> {
  return (await db.execute<Color>(sql`SELECT name, hex FROM colors ORDER BY position`)).rows;
}

/** Returns the colors that no product of a model has, an archived one included. */
export async function listOtherColors(db: Database, { category, model }: Model): Promise<Color[]> {
  return (
    await db.execute<Color>(sql`SELECT name, hex FROM colors WHERE NOT EXISTS (SELECT FROM products
      WHERE category = ${category} AND model = ${model} AND color_variant = colors.name) ORDER BY position`)
  ).rows;
}

/** Returns the colors of listed products, in the order in which they were added. */
export async function listShownColors(db: Database): Promise<Color[]> {
  return (
    await db.execute<Color>(sql`SELECT name, hex FROM colors WHERE EXISTS (SELECT FROM products
      WHERE color_variant = colors.name AND retired_at IS NULL) ORDER BY position`)
  ).rows;
}

/** Adds a color, or updates the swatch of an existing name in any case. Returns the stored name. */
export async function saveColor(tx: DatabaseOrTransaction, by: Acting, { name, hex }: Color): Promise<string> {
  await tx.execute(sql`LOCK TABLE colors IN SHARE ROW EXCLUSIVE MODE`);
  const { rows } = await tx.execute<Color>(sql`SELECT name, hex FROM colors WHERE lower(name) = lower(${name})`);
  const [before] = rows;
  const stored = before?.name ?? name;
  if (before?.hex === hex) return stored;
  await tx.execute(
    before
      ? sql`UPDATE colors SET hex = ${hex} WHERE name = ${stored}`
      : sql`INSERT INTO colors (name, hex) VALUES (${stored}, ${hex})`,
  );
  await writeAudit(tx, by, {
    action: before ? "color.edit" : "color.create",
    subject: `color:${stored}`,
    ...(before && { before: { hex: before.hex } }),
    after: { hex },
  });
  return stored;
}
