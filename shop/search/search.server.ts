/** PostgreSQL full-text search of products and texts, with spelling correction. */
import { eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { forSale, inCatalogOrder } from "#shop/catalog/product.sql.ts";
import type { Product } from "#shop/catalog/product.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { availabilityNote, unitsLeft } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import type { TextDocument } from "./documents.server.ts";
import type { Result, SearchResponse } from "./result.ts";
import { searchDocuments as documents } from "./search.tables.ts";
import { excerpt, isTypo, isPrefix, mark, wordsOf } from "./words.ts";

const MAX_RESULTS = 24;
const MAX_MENTIONS = 100;

/** Replaces the searchable texts. Safe if several processes start at once. */
export const fillSearch = (db: Database, texts: TextDocument[]): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE ${documents} IN SHARE ROW EXCLUSIVE MODE`);
    await tx.delete(documents).where(isNull(documents.productId));
    await tx.insert(documents).values(texts);
  });

/**
 * Returns results, products first if their name matches, legal texts that only mention the words last. All words must
 * match, or any of them if nothing has all. Misspelled words are corrected if that finds more, or a product's name.
 */
export async function searchShop(db: Database, query: string): Promise<SearchResponse> {
  const words = wordsOf(query);
  if (words.length === 0) return { results: [], corrected: null };
  const asTyped = await find(db, words);
  if (asTyped.namesProduct) return { results: asTyped.results, corrected: null };

  const corrected = await correct(db, words);
  if (corrected.join() !== words.join()) {
    const asMeant = await find(db, corrected);
    if (asMeant.namesProduct || (!asTyped.hasAll && asMeant.results.length > 0))
      return { results: asMeant.results, corrected: corrected.join(" ") };
  }
  return { results: asTyped.results, corrected: null };
}

type Found = { results: Result[]; hasAll: boolean; namesProduct: boolean };

async function find(db: Database, words: string[]): Promise<Found> {
  const all = await match(db, words, "&");
  if (all.results.length > 0) return { ...all, hasAll: true };
  return { ...(words.length > 1 ? await match(db, words, "|") : all), hasAll: false };
}

async function match(db: Database, words: string[], operator: "&" | "|"): Promise<Omit<Found, "hasAll">> {
  const prefixes = words.map((word) => (isPrefix(word, words) ? `${word}:*` : word));
  const english = (query: string) => sql`to_tsquery('english', ${query})`;
  const [every, exactly] = [english(prefixes.join("&")), english(words.join("&"))];
  // Stop words are dropped from a query; a query of stop words alone searches titles.
  const inTitles = sql`to_tsquery('simple', ${words.map((word) => `${word}:*A`).join("&")})`;
  const query = sql`coalesce(nullif(${english(prefixes.join(operator))}, ''), ${inTitles})`;
  const isNamed = (by: SQL) => sql`(product_id IS NOT NULL AND ts_filter(words, '{a,b}') @@ ${by})`;
  const isTitled = (by: SQL) => sql`ts_filter(words, '{a}') @@ ${by}`;
  const tier = sql<number>`CASE
    WHEN ${isNamed(every)} AND ${isTitled(exactly)} THEN 0
    WHEN ${isNamed(every)} THEN 1
    WHEN ${isTitled(every)} THEN 2
    WHEN kind <> 'policy' THEN 3
    ELSE 4 END`;
  const named = (by: SQL) => sql`(SELECT d.id FROM search_documents d JOIN products ON products.id = d.product_id
    WHERE ${isNamed(by)} ORDER BY ${inCatalogOrder} LIMIT ${MAX_RESULTS})`;
  // Products that only mention the words are limited.
  const candidates = sql`${named(exactly)} UNION ${named(every)}
    UNION SELECT id FROM search_documents WHERE product_id IS NULL AND words @@ ${query}
    UNION (SELECT id FROM search_documents WHERE words @@ ${query} LIMIT ${MAX_MENTIONS})`;
  const { id, kind, title, place, body, path } = documents;
  const rows = await db
    .select({
      document: { id, kind, title, place, body, path },
      product: forSale,
      tier: tier.as("tier"),
      // Questions about every bowl link to the first bowl's page.
      firstPath: sql<string>`'/product/' || (SELECT slug FROM products WHERE category <> 'Accessories' ORDER BY ${inCatalogOrder} LIMIT 1) || '#faqs'`,
      significant: sql<string[]>`ARRAY(SELECT word FROM unnest(${sql.param(words)}::text[]) AS word
        WHERE numnode(to_tsquery('english', word)) > 0)`,
    })
    .from(documents)
    .leftJoin(products, eq(products.id, documents.productId))
    .where(sql`${documents.id} IN (${candidates})`)
    .orderBy(
      sql`tier, CASE WHEN ${isNamed(every)} THEN 0 ELSE ts_rank(words, ${query}) END DESC`,
      sql`${products.featured} DESC NULLS LAST, ${products.createdAt} DESC NULLS LAST`,
      id,
    )
    .limit(MAX_RESULTS);
  const marked = rows[0]?.significant.length ? rows[0].significant : words;
  return {
    namesProduct: rows.some((row) => row.tier < 2),
    results: rows.map(({ document, product, firstPath }) => ({
      id: document.id,
      kind: document.kind,
      path: product ? `/product/${product.slug}` : (document.path ?? firstPath ?? "/support"),
      title: mark(document.title, marked),
      place: product ? "" : document.place,
      excerpt: product ? mark(product.shortDescription, marked) : excerpt(document.body, marked),
      product: product && offer(product),
    })),
  };
}

function offer(product: Product): Result["product"] {
  const { thumbnail, priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const inStock = unitsLeft(product) > 0;
  const note = availabilityNote(product, clock.now());
  return { thumbnail, priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate, inStock, note };
}

/** Replaces unknown words by the nearest known ones, words of product names first. */
async function correct(db: Database, words: string[]): Promise<string[]> {
  const { rows } = await db.execute<{ typed: string; known: string; edits: number }>(sql`
    SELECT typed, word AS known, levenshtein(word, typed) AS edits
    FROM unnest(${sql.param(words)}::text[]) AS typed JOIN search_words ON levenshtein_less_equal(word, typed, 2) <= 2
    WHERE typed ~ '^[a-z]{4,}$' AND numnode(to_tsquery('english', typed)) > 0
      AND NOT EXISTS (SELECT FROM search_words AS same WHERE same.word = typed)
    ORDER BY in_product_name DESC, edits, word`);
  const likely = rows.filter(({ typed, known, edits }) => isTypo(typed, known, edits));
  return words.map((word) => likely.find(({ typed }) => typed === word)?.known ?? word);
}
