/** What is for sale, as a shopper asks for it. */
import { and, asc, desc, eq, gte, inArray, lte, not, or, sql } from "drizzle-orm";
import { prepared, type Database } from "../../db/connection.server.ts";
import { isInStock } from "./inventory-count.sql.ts";
import { PRICE_RANGE, type Filters } from "./filters.ts";
import { currentPrice, forSale } from "./price.sql.ts";
import { isSameModel, type Product } from "./product.ts";
import { products } from "./product.tables.ts";

export const RELATED_LIMIT = 4;
const SLUG = /^[a-z0-9-]+$/;

const featuredFirst = [desc(products.featured), desc(products.createdAt), asc(products.name)];

const orderings = {
  featured: featuredFirst,
  "price-asc": [asc(currentPrice), ...featuredFirst],
  "price-desc": [desc(currentPrice), ...featuredFirst],
  newest: [desc(products.createdAt), asc(products.name)],
};

/**
 * The products that pass every filter, in the order asked for. Bounds and
 * order go by the price a shopper pays now, the early-bird price included.
 */
export async function listProducts(db: Database, filters: Filters): Promise<Product[]> {
  const { colors, categories, availability, minPrice, maxPrice, sort } = filters;
  return db
    .select(forSale)
    .from(products)
    .where(
      and(
        colors.length > 0 ? inArray(products.colorVariant, colors) : undefined,
        categories.length > 0 ? inArray(products.category, categories) : undefined,
        availability.length > 0
          ? or(
              availability.includes("in-stock") ? isInStock : undefined,
              availability.includes("out-of-stock") ? not(isInStock) : undefined,
            )
          : undefined,
        minPrice > PRICE_RANGE.min ? gte(currentPrice, minPrice * 100) : undefined,
        maxPrice < PRICE_RANGE.max ? lte(currentPrice, maxPrice * 100) : undefined,
      ),
    )
    .orderBy(...orderings[sort]);
}

/** The product of a slug; null where there is none. */
export async function getProduct(db: Database, slug: string): Promise<Product | null> {
  if (!SLUG.test(slug)) return null;
  const rows = await db.select(forSale).from(products).where(eq(products.slug, slug)).limit(1);
  return rows[0] ?? null;
}

/** When each product last changed by hand, and when its early-bird price ends or ended. */
export async function listProductDates(
  db: Database,
): Promise<{ slug: string; updatedAt: Date; earlyBirdEndDate: Date | null }[]> {
  const { slug, updatedAt, earlyBirdEndDate } = products;
  return db
    .select({ slug, updatedAt, earlyBirdEndDate })
    .from(products)
    .orderBy(...featuredFirst);
}

/** A product's page: the product, its model in every color, and what else a shopper may like. */
export type ProductPage = {
  product: Product;
  /** The same model in each of its colors, this one included, in the catalog's order. */
  colors: Pick<Product, "slug" | "colorVariant">[];
  /** Up to four other products of the same category, featured first. */
  related: Product[];
};

const categoryOfSlug = prepared((db) =>
  db
    .select(forSale)
    .from(products)
    .where(sql`${products.category} = (SELECT category FROM products WHERE slug = ${sql.placeholder("slug")})`)
    .orderBy(...featuredFirst)
    .prepare("category_of_slug"),
);

/** Everything the page of a slug shows, in one statement; null where there is no such product. */
export async function getProductPage(db: Database, slug: string): Promise<ProductPage | null> {
  if (!SLUG.test(slug)) return null;
  const category = await categoryOfSlug(db).execute({ slug });
  const found = category.find((product) => product.slug === slug);
  if (!found) return null;
  return {
    product: found,
    colors: category
      .filter((other) => isSameModel(other, found))
      .map(({ slug, colorVariant }) => ({ slug, colorVariant })),
    related: category.filter((other) => other.id !== found.id).slice(0, RELATED_LIMIT),
  };
}

/** The products shown in home's shop window: the featured ones, one a color. */
export async function listFeaturedProducts(db: Database): Promise<Product[]> {
  return db
    .select(forSale)
    .from(products)
    .where(eq(products.featured, true))
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
    .where(inArray(products.slug, slugs));
  return slugs.flatMap((wanted) => rows.find((row) => row.slug === wanted) ?? []);
}
