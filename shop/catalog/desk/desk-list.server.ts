/** The list of products that staff work with: those that retired are in it too. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { likePrefix } from "../../../db/like-prefix.ts";
import type { Database } from "../../../db/connection.server.ts";
import { currentPrice } from "../price.sql.ts";
import type { Category } from "../product.ts";
import { products } from "../product.tables.ts";
import { LOW_STOCK_LIMIT } from "../stock.ts";

export const DESK_SORTS = ["name", "stock", "updated"] as const;
export const DESK_STATES = ["available", "unavailable", "low", "none", "retired"] as const;

export type DeskFilter = {
  /** The beginning of a name or an address. */
  search: string;
  category: Category | null;
  color: string | null;
  state: (typeof DESK_STATES)[number] | null;
  sort: (typeof DESK_SORTS)[number];
  /** Where the page before ended, as `next` said. */
  after: string | null;
};

export type DeskRow = {
  id: string;
  name: string;
  slug: string;
  category: Category;
  color: string | null;
  thumbnail: string | null;
  priceCents: number;
  isEarly: boolean;
  units: number;
  isAvailable: boolean;
  isRetired: boolean;
  featured: boolean;
  updatedAt: Date;
};

export const DESK_PAGE = 50;
const MAX_COUNT = 10_000;

const units = sql`stock.inventory_count`;
/** Among ten thousand products the database sorts faster than an index for each order would make an edit slow. */
const ORDERS: Record<DeskFilter["sort"], { key: SQL; cast: SQL; isFalling?: true }> = {
  name: { key: sql`lower(products.name)`, cast: sql`text` },
  stock: { key: units, cast: sql`int` },
  updated: { key: sql`products.updated_at`, cast: sql`timestamptz`, isFalling: true },
};

const STATES: Record<NonNullable<DeskFilter["state"]>, SQL> = {
  available: sql`products.is_available`,
  unavailable: sql`NOT products.is_available AND products.retired_at IS NULL`,
  low: sql`products.is_available AND ${units} BETWEEN 1 AND ${LOW_STOCK_LIMIT}`,
  none: sql`products.is_available AND ${units} = 0`,
  retired: sql`products.retired_at IS NOT NULL`,
};

const passes = ({ search, category, color, state }: DeskFilter): SQL =>
  and(
    sql`true`,
    search
      ? sql`(lower(products.name) LIKE ${likePrefix(search)} OR lower(products.name) LIKE ${`% ${likePrefix(search)}`}
          OR products.slug LIKE ${likePrefix(search)})`
      : undefined,
    category ? eq(products.category, category) : undefined,
    color ? eq(products.colorVariant, color) : undefined,
    state ? STATES[state] : undefined,
  )!;

/** A cursor: the sort key of the last row and its id. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
function cursorOf(after: string | null): { id: string; key: string } | null {
  const [id = "", key] = after?.split(/ (.*)/s) ?? [];
  return UUID.test(id) && key !== undefined ? { id, key } : null;
}

/** A page of 50, how many there are in all (`capped`: more than ten thousand), and where the next page begins. */
export async function listDeskProducts(
  db: Database,
  filter: DeskFilter,
): Promise<{ rows: DeskRow[]; count: number; isCapped: boolean; next: string | null }> {
  const { key, cast, isFalling } = ORDERS[filter.sort];
  const cursor = cursorOf(filter.after);
  const isValid =
    !cursor ||
    filter.sort === "name" ||
    (filter.sort === "stock" ? /^\d{1,9}$/ : /^[\d :.+-]{10,40}$/).test(cursor.key);
  const begins =
    cursor && isValid
      ? sql`AND (${key}, products.id) ${isFalling ? sql`<` : sql`>`} (${cursor.key}::${cast}, ${cursor.id}::uuid)`
      : sql``;
  const direction = isFalling ? sql`DESC` : sql`ASC`;
  const from = sql`FROM products JOIN stock ON stock.product_id = products.id WHERE ${passes(filter)}`;
  const [found, counted] = await Promise.all([
    db.execute<DeskRow & { key: string }>(sql`
      SELECT products.id, name, slug, category, color_variant AS color, thumbnail, ${currentPrice} AS "priceCents",
        ${currentPrice} IS DISTINCT FROM products.price AS "isEarly", ${units} AS units, is_available AS "isAvailable",
        retired_at IS NOT NULL AS "isRetired", featured, updated_at AS "updatedAt", (${key})::text AS key
      ${from} ${begins} ORDER BY ${key} ${direction}, products.id ${direction} LIMIT ${DESK_PAGE + 1}`),
    db.execute<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM (SELECT 1 ${from} LIMIT ${MAX_COUNT + 1}) AS counted`,
    ),
  ]);
  const rows = found.rows.slice(0, DESK_PAGE).map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
  const last = found.rows[DESK_PAGE - 1];
  const count = counted.rows[0]?.count ?? 0;
  return {
    rows,
    count: Math.min(count, MAX_COUNT),
    isCapped: count > MAX_COUNT,
    next: found.rows.length > DESK_PAGE && last ? `${last.id} ${last.key}` : null,
  };
}
