/** A product is opened to the waitlist first, and to everybody by itself once that time is over. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { writeAudit, type Acting } from "../staff/audit.server.ts";

export type EarlyProduct = { id: string; name: string; until: Date };

const TOLD = sql`to_char(waitlist_only_until AT TIME ZONE 'America/New_York', 'YYYY-MM-DD')`;

/** What is open to the waitlist only, now. */
export async function listEarlyProducts(db: Database): Promise<EarlyProduct[]> {
  const { rows } = await db.execute<{ id: string; name: string; until: string }>(
    sql`SELECT id, name, waitlist_only_until AS until FROM products WHERE waitlist_only_until > now() ORDER BY name`,
  );
  return rows.map((row) => ({ ...row, until: new Date(row.until) }));
}

const CHOICES = 500;

/** What may be kept for the waitlist, for a field that suggests it. */
export async function listKeepable(db: Database): Promise<{ slug: string; name: string }[]> {
  const { rows } = await db.execute<{ slug: string; name: string }>(
    sql`SELECT slug, name FROM products WHERE retired_at IS NULL ORDER BY lower(name), slug LIMIT ${CHOICES}`,
  );
  return rows;
}

/**
 * Keeps a product for the waitlist until a day (YYYY-MM-DD) begins in New York; null opens it to everybody. False where
 * there is no product of this slug.
 */
export const keepForWaitlist = (db: Database, by: Acting, slug: string, until: string | null): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; was: string | null }>(
      sql`SELECT id, ${TOLD} AS was FROM products WHERE slug = ${slug} FOR UPDATE`,
    );
    const [product] = rows;
    if (!product) return false;
    await tx.execute(sql`
      UPDATE products SET waitlist_only_until = (${until}::date)::timestamp AT TIME ZONE 'America/New_York'
      WHERE id = ${product.id}::uuid`);
    await writeAudit(tx, by, {
      action: "waitlist.open",
      subject: `product:${product.id}`,
      before: { waitlistOnlyUntil: product.was },
      after: { waitlistOnlyUntil: until },
    });
    return true;
  });
