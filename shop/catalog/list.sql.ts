/** Which products pass the filters of the list, and in what order, as SQL that indexes serve among any number of them. */
import { and, asc, desc, eq, inArray, or, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { PRICE_RANGE, type Filters } from "./filters.ts";
import { isListed, isNotSoldOut, isSoldOut } from "./inventory-count.sql.ts";
import { currentPrice, isEarly } from "./price.sql.ts";
import { CATEGORIES } from "./product.ts";
import { productCounts, products, soldOutCounts } from "./product.tables.ts";

/** The catalog's own order. It ends in the id, as every order does: of two that are alike, one always comes first. */
export const featuredFirst = [desc(products.featured), desc(products.createdAt), asc(products.name), asc(products.id)];

const by = (terms: SQL[]) => sql.join(terms, sql`, `);

/** The same, for an ORDER BY. */
export const inCatalogOrder = by(featuredFirst);

export const orderings = {
  featured: featuredFirst,
  "price-asc": [asc(currentPrice), ...featuredFirst],
  "price-desc": [desc(currentPrice), ...featuredFirst],
  newest: featuredFirst.slice(1),
};

/** What is paid by each product, as two sets with a column each: only columns have an index and statistics. */
const paysEarly = sql`(${products.earlyBirdPriceCents} IS NOT NULL AND ${isEarly})`;
const countedEarly = sql`(${productCounts.earlyBirdPriceStep} IS NOT NULL
  AND ${productCounts.earlyBirdEndDate} > statement_timestamp())`;
const PAYING = [
  { price: products.earlyBirdPriceCents, where: paysEarly, counted: countedEarly },
  { price: products.priceCents, where: sql`${paysEarly} IS NOT TRUE`, counted: sql`${countedEarly} IS NOT TRUE` },
];

/** Bounds of a price, in `unit`s of a dollar. At either end of the range there is none. */
function withinPrices({ minPrice, maxPrice }: Filters, price: AnyColumn | SQL, unit: number): SQL | undefined {
  return and(
    minPrice > PRICE_RANGE.min ? sql`${price} >= ${minPrice * unit}` : undefined,
    maxPrice < PRICE_RANGE.max ? sql`${price} <= ${maxPrice * unit}` : undefined,
  );
}

type Counts = typeof productCounts | typeof soldOutCounts;

const ofKind = ({ colors, categories }: Filters, kind: typeof products | Counts) =>
  and(
    colors.length > 0 ? inArray(kind.colorVariant, colors) : undefined,
    categories.length > 0 ? inArray(kind.category, categories) : undefined,
  );

/** Which of the two is asked for, where not both are. */
const wantedStock = ({ availability: [first, second] }: Filters) => (second ? undefined : first);
const ofStock = (filters: Filters) =>
  ({ "in-stock": isNotSoldOut, "out-of-stock": isSoldOut, any: undefined })[wantedStock(filters) ?? "any"];

const priced = (filters: Filters) =>
  withinPrices(filters, products.priceCents, 100) &&
  or(...PAYING.map(({ price, where }) => and(where, withinPrices(filters, price, 100))));

/** The ids of `limit` products after the first `offset`, as a subquery. */
export function listedIds(filters: Filters, offset: number, limit: number): SQL {
  const passes = and(isListed, ofKind(filters, products), ofStock(filters));
  const { sort } = filters;
  if (sort === "featured" || sort === "newest") {
    return sql`SELECT id FROM products WHERE ${and(passes, priced(filters))} ORDER BY ${by(orderings[sort])} LIMIT ${limit} OFFSET ${offset}`;
  }
  // A price says much about the category: in one index of all prices, those of another category would stand in the way. A set
  // of which there is no product is not looked through to its end.
  const direction = sort === "price-asc" ? asc : desc;
  const branches = (filters.categories.length > 0 ? filters.categories : CATEGORIES).flatMap((category) =>
    PAYING.map(({ price, where, counted }) => {
      const hasSome = and(counted, ofKind({ ...filters, categories: [category] }, productCounts));
      return sql`(
        SELECT ${price} AS paid, featured, created_at, name, id FROM products
        WHERE EXISTS (SELECT FROM product_counts WHERE ${hasSome})
          AND ${and(where, eq(products.category, category), passes, withinPrices(filters, price, 100))}
        ORDER BY ${by([direction(price), ...featuredFirst])} LIMIT ${offset + limit})`;
    }),
  );
  return sql`SELECT id FROM (${sql.join(branches, sql` UNION ALL `)}) AS products
    ORDER BY ${direction(sql`paid`)}, ${inCatalogOrder} LIMIT ${limit} OFFSET ${offset}`;
}

/** How many products of the filters' kinds a table counts. */
function countIn(counts: Counts, filters: Filters): SQL {
  const { earlyBirdEndDate, earlyBirdPriceStep, priceStep } = counts;
  const step = sql`coalesce(CASE WHEN ${earlyBirdEndDate} > statement_timestamp() THEN ${earlyBirdPriceStep} END, ${priceStep})`;
  const where = and(ofKind(filters, counts), withinPrices(filters, step, 2 / PRICE_RANGE.step)) ?? sql`true`;
  return sql`(SELECT coalesce(sum(products), 0) FROM ${counts} WHERE ${where})`;
}

/** How many products pass the filters, as one row. What is sold out is counted one by one while a change is uncounted. */
export function countOfListed(filters: Filters): SQL {
  const all = countIn(productCounts, filters);
  const soldOut = sql`CASE WHEN EXISTS (SELECT FROM sold_out_changes)
    THEN (SELECT count(*) FROM products WHERE ${and(isSoldOut, isListed, ofKind(filters, products), priced(filters))})
    ELSE ${countIn(soldOutCounts, filters)} END`;
  const counts = { any: all, "in-stock": sql`${all} - ${soldOut}`, "out-of-stock": soldOut };
  return sql`SELECT (${counts[wantedStock(filters) ?? "any"]})::int AS count`;
}
