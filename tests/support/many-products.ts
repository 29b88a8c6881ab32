/** Copies of the opening catalog, the newest first, until there are `copies` of each product. */
import type { Pool } from "pg";

export async function addCopies(pool: Pool, copies: number): Promise<void> {
  await pool.query(
    `INSERT INTO products (name, slug, short_description, description, price, color_variant, category, created_at)
     SELECT name || ' ' || n, slug || '-' || n, short_description, description, price, color_variant, category, created_at
     FROM products, generate_series(2, $1::int) AS n`,
    [copies],
  );
}
