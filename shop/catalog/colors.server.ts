/** The colors that products have. */
import { sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";

/** A color as it is shown: `hex` as #7b8467. */
export type Color = { name: string; hex: string };

/** Every color that staff may choose. */
export async function listAllColors(db: Database): Promise<Color[]> {
  return (await db.execute<Color>(sql`SELECT name, hex FROM colors ORDER BY position`)).rows;
}

/** The colors that any product of the lists has. */
export async function listShownColors(db: Database): Promise<Color[]> {
  const isShown = sql`EXISTS (SELECT FROM product_counts WHERE color_variant = name)`;
  return (await db.execute<Color>(sql`SELECT name, hex FROM colors WHERE ${isShown} ORDER BY position`)).rows;
}

/** Adds a color; one that is known, in whatever case, gets this swatch. Answers with its name as it is known. */
export async function keepColor(tx: DatabaseOrTransaction, by: Acting, { name, hex }: Color): Promise<string> {
  await tx.execute(sql`LOCK TABLE colors IN SHARE ROW EXCLUSIVE MODE`);
  const { rows } = await tx.execute<Color>(sql`SELECT name, hex FROM colors WHERE lower(name) = lower(${name})`);
  const [before] = rows;
  const kept = before?.name ?? name;
  if (before?.hex === hex) return kept;
  await tx.execute(
    before
      ? sql`UPDATE colors SET hex = ${hex} WHERE name = ${kept}`
      : sql`INSERT INTO colors (name, hex) VALUES (${kept}, ${hex})`,
  );
  await writeAudit(tx, by, {
    action: before ? "color.edit" : "color.create",
    subject: `color:${kept}`,
    ...(before && { before: { hex: before.hex } }),
    after: { hex },
  });
  return kept;
}
