/** People who have an account, or who bought as guests, in one list for staff. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { type Counted, countRows, idsByPrefix, LISTED } from "#db/lists.sql.ts";
import { idsByName } from "#db/names.sql.ts";
import { keptCents } from "#shop/orders/charged.sql.ts";

export const CUSTOMERS_PAGE = 50;

export type ListedCustomer = {
  /** Their newest order, or the account of one who has none: the `after` of the next page. */
  id: string;
  /** Null for a guest. */
  userId: string | null;
  email: string;
  /** That of the account, or of the newest order. */
  name: string;
  isVerified: boolean;
  isSuspended: boolean;
  tags: string[];
  /** Without those that a return sends: fees, repairs and replacements. */
  orders: number;
  /** Charged and not refunded. */
  spentCents: number;
  /** Null without an order. */
  lastOrderAt: Date | null;
};

export type CustomerFilter = { search: string; tag?: string | null };

/** The staff are no customers, although they have accounts. */
const isCustomer = (userId: SQL) => sql`NOT EXISTS (SELECT FROM staff WHERE staff.user_id = ${userId})`;

/** The person of an order `o`: its account, or that with the email of a guest, who has none otherwise. Read row by row, never as a join of all. */
const person = sql`LATERAL (
  SELECT u.id AS user_id, coalesce(u.email, lower(o.email)) AS email FROM (SELECT) AS one LEFT JOIN LATERAL (
    SELECT id, email FROM users WHERE id = coalesce(o.user_id, (SELECT id FROM users WHERE email = lower(o.email))) LIMIT 1
  ) AS u ON true) AS person`;

/** Erased orders are nobody's. */
const hasPerson = sql`(o.user_id IS NOT NULL OR o.email <> '')`;

const newest = sql`ORDER BY created_at DESC, id DESC LIMIT 1`;

/** The newest order of a `person`: of their account, or of a guest with their email. */
const newestOrder = sql`(SELECT created_at, id FROM (
  (SELECT created_at, id FROM orders WHERE user_id = person.user_id ${newest})
  UNION ALL (SELECT created_at, id FROM orders WHERE user_id IS NULL AND lower(email) = person.email ${newest})) AS theirs ${newest})`;

/** Everybody, those who ordered last first, accounts without an order by the day they joined; at most one page after `begins`. */
const everybody = (begins: SQL): SQL => sql`
  WITH buyers AS (
    SELECT o.created_at, o.id, person.user_id, person.email FROM orders AS o, ${person}
    WHERE ${begins} AND ${hasPerson} AND o.id = (SELECT id FROM ${newestOrder} AS latest) AND ${isCustomer(sql`person.user_id`)}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${CUSTOMERS_PAGE + 1}
  )
  SELECT * FROM buyers UNION ALL
  (SELECT o.created_at, o.id, o.id, o.email FROM users AS o, LATERAL (SELECT o.id AS user_id, o.email) AS person
    WHERE ${begins} AND o.created_at >= coalesce((SELECT created_at FROM buyers OFFSET ${CUSTOMERS_PAGE}), '-infinity')
      AND (SELECT id FROM ${newestOrder} AS latest) IS NULL AND ${isCustomer(sql`o.id`)}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${CUSTOMERS_PAGE + 1})`;

/**
 * Emails and accounts of people: with the typed beginning of an email, or words of a name, of the account or of any order; and
 * with the tag. Of each kind the first 1,001.
 */
function found({ search, tag }: CustomerFilter): SQL {
  const tagged = sql`tags @> ARRAY[${tag}::text]`;
  if (search === "")
    return sql`SELECT (SELECT id FROM users WHERE users.email = noted.email) AS user_id, email
      FROM (SELECT email FROM customer_notes WHERE ${tagged} ORDER BY email LIMIT ${LISTED}) AS noted`;
  const ids = (rows: SQL) =>
    sql`(${idsByPrefix(search, [sql`lower(email)`], rows)} UNION ALL ${idsByName(search, rows)})`;
  const named = sql`SELECT u.id AS user_id, u.email FROM users AS u WHERE u.id IN ${ids(sql`users WHERE true`)}
    UNION SELECT person.user_id, person.email FROM orders AS o, ${person} WHERE ${hasPerson} AND o.id IN ${ids(sql`orders WHERE true`)}`;
  if (!tag) return named;
  return sql`SELECT * FROM (${named}) AS named WHERE EXISTS (SELECT FROM customer_notes AS noted WHERE noted.email = named.email AND ${tagged})`;
}

