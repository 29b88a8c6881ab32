/** What is for sale, as a shopper asks for it. */
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { prepared, type Database } from "../../db/connection.server.ts";
import { PAGE_SIZE, parseFilters, type Filters } from "./filters.ts";
import { countOfListed, featuredFirst, inCatalogOrder, listedIds, orderings } from "./list.sql.ts";
import { isListed } from "./inventory-count.sql.ts";
import { forSale } from "./price.sql.ts";
import type { Category, Product } from "./product.ts";
import { products } from "./product.tables.ts";

const RELATED_LIMIT = 4;
/** More than there are colors. */
const COLORS_LIMIT = 12;
const SLUG = /^[a-z0-9-]+$/;

/** A part of the list, and how many products there are in all. */
export type ProductList = { products: Product[]; count: number; hasMore: boolean };

/**
 * One page of the products that pass every filter, in the order asked for; `page` counts from 1. Bounds and order go by the
 * price a shopper pays now, the early-bird price included.
 */
export async function listProducts(db: Database, filters: Filters, page = 1): Promise<ProductList> {
  const offset = (page - 1) * PAGE_SIZE;
  const [found, { rows }] = await Promise.all([
    db
      .select(forSale)
      .from(products)
      .where(sql`${products.id} IN (${listedIds(filters, offset, PAGE_SIZE)})`)
      .orderBy(...orderings[filters.sort]),
    db.execute<{ count: number }>(countOfListed(filters)),
  ]);
  const count = rows[0]?.count ?? 0;
  return { products: found, count, hasMore: found.length > 0 && count > offset + found.length };
}

/** The product of a slug, one that is sold no more included; null where there is none. */
export async function getProduct(db: Database, slug: string): Promise<Product | null> {
  if (!SLUG.test(slug)) return null;
  const rows = await db.select(forSale).from(products).where(eq(products.slug, slug)).limit(1);
  return rows[0] ?? null;
}

/** When a product last changed by hand, and when its early-bird price ends or ended. */
export type ProductDates = { slug: string; updatedAt: Date; earlyBirdEndDate: Date | null };

/** The dates of `limit` products after the first `offset`, by slug, for those who go through all of them. */
export async function listProductDates(db: Database, offset: number, limit: number): Promise<ProductDates[]> {
  const { slug, updatedAt, earlyBirdEndDate } = products;
  return db
    .select({ slug, updatedAt, earlyBirdEndDate })
    .from(products)
    .where(isListed)
    .orderBy(asc(slug))
    .limit(limit)
    .offset(offset);
}

/** How many products there are. */
export async function countProducts(db: Database): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(countOfListed(parseFilters(new URLSearchParams())));
  return rows[0]?.count ?? 0;
}

export type FedProduct = Product & { /** There are other colors of its model. */ hasSiblings: boolean };

/** The `limit` products after a slug, by slug: whoever needs them all asks again with the last one. */
export async function listProductsAfter(db: Database, slug: string, limit: number): Promise<FedProduct[]> {
  const hasSiblings = sql<boolean>`EXISTS (SELECT FROM products AS other WHERE other.category = products.category
    AND other.model = products.model AND other.id <> products.id AND other.retired_at IS NULL)`;
  return db
    .select({ ...forSale, hasSiblings })
    .from(products)
    .where(and(isListed, gt(products.slug, slug)))
    .orderBy(asc(products.slug))
    .limit(limit);
}

/** A product's page: the product, its model in every color, and what else a shopper may like. */
export type ProductPage = {
  product: Product;
  /** The same model in each of its colors, this one included, in the catalog's order. */
  colors: Pick<Product, "slug" | "colorVariant" | "colorHex">[];
  /** Up to four other products of the same category, featured first. */
  related: Product[];
};

const category = sql`(SELECT category FROM products WHERE slug = ${sql.placeholder("slug")})`;

/** What one page shows and nothing else of the category. */
const pageOfSlug = prepared((db) =>
  db
    .select(forSale)
    .from(products)
    .where(
      sql`${products.id} IN (
        (SELECT id FROM products WHERE slug = ${sql.placeholder("slug")})
        UNION (SELECT id FROM products WHERE category = ${category}
          AND model = (SELECT model FROM products WHERE slug = ${sql.placeholder("slug")})
          AND retired_at IS NULL ORDER BY ${inCatalogOrder} LIMIT ${COLORS_LIMIT})
        UNION (SELECT id FROM products WHERE category = ${category} AND slug <> ${sql.placeholder("slug")}
          AND retired_at IS NULL ORDER BY ${inCatalogOrder} LIMIT ${RELATED_LIMIT}))`,
    )
    .orderBy(...featuredFirst)
    .prepare("page_of_slug"),
);

/** Everything the page of a slug shows, in one statement; null where there is no such product. */
export async function getProductPage(db: Database, slug: string): Promise<ProductPage | null> {
  if (!SLUG.test(slug)) return null;
  const found = await pageOfSlug(db).execute({ slug });
  const product = found.find((each) => each.slug === slug);
  if (!product) return null;
  return {
    product,
    colors: found
      .filter(({ model }) => model === product.model)
      .map(({ slug, colorVariant, colorHex }) => ({ slug, colorVariant, colorHex })),
    related: found.filter(({ id }) => id !== product.id).slice(0, RELATED_LIMIT),
  };
}

/** The first product of a category in each of its colors, in the catalog's order; of the featured ones where so asked. */
export async function listColors(db: Database, category: Category, onlyFeatured = false): Promise<Product[]> {
  const first = sql`SELECT (SELECT id FROM products WHERE category = ${category} AND color_variant = color
      AND retired_at IS NULL ${onlyFeatured ? sql`AND featured` : sql``} ORDER BY ${inCatalogOrder} LIMIT 1)
    FROM (SELECT name AS color FROM colors) AS colors`;
  return db
    .select(forSale)
    .from(products)
    .where(sql`${products.id} IN (${first})`)
    .orderBy(...featuredFirst);
}

/** What a link to each of these products shows, in the order asked for; unknown slugs are left out. */
export async function listProductsBySlug(
  db: Database,
  slugs: string[],
): Promise<Pick<Product, "slug" | "name" | "shortDescription" | "thumbnail">[]> {
  const { slug, name, shortDescription, thumbnail } = products;
  const rows = await db
    .select({ slug, name, shortDescription, thumbnail })
    .from(products)
    .where(and(isListed, inArray(products.slug, slugs)));
  return slugs.flatMap((wanted) => rows.find((row) => row.slug === wanted) ?? []);
}
