/** The customers as the back office lists them: accounts by when they were made, and guests by their email. */
import { sql, type SQL } from "drizzle-orm";
import { likePrefix } from "../../db/like-prefix.ts";
import type { Database } from "../../db/connection.server.ts";

export const CUSTOMERS_PAGE = 50;
/** Counts go no further: what is more is "10,000+". */
export const COUNTED_CUSTOMERS = 10_000;

export type ListedCustomer = {
  id: string;
  name: string;
  email: string;
  isVerified: boolean;
  createdAt: Date;
  orders: number;
};

/** How the email, the name or the last name begins. */
function found(search: string): SQL {
  if (search === "") return sql`true`;
  const like = likePrefix(search);
  return sql`(lower(u.email) LIKE ${like} OR lower(u.name) LIKE ${like} OR lower(u.last_name) LIKE ${like})`;
}

/** One page of accounts, the newest first, and one more where there are more; `after` is the id of the last one before. */
export async function listCustomers(db: Database, search: string, after?: string): Promise<ListedCustomer[]> {
  const page = after
    ? sql`AND (u.created_at, u.id) < (SELECT created_at, id FROM users WHERE id = ${after}::uuid)`
    : sql``;
  const { rows } = await db.execute<Omit<ListedCustomer, "createdAt"> & { createdAt: string }>(sql`
    SELECT u.id, u.name, u.email, u.email_verified AS "isVerified", u.created_at AS "createdAt",
      (SELECT count(*)::int FROM orders o WHERE o.user_id = u.id) AS orders
    FROM users u WHERE ${found(search)} ${page} ORDER BY u.created_at DESC, u.id DESC LIMIT ${CUSTOMERS_PAGE + 1}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** How many accounts there are, up to COUNTED_CUSTOMERS and one. */
export async function countCustomers(db: Database, search: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM (SELECT FROM users u WHERE ${found(search)} LIMIT ${COUNTED_CUSTOMERS + 1}) AS capped`);
  return rows[0]!.count;
}

/** The id of the account with an email, or null. */
export async function accountOf(db: Pick<Database, "execute">, email: string): Promise<string | null> {
  const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM users WHERE email = ${email.toLowerCase()}`);
  return rows[0]?.id ?? null;
}
