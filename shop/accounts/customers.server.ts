/** Customers: the list of the back office, and their own profile. */
import { eq, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { afterRow, type Counted, countRows, idsByPrefix } from "#db/lists.sql.ts";
import { idsByName } from "#db/names.sql.ts";
import { profiles, users } from "./account.tables.ts";

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
      (SELECT count(*)::int FROM orders o WHERE o.user_id = u.id) AS orders,
      (SELECT coalesce(sum((SELECT coalesce(sum(captured - refunded), 0) FROM payments WHERE order_id = o.id)
          - (SELECT coalesce(sum(otherwise), 0) FROM refunds WHERE order_id = o.id)), 0)::float8
        FROM orders o WHERE o.user_id = u.id) AS "spentCents"
    FROM users u WHERE ${isCustomer} AND ${found(search)} AND ${begins} ORDER BY u.created_at DESC, u.id DESC LIMIT ${CUSTOMERS_PAGE + 1}`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

export const countCustomers = (db: Database, search: string): Promise<Counted> =>
  countRows(db, sql`users u WHERE ${isCustomer} AND ${found(search)}`);

/** The id of the account with an email, or null. */
export async function accountOf(db: DatabaseOrTransaction, email: string): Promise<string | null> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email.toLowerCase()));
  return user?.id ?? null;
}

/** The email of an account, or null. */
export async function emailOf(db: Database, userId: string): Promise<{ address: string; isVerified: boolean } | null> {
  const { email: address, emailVerified: isVerified } = users;
  const [user] = await db.select({ address, isVerified }).from(users).where(eq(users.id, userId));
  return user ?? null;
}

type Profile = { firstName: string; lastName: string; phone: string };

export async function getProfile(db: Database, customerId: string): Promise<Profile> {
  const [found] = await db
    .select({ firstName: profiles.firstName, lastName: profiles.lastName, phone: profiles.phone })
    .from(profiles)
    .where(eq(profiles.id, customerId));
  return found ?? { firstName: "", lastName: "", phone: "" };
}

export async function updateProfile(db: Database, customerId: string, profile: Profile): Promise<void> {
  await db.update(profiles).set(profile).where(eq(profiles.id, customerId));
}
