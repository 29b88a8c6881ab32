/** Catalog queries of the storefront. */
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, min, not, sql, type SQL } from "drizzle-orm";
import { type Database, prepared } from "#db/connection.server.ts";
import { AVAILABILITIES, type Availability, type Filters, PAGE_SIZE, PRICE_RANGE } from "./filters.ts";
import { currentPrice, featuredFirst, forSale, inCatalogOrder, isInStock } from "./product.sql.ts";
import { products } from "./product.tables.ts";
import { CATEGORIES, type Category, type Product, type ProductColor } from "./product.ts";

const RELATED_LIMIT = 4;
const ACCESSORIES_LIMIT = 4;
const COLORS_LIMIT = 12;
const SLUG = /^[a-z0-9-]+$/;

const isListed = isNull(products.retiredAt);

const orderings = {
  featured: featuredFirst,
  "price-asc": [asc(currentPrice), ...featuredFirst],
  "price-desc": [desc(currentPrice), ...featuredFirst],
  newest: featuredFirst.slice(1),
};

/** SQL condition of the filters. Both availabilities together, or a price at an end of the range, filter nothing. */
function passes(filters: Filters): SQL | undefined {
  const { colors, categories, availability } = filters;
  const stock = { "in-stock": isInStock, "out-of-stock": not(isInStock) };
  const [one, other] = availability;
  return and(
    isListed,
    colors.length > 0 ? inArray(products.colorVariant, colors) : undefined,
    categories.length > 0 ? inArray(products.category, categories) : undefined,
    one && !other ? stock[one] : undefined,
    inPriceRange(filters),
  );
}

const inPriceRange = ({ minPrice, maxPrice }: Filters): SQL | undefined =>
  and(
    minPrice > PRICE_RANGE.min ? gte(currentPrice, minPrice * 100) : undefined,
    maxPrice < PRICE_RANGE.max ? lte(currentPrice, maxPrice * 100) : undefined,
  );

export type Facets = {
  colors: Record<string, number>;
  categories: Record<Category, number>;
  availability: Record<Availability, number>;
  prices: { lowest: number; highest: number } | null;
};

/** Counts the products that each filter shows together with the others; prices are the whole range, in cents. */
export async function countFacets(db: Database, filters: Filters, colors: readonly string[]): Promise<Facets> {
  const { colorVariant: color, category } = products;
  const groups = await db
    .select({
      color,
      category,
      isInStock: sql<boolean>`${isInStock}`,
      count: sql<number>`count(*) FILTER (WHERE ${inPriceRange(filters) ?? sql`true`})`.mapWith(Number),
      lowest: sql<number>`min(${currentPrice})`,
      highest: sql<number>`max(${currentPrice})`,
    })
    .from(products)
    .where(isListed)
    .groupBy(color, category, isInStock);
  const isChosen = (chosen: readonly string[], value: string | null) =>
    chosen.length === 0 || (value !== null && chosen.includes(value));
  const countWith = (part: Partial<Filters>) => {
    const { colors, categories, availability } = { ...filters, ...part };
    return groups
      .filter((one) => isChosen(colors, one.color) && isChosen(categories, one.category))
      .filter((one) => isChosen(availability, one.isInStock ? "in-stock" : "out-of-stock"))
      .reduce((sum, one) => sum + one.count, 0);
  };
  const countEach = <T extends string>(all: readonly T[], part: (one: T) => Partial<Filters>) =>
    Object.fromEntries(all.map((one) => [one, countWith(part(one))])) as Record<T, number>;
  return {
    colors: countEach(colors, (one) => ({ colors: [one] })),
    categories: countEach(CATEGORIES, (one) => ({ categories: [one] })),
    availability: countEach(AVAILABILITIES, (one) => ({ availability: [one] })),
    prices:
      groups.length === 0
        ? null
        : {
            lowest: Math.min(...groups.map((one) => one.lowest)),
            highest: Math.max(...groups.map((one) => one.highest)),
          },
  };
}

export type ProductList = {
  products: Product[];
  count: number;
  hasMore: boolean;
  /** The next end among all listed products, since it may change which ones are on the page. */
  nextEarlyBirdEnd: Date | null;
};

/**
 * Returns a page of filtered and sorted products; `page` counts from 1. Price bounds and order use the current price.
 */
export async function listProducts(db: Database, filters: Filters, page = 1): Promise<ProductList> {
  const offset = (page - 1) * PAGE_SIZE;
  const order = orderings[filters.sort];
  // Ids are sorted first, because whole rows are wide.
  const ids = db
    .select({ id: products.id, count: sql<number>`count(*) OVER ()`.mapWith(Number).as("count") })
    .from(products)
    .where(passes(filters))
    .orderBy(...order)
    .limit(PAGE_SIZE)
    .offset(offset)
    .as("ids");
  const { earlyBirdEndDate } = products;
  const next = db
    .select({ end: min(earlyBirdEndDate).as("end") })
    .from(products)
    .where(and(isListed, gt(earlyBirdEndDate, sql`statement_timestamp()`)))
    .as("next");
  // An empty page has one row, with the end alone.
  const rows = await db
    .select({ product: forSale, count: ids.count, nextEarlyBirdEnd: next.end })
    .from(next)
    .leftJoin(ids, sql`true`)
    .leftJoin(products, eq(products.id, ids.id))
    .orderBy(...order);
  const found = rows.flatMap(({ product }) => product ?? []);
  // A page beyond the last has no product to count in.
  const count = rows[0]?.count ?? (page > 1 ? await db.$count(products, passes(filters)) : 0);
  return {
    products: found,
    count,
    hasMore: count > offset + found.length,
    nextEarlyBirdEnd: rows[0]?.nextEarlyBirdEnd ?? null,
  };
}

