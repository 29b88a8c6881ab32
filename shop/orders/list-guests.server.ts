/** Whoever ordered without an account, by the email of their orders. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";

export const GUESTS_PAGE = 50;

export type ListedGuest = { email: string; orders: number; newestAt: Date };

/**
 * One page by email, of those that begin with `search`, and one more where there are more; `after` is the last email of
 * the page before. It steps from email to email in the index and reads no other order.
 */
export async function listGuests(db: Database, search: string, after?: string): Promise<ListedGuest[]> {
  const begins = search.toLowerCase();
  const isGuest = sql`user_id IS NULL AND lower(email) > ''`;
  const first = after ? sql`lower(email) > ${after}` : sql`lower(email) >= ${begins}`;
  const { rows } = await db.execute<{ email: string; orders: number; newestAt: string }>(sql`
    WITH RECURSIVE guests AS (
      (SELECT lower(email) AS email FROM orders WHERE ${isGuest} AND ${first} ORDER BY lower(email) LIMIT 1)
      UNION ALL
      SELECT (SELECT lower(email) FROM orders WHERE ${isGuest} AND lower(email) > guests.email ORDER BY lower(email) LIMIT 1)
      FROM guests WHERE guests.email IS NOT NULL AND starts_with(guests.email, ${begins})
    ), page AS (
      SELECT email FROM guests WHERE email IS NOT NULL AND starts_with(email, ${begins}) LIMIT ${GUESTS_PAGE + 1}
    )
    SELECT page.email, count(*)::int AS orders, max(o.created_at) AS "newestAt"
    FROM page JOIN orders o ON o.user_id IS NULL AND lower(o.email) = page.email GROUP BY page.email ORDER BY page.email`);
  return rows.map(({ newestAt, ...row }) => ({ ...row, newestAt: new Date(newestAt) }));
}