/** What `found` has, with the newest order of each. */
const filtered = (filter: CustomerFilter): SQL => sql`
  SELECT created_at, id, user_id, email, count(*) OVER () AS found FROM (
    SELECT person.*, coalesce(latest.id, person.user_id) AS id,
      coalesce(latest.created_at, (SELECT created_at FROM users WHERE id = person.user_id)) AS created_at
    FROM (${found(filter)}) AS person LEFT JOIN LATERAL ${newestOrder} AS latest ON true WHERE ${isCustomer(sql`person.user_id`)}
  ) AS people WHERE id IS NOT NULL`;

type Row = Omit<ListedCustomer, "lastOrderAt"> & { lastOrderAt: string | null; found: number };

/** One page of people, and one more if there are more; `after` is the id of the last one before. */
export async function listCustomers(
  db: Database,
  filter: CustomerFilter,
  after?: string,
): Promise<{ rows: ListedCustomer[]; counted: Counted }> {
  const last = sql`(SELECT created_at, id FROM orders WHERE id = ${after}::uuid UNION ALL SELECT created_at, id FROM users WHERE id = ${after}::uuid)`;
  const begins = after ? sql`(o.created_at, o.id) < ${last}` : sql`true`;
  const isFiltered = filter.search !== "" || Boolean(filter.tag);
  const people = isFiltered
    ? sql`SELECT * FROM (${filtered(filter)}) AS o WHERE ${begins}`
    : sql`SELECT *, 0 AS found FROM (${everybody(begins)}) AS people`;
  const listed = db.execute<Row>(sql`
    SELECT person.id, person.user_id AS "userId", person.email, coalesce(nullif(u.name, ''), theirs.name, '') AS name,
      coalesce(u.email_verified, false) AS "isVerified", u.suspended_at IS NOT NULL AS "isSuspended",
      coalesce((SELECT tags FROM customer_notes WHERE email = person.email), '{}') AS tags,
      theirs.orders, theirs.spent AS "spentCents", theirs.newest AS "lastOrderAt", person.found::int
    FROM (${people} ORDER BY created_at DESC, id DESC LIMIT ${CUSTOMERS_PAGE + 1}) AS person
    LEFT JOIN users AS u ON u.id = person.user_id, LATERAL (
      SELECT count(*)::int AS orders, max(created_at) AS newest, coalesce(sum(${keptCents}), 0)::float8 AS spent,
        (array_agg(trim(shipping_first_name || ' ' || shipping_last_name) ORDER BY created_at DESC))[1] AS name
      FROM orders WHERE user_id = person.user_id OR (user_id IS NULL AND lower(orders.email) = person.email)
    ) AS theirs ORDER BY person.created_at DESC, person.id DESC`);
  const [{ rows }, all] = await Promise.all([listed, isFiltered ? null : countEverybody(db)]);
  const matches = rows[0]?.found ?? 0;
  return {
    rows: rows.map(({ found: _found, lastOrderAt, ...row }) => ({
      ...row,
      lastOrderAt: lastOrderAt === null ? null : new Date(lastOrderAt),
    })),
    counted: all ?? { count: Math.min(matches, LISTED - 1), hasMore: matches >= LISTED },
  };
}

const countEverybody = (db: Database): Promise<Counted> =>
  countRows(
    db,
    sql`((SELECT id AS user_id FROM users) UNION ALL (SELECT NULL FROM (
      SELECT lower(email) AS email FROM orders WHERE user_id IS NULL AND email <> '' GROUP BY 1 ORDER BY 1 USING ~<~) AS guests
      WHERE NOT EXISTS (SELECT FROM users WHERE users.email = guests.email))) AS person WHERE ${isCustomer(sql`person.user_id`)}`,
  );