const asColor = ({ slug, colorVariant, colorHex }: ProductColor): ProductColor => ({ slug, colorVariant, colorHex });

/** Returns the colors of each model of some products, by product id, in catalog order. */
export async function listModelColors(
  db: Database,
  of: readonly Pick<Product, "id" | "category" | "model">[],
): Promise<Map<string, ProductColor[]>> {
  const { slug, category, model, colorVariant } = products;
  const models = of.map((product) => product.model);
  const rows = await db
    .select({ slug, category, model, colorVariant, colorHex: forSale.colorHex })
    .from(products)
    .where(and(isListed, isNotNull(colorVariant), inArray(model, models)))
    .orderBy(...featuredFirst);
  const colorsOf = (product: (typeof of)[number]) =>
    rows
      .filter((row) => row.category === product.category && row.model === product.model)
      .slice(0, COLORS_LIMIT)
      .map(asColor);
  return new Map(of.map((product) => [product.id, colorsOf(product)]));
}

/** Returns a product by slug, including retired ones; null if there is none. */
export async function getProduct(db: Database, slug: string): Promise<Product | null> {
  if (!SLUG.test(slug)) return null;
  const rows = await db.select(forSale).from(products).where(eq(products.slug, slug)).limit(1);
  return rows[0] ?? null;
}

export type ProductDates = { slug: string; updatedAt: Date; earlyBirdEndDate: Date | null };

export async function listProductDates(db: Database): Promise<ProductDates[]> {
  const { slug, updatedAt, earlyBirdEndDate } = products;
  return db.select({ slug, updatedAt, earlyBirdEndDate }).from(products).where(isListed).orderBy(asc(slug));
}

export type FeedProduct = Product & { hasSiblings: boolean };

/** Returns all listed products, each with whether its model has other colors. */
export async function listFeedProducts(db: Database): Promise<FeedProduct[]> {
  const hasSiblings = sql<boolean>`EXISTS (SELECT FROM products AS other WHERE other.category = products.category
    AND other.model = products.model AND other.id <> products.id AND other.retired_at IS NULL)`;
  return db
    .select({ ...forSale, hasSiblings })
    .from(products)
    .where(isListed)
    .orderBy(asc(products.slug));
}

type ProductPage = {
  product: Product;
  /** The model in every color, including this one, in catalog order. */
  colors: ProductColor[];
  related: Product[];
  /** The Classic of a Pro and the Pro of a Classic, in the same color if there is one. */
  counterpart: Product | null;
  /** Accessories in stock, for a bowl; every accessory fits both. */
  accessories: Product[];
};

const ofSlug = (column: SQL) => sql`(SELECT ${column} FROM products WHERE slug = ${sql.placeholder("slug")})`;
const category = ofSlug(sql`category`);

const pageOfSlug = prepared((db) =>
  db
    .select(forSale)
    .from(products)
    .where(
      sql`${products.id} IN (
        (SELECT id FROM products WHERE slug = ${sql.placeholder("slug")})
        UNION (SELECT id FROM products WHERE category = ${category}
          AND model = ${ofSlug(sql`model`)}
          AND retired_at IS NULL ORDER BY ${inCatalogOrder} LIMIT ${COLORS_LIMIT})
        UNION (SELECT id FROM products WHERE category = ${category} AND slug <> ${sql.placeholder("slug")}
          AND retired_at IS NULL ORDER BY ${inCatalogOrder} LIMIT ${RELATED_LIMIT})
        UNION (SELECT id FROM products WHERE category = CASE ${category} WHEN 'Pro' THEN 'Classic' WHEN 'Classic' THEN 'Pro' END
          AND retired_at IS NULL ORDER BY color_variant = ${ofSlug(sql`color_variant`)} DESC NULLS LAST, ${inCatalogOrder} LIMIT 1)
        UNION (SELECT id FROM products WHERE category = 'Accessories' AND ${category} <> 'Accessories'
          AND retired_at IS NULL AND ${isInStock} ORDER BY ${inCatalogOrder} LIMIT ${ACCESSORIES_LIMIT}))`,
    )
    .orderBy(...featuredFirst)
    .prepare("page_of_slug"),
);

/** Returns the content of a product page in one statement; null if there is no such product. */
export async function getProductPage(db: Database, slug: string): Promise<ProductPage | null> {
  if (!SLUG.test(slug)) return null;
  const found = await pageOfSlug(db).execute({ slug });
  const product = found.find((each) => each.slug === slug);
  if (!product) return null;
  const isBowl = product.category !== "Accessories";
  const others = found.filter(({ id }) => id !== product.id);
  const sameCategory = others.filter(({ category }) => category === product.category);
  return {
    product,
    colors: found
      .filter(({ category, model }) => category === product.category && model === product.model)
      .map(asColor),
    related: sameCategory.slice(0, RELATED_LIMIT),
    counterpart: others.find(({ category }) => category !== "Accessories" && category !== product.category) ?? null,
    accessories: isBowl ? others.filter(({ category }) => category === "Accessories") : [],
  };
}

/** First product of a category in each color, in catalog order; optionally only featured ones. */
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

/** Returns link data of products in the given order; unknown slugs are left out. */
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

/** Returns the id of the best match; null if none. */
export async function findProductByName(db: Database, typed: string): Promise<string | null> {
  const text = typed.toLowerCase();
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM products WHERE lower(name) = ${text} OR slug = ${text} OR starts_with(lower(name), ${text})
    ORDER BY lower(name) = ${text} OR slug = ${text} DESC, name, id LIMIT 1`);
  return rows[0]?.id ?? null;
}

/** Accessories, which can also be sent as parts of a bowl. */
export const listParts = (db: Database): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(and(eq(products.category, "Accessories"), isNull(products.retiredAt)))
    .orderBy(asc(products.name));
