/** Customers with an account, as staff list them, with what they bought. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { afterRow, type Counted, countRows, idsByPrefix } from "#db/lists.sql.ts";
import { idsByName } from "#db/names.sql.ts";
import { keptCents } from "#shop/orders/charged.sql.ts";

export const CUSTOMERS_PAGE = 50;

export type ListedCustomer = {
  id: string;
  name: string;
  email: string;
  isVerified: boolean;
  isSuspended: boolean;
  createdAt: Date;
  /** Without those that a return sends: fees, repairs and replacements. */
  orders: number;
  /** Charged and not refunded. */
  spentCents: number;
};

const found = (search: string): SQL =>
  search === ""
    ? sql`true`
    : sql`u.id IN (${idsByPrefix(search, [sql`lower(email)`], sql`users WHERE true`)} UNION ALL ${idsByName(search, sql`users WHERE true`)})`;

/** The staff are no customers, although they have accounts. */
const isCustomer = sql`NOT EXISTS (SELECT FROM staff WHERE staff.user_id = u.id)`;

/** One page of accounts, the newest first, and one more where there are more; `after` is the id of the last one before. */
export async function listCustomers(db: Database, search: string, after?: string): Promise<ListedCustomer[]> {
  const begins = afterRow(sql`users u`, [sql`u.created_at`, sql`u.id`], after);
  const { rows } = await db.execute<Omit<ListedCustomer, "createdAt"> & { createdAt: string }>(sql`
    SELECT u.id, u.name, u.email, u.email_verified AS "isVerified", u.suspended_at IS NOT NULL AS "isSuspended", u.created_at AS "createdAt",
      (SELECT count(*)::int FROM orders WHERE user_id = u.id) AS orders,
      (SELECT coalesce(sum(${keptCents}), 0)::float8 FROM orders WHERE user_id = u.id) AS "spentCents"
    FROM users u WHERE ${isCustomer} AND ${found(search)} AND ${begins} ORDER BY u.created_at DESC, u.id DESC LIMIT ${CUSTOMERS_PAGE + 1}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

export const countCustomers = (db: Database, search: string): Promise<Counted> =>
  countRows(db, sql`users u WHERE ${isCustomer} AND ${found(search)}`);
