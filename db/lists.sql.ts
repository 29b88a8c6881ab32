/** SQL of back-office lists: prefix search, keyset pages, and counts up to 1,000. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "./connection.server.ts";

const MAX_COUNT = 1_000;
/** Rows that a search looks at for each key, so that a prefix of half the table is as fast as a rare one. */
export const LISTED: number = MAX_COUNT + 1;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The LIKE pattern of a prefix, lower-cased and escaped. */
export const likePrefix = (text: string): string => `${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * Ids of `rows` (a table and its WHERE) of which a key begins with `search`: for each key the first 1,001 in the order
 * of its index, newest first among equal ones.
 */
export const idsByPrefix = (search: string, keys: SQL[], rows: SQL): SQL =>
  sql.join(
    keys.map(
      (key) => sql`(SELECT id FROM ${rows} AND ${key} LIKE ${likePrefix(search)}
        ORDER BY ${key} USING ~<~, created_at DESC LIMIT ${LISTED})`,
    ),
    sql` UNION ALL `,
  );

/**
 * The condition of a keyset page: rows after the row `after`, ordered by a key and the id. A missing or invalid id
 * starts at the first page.
 */
export function afterRow(
  table: SQL,
  [key, id]: [key: SQL, id: SQL],
  after: string | null | undefined,
  isDescending = true,
): SQL {
  if (!UUID.test(after ?? "")) return sql`true`;
  return sql`(${key}, ${id}) ${isDescending ? sql`<` : sql`>`} (SELECT ${key}, ${id} FROM ${table} WHERE ${id} = ${after}::uuid)`;
}

/** A count, displayed as "1,000+" if `hasMore`. */
export type Counted = { count: number; hasMore: boolean };

export async function countRows(db: Database, from: SQL): Promise<Counted> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (SELECT FROM ${from} LIMIT ${MAX_COUNT + 1}) AS counted`,
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, MAX_COUNT), hasMore: count > MAX_COUNT };
}
