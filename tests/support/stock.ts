/** The stock, as a test reads and sets it. */
type Queryable = { query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }> };

const ofSlug = "product_id = (SELECT id FROM products WHERE slug = $1)";

/** The units of one product. */
export async function unitsOf(database: Queryable, slug: string): Promise<number> {
  const { rows } = await database.query(`SELECT inventory_count AS units FROM stock WHERE ${ofSlug}`, [slug]);
  return rows[0]?.units as number;
}

/** Gives one product so many units. */
export async function setUnits(database: Queryable, slug: string, units: number): Promise<void> {
  await database.query(`UPDATE stock SET inventory_count = $2 WHERE ${ofSlug}`, [slug, units]);
}
