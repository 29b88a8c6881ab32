/** Product list of the back office, with retired products. */
import { and, asc, desc, eq, isNull, sql, type SQL } from "drizzle-orm";
import { afterRow, countRows, likePrefix } from "#db/lists.sql.ts";
import type { Database } from "#db/connection.server.ts";
import { currentPrice, inventoryCount } from "../product.sql.ts";
import type { Category } from "../product.ts";
import { products } from "../product.tables.ts";
import { LOW_STOCK_LIMIT } from "../stock.ts";

const CHOICES = 500;

/** Products that are not retired, by name, for a form that chooses among them. */
export const listProductNames = (db: Database): Promise<{ id: string; slug: string; name: string }[]> =>
  db
    .select({ id: products.id, slug: products.slug, name: products.name })
    .from(products)
    .where(isNull(products.retiredAt))
    .orderBy(sql`lower(${products.name})`, products.slug)
    .limit(CHOICES);

/** Products that staff may sell, with price and units. */
export const listSellable = (db: Database): Promise<{ name: string; priceCents: number; unitsLeft: number }[]> =>
  db
    .select({ name: products.name, priceCents: currentPrice, unitsLeft: inventoryCount })
    .from(products)
    .where(isNull(products.retiredAt))
    .orderBy(sql`lower(${products.name})`, products.slug)
    .limit(CHOICES);

const MATCHES = 5;

/**
 * Products that staff may sell, whose name is what was typed, in any case; otherwise those of which each typed word begins a
 * word of the name, at most five.
 */
export async function findByName(db: Database, typed: string): Promise<{ id: string; name: string }[]> {
  const named = sql`lower(${products.name})`;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = words.map((word) => sql`' ' || ${named} LIKE ${`% ${likePrefix(word)}`}`);
  const found = await db
    .select({ id: products.id, name: products.name, isExact: sql<boolean>`${named} = ${words.join(" ")}` })
    .from(products)
    .where(and(isNull(products.retiredAt), ...has))
    .orderBy(sql`${named} <> ${words.join(" ")}`, named)
    .limit(MATCHES);
  const matches = found[0]?.isExact ? found.slice(0, 1) : found;
  return matches.map(({ id, name }) => ({ id, name }));
}

export const PRODUCT_SORTS = ["name", "stock", "updated"] as const;
export const PRODUCT_STATES = ["available", "unavailable", "low", "none", "retired"] as const;

type ProductFilter = {
  search: string;
  category: Category | null;
  color: string | null;
  state: (typeof PRODUCT_STATES)[number] | null;
  sort: (typeof PRODUCT_SORTS)[number];
  after: string | null;
};

const PRODUCTS_PAGE = 50;

const units = sql`stock.inventory_count`;
const ORDERS: Record<ProductFilter["sort"], { key: SQL; isDescending: boolean }> = {
  name: { key: sql`lower(products.name)`, isDescending: false },
  stock: { key: units, isDescending: false },
  updated: { key: sql`products.updated_at`, isDescending: true },
};

const STATES: Record<NonNullable<ProductFilter["state"]>, SQL> = {
  available: sql`products.is_available AND ${units} > 0`,
  unavailable: sql`NOT products.is_available AND products.retired_at IS NULL`,
  low: sql`products.is_available AND ${units} BETWEEN 1 AND ${LOW_STOCK_LIMIT}`,
  none: sql`products.is_available AND ${units} = 0`,
  retired: sql`products.retired_at IS NOT NULL`,
};

const passes = ({ search, category, color, state }: ProductFilter): SQL =>
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

const { id, name, slug, category, thumbnail, isAvailable, featured, updatedAt } = products;
const shown = { id, name, slug, category, color: products.colorVariant, thumbnail, isAvailable, featured, updatedAt };

/** Returns a page of 50, the total count, and the `after` of the next page. */
export async function listAllProducts(db: Database, filter: ProductFilter) {
  const { key, isDescending } = ORDERS[filter.sort];
  const inOrder = isDescending ? desc : asc;
  const table = sql`products JOIN stock ON stock.product_id = products.id`;
  const [found, counted] = await Promise.all([
    db
      .select({
        ...shown,
        priceCents: currentPrice,
        isEarly: sql<boolean>`${currentPrice} IS DISTINCT FROM ${products.priceCents}`,
        units: inventoryCount,
        isRetired: sql<boolean>`${products.retiredAt} IS NOT NULL`,
      })
      .from(products)
      .innerJoin(sql`stock`, sql`stock.product_id = ${id}`)
      .where(and(passes(filter), afterRow(table, [key, sql`products.id`], filter.after, isDescending)))
      .orderBy(inOrder(key), inOrder(id))
      .limit(PRODUCTS_PAGE + 1),
    countRows(db, sql`${table} WHERE ${passes(filter)}`),
  ]);
  const rows = found.slice(0, PRODUCTS_PAGE);
  return { rows, ...counted, next: found.length > PRODUCTS_PAGE ? (rows.at(-1)?.id ?? null) : null };
}
