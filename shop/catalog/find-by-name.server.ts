/** A product by what somebody types of it: its whole name or slug, or how its name begins. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";

/** The id of the product that fits best; null where none does. */
export async function findProductByName(db: Database, typed: string): Promise<string | null> {
  const text = typed.toLowerCase();
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM products WHERE lower(name) = ${text} OR slug = ${text} OR starts_with(lower(name), ${text})
    ORDER BY lower(name) = ${text} OR slug = ${text} DESC, name, id LIMIT 1`);
  return rows[0]?.id ?? null;
}
