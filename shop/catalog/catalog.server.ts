/** What is for sale, as a shopper asks for it. */
import { and, asc, desc, eq, gte, inArray, lte, ne, or, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { PRICE_RANGE, type Filters } from "./filters.ts";
import { currentPrice } from "./price.sql.ts";
import type { Product } from "./product.ts";
import { products } from "./product.tables.ts";

export const RELATED_LIMIT = 4;

const inStock = and(eq(products.isAvailable, true), sql`${products.inventoryCount} > 0`);
const outOfStock = or(eq(products.isAvailable, false), eq(products.inventoryCount, 0));
const featuredFirst = [desc(products.featured), desc(products.createdAt), asc(products.name)];

const orderings = {
  featured: featuredFirst,
  "price-asc": [asc(currentPrice), ...featuredFirst],
  "price-desc": [desc(currentPrice), ...featuredFirst],
  newest: [desc(products.createdAt), asc(products.name)],
};

/**
 * The products that pass every filter, in the order asked for (SPEC 7, product list). Bounds and
 * order go by the price a shopper pays now, the early-bird price included.
 */
export async function listProducts(db: Database, filters: Filters): Promise<Product[]> {
  const { colors, categories, availability, minPrice, maxPrice, sort } = filters;
  return db
    .select()
    .from(products)
    .where(
      and(
        colors.length > 0 ? inArray(products.colorVariant, colors) : undefined,
        categories.length > 0 ? inArray(products.category, categories) : undefined,
        availability.length > 0
          ? or(availability.includes("in-stock") ? inStock : undefined, availability.includes("out-of-stock") ? outOfStock : undefined)
          : undefined,
        minPrice > PRICE_RANGE.min ? gte(currentPrice, minPrice * 100) : undefined,
        maxPrice < PRICE_RANGE.max ? lte(currentPrice, maxPrice * 100) : undefined,
      ),
    )
    .orderBy(...orderings[sort]);
}

/** One product by its slug, or null. */
export async function getProduct(db: Database, slug: string): Promise<Product | null> {
  const [product] = await db.select().from(products).where(eq(products.slug, slug)).limit(1);
  return product ?? null;
}

/** Up to four other products of the same category, featured first. */
export async function listRelatedProducts(db: Database, product: Pick<Product, "id" | "category">): Promise<Product[]> {
  return db
    .select()
    .from(products)
    .where(and(eq(products.category, product.category), ne(products.id, product.id)))
    .orderBy(...featuredFirst)
    .limit(RELATED_LIMIT);
}

/** The products shown in home's shop window: the featured ones, one a color. */
export async function listFeaturedProducts(db: Database): Promise<Product[]> {
  return db.select().from(products).where(eq(products.featured, true)).orderBy(...featuredFirst);
}
