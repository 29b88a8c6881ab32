/** Finds products, pages, posts, questions and policies by what a shopper types. */
import { and, eq, isNull, notInArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { featuredFirst } from "../catalog/list.sql.ts";
import { forSale } from "../catalog/price.sql.ts";
import type { Product } from "../catalog/product.ts";
import { products } from "../catalog/product.tables.ts";
import { unitsLeft } from "../catalog/stock.ts";
import type { TextDocument } from "./documents.server.ts";
import type { SearchResponse, Result } from "./result.ts";
import { isSampled, searchDocuments as documents } from "./search.tables.ts";
import { excerpt, mark, mayGoOn, wordsOf } from "./words.ts";

const MAX_RESULTS = 24;
/** How many products are compared with each other where more match; those that are named so come first. */
const MAX_COMPARED = 48;

/** Makes the texts that can be found exactly these. Safe when several processes start at once. */
export async function fillSearch(db: Database, texts: TextDocument[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE ${documents} IN SHARE ROW EXCLUSIVE MODE`);
    const ids = texts.map(({ id }) => id);
    await tx.delete(documents).where(and(isNull(documents.productId), notInArray(documents.id, ids)));
    const { kind, path, title, place, body } = documents;
    const excluded = (column: { name: string }) => sql.raw(`excluded.${column.name}`);
    await tx
      .insert(documents)
      .values(texts)
      .onConflictDoUpdate({
        target: documents.id,
        set: {
          kind: excluded(kind),
          path: excluded(path),
          title: excluded(title),
          place: excluded(place),
          body: excluded(body),
        },
        setWhere: sql`(${kind}, ${path}, ${title}, ${place}, ${body})
          IS DISTINCT FROM (excluded.kind, excluded.path, excluded.title, excluded.place, excluded.body)`,
      });
  });
}

/**
 * What matches, products first where their name does. All words count where something has them all,
 * else any; a word that seems misspelled is corrected where that finds more, or a product's name.
 */
export async function searchShop(db: Database, query: string): Promise<SearchResponse> {
  const words = wordsOf(query);
  if (words.length === 0) return { results: [], corrected: null };
  const asTyped = await find(db, words);
  if (asTyped.productIsNamed) return { results: asTyped.results, corrected: null };

  const meant = await correct(db, words);
  if (meant.join() !== words.join()) {
    const asMeant = await find(db, meant);
    const isBetter = asMeant.productIsNamed || (!asTyped.hasAll && asMeant.results.length > 0);
    if (isBetter) return { results: asMeant.results, corrected: meant.join(" ") };
  }
  return { results: asTyped.results, corrected: null };
}

type Found = { results: Result[]; hasAll: boolean; productIsNamed: boolean };

async function find(db: Database, words: string[]): Promise<Found> {
  const askedOnce = askedFor(db, words);
  // As scalars, known before a row is read: that is what lets the index be used.
  const [every, some, exactly] = ["every", "some", "exactly"].map(
    (name) => sql`(SELECT ${sql.identifier(name)} FROM asked)`,
  ) as [SQL, SQL, SQL];
  const query = sql`(SELECT query FROM wanted)`;
  // Those that have the words of which the sample has next to none: few, and found without the long lists of the other words.
  const withRare = db.$with("with_rare").as(
    db
      .select({ id: documents.id, words: documents.words })
      .from(documents)
      .where(matches(sql`(SELECT rare FROM asked)`)),
  );
  // What has all the words leaves out all else. The last that is asked for takes the longest.
  const someHasAll = sql`EXISTS (SELECT FROM search_documents WHERE ${isSampled} AND ${matches(every)})
    OR EXISTS (SELECT FROM search_documents WHERE product_id IS NULL AND ${matches(every)})
    OR EXISTS (SELECT FROM with_rare WHERE ${matches(every)})
    OR EXISTS (SELECT FROM search_documents WHERE (SELECT rare FROM asked) IS NULL AND ${matches(every)})`;
  const all = words.length === 1 ? sql`true` : someHasAll;
  // With OFFSET 0 has_all is looked up once, not once for each column.
  const wanted = db.$with("wanted").as(
    db
      .select({
        query: sql`CASE WHEN has_all THEN "every" ELSE "some" END`.as("query"),
        isRare: sql<boolean>`has_all AND rare IS NOT NULL`.as("is_rare"),
      })
      .from(sql`(SELECT *, ${all} AS has_all FROM asked OFFSET 0)`),
  );
  const hasAll = sql<boolean>`${documents.words} @@ ${every}`;
  const isNamedProduct = sql`${documents.productId} IS NOT NULL
    AND ts_filter(${documents.words}, '{a,b}') @@ ${every}`;
  const tier = sql<number>`CASE
    WHEN ${isNamedProduct} AND ts_filter(${documents.words}, '{a}') @@ ${exactly} THEN 0
    WHEN ${isNamedProduct} THEN 1
    WHEN ts_filter(${documents.words}, '{a}') @@ ${every} THEN 2
    ELSE 3 END`;
  const fit = sql<number>`CASE WHEN ${isNamedProduct} THEN 0 ELSE ts_rank(${documents.words}, ${some}) END`;
  const rows = await db
    .with(askedOnce, withRare, wanted)
    .select({
      hasAll: hasAll.as("has_all"),
      tier: tier.as("tier"),
      fit: fit.as("fit"),
      telling: sql<string[] | null>`(SELECT telling FROM asked)`,
      document: {
        id: documents.id,
        kind: documents.kind,
        // What is true of every bowl stands on the page of the first one.
        path: sql<string>`CASE
          WHEN ${documents.productId} IS NOT NULL THEN '/product/' || ${products.slug}
          ELSE coalesce(${documents.path},
            '/product/' || (SELECT slug FROM products ORDER BY ${sql.join(featuredFirst, sql`, `)} LIMIT 1) || '#faqs',
            '/support') END`,
        title: documents.title,
        place: documents.place,
        body: documents.body,
      },
      product: forSale,
    })
    .from(documents)
    .leftJoin(products, eq(products.id, documents.productId))
    .where(sql`${documents.id} IN (${compared(query)})`)
    // Products that are named stand in the catalog's order, as a shopper knows it; all else by how well it fits.
    .orderBy(
      sql`has_all DESC, tier, fit DESC`,
      sql`${products.featured} DESC NULLS LAST, ${products.createdAt} DESC NULLS LAST`,
      documents.id,
    )
    .limit(MAX_RESULTS);

  const whole = rows.filter((row) => row.hasAll);
  const marked = rows[0]?.telling ?? words;
  return {
    hasAll: whole.length > 0,
    productIsNamed: rows.some((row) => row.tier < 2),
    results: (whole.length > 0 ? whole : rows).map(({ document: { id, kind, path, title, place, body }, product }) => ({
      id,
      kind,
      path,
      title: mark(title, marked),
      place: product ? "" : place,
      excerpt: excerpt(body, marked),
      product: product && offer(product),
    })),
  };
}

const matches = (query: SQL) => sql`words @@ ${query}`;
const isNamed = (query: SQL) => sql`ts_filter(words, '{a,b}') @@ ${query}`;

const featured = sql`SELECT id FROM products WHERE featured
  ORDER BY ${sql.join(featuredFirst, sql`, `)} LIMIT ${MAX_RESULTS}`;

/**
 * The ids of the documents that are compared with each other: all that have a rare word, else of products those that are
 * featured, and enough others. Where enough are named so, those that only mention the words are not looked for, and where enough
 * of the sample match, not all the others: either takes the longest among many.
 */
function compared(query: SQL) {
  const isRare = sql`(SELECT is_rare FROM wanted)`;
  const few = (name: string) => sql`(SELECT count(*) FROM ${sql.identifier(name)}) < ${MAX_RESULTS}`;
  const some = (condition: SQL) =>
    sql`(SELECT id FROM search_documents WHERE NOT ${isRare} AND ${condition} LIMIT ${MAX_COMPARED})`;
  const isProduct = sql`product_id IS NOT NULL`;
  return sql`
    WITH named_sample AS MATERIALIZED ${some(sql`${isSampled} AND ${isNamed(query)}`)},
      named AS MATERIALIZED (
        SELECT id FROM named_sample UNION ${some(sql`${few("named_sample")} AND ${isProduct} AND ${isNamed(query)}`)}),
      sample AS MATERIALIZED ${some(sql`${few("named")} AND ${isSampled} AND ${matches(query)}`)}
    SELECT id FROM with_rare WHERE ${isRare} AND ${matches(query)}
    UNION SELECT id FROM named
    UNION SELECT id FROM search_documents WHERE product_id IS NULL AND ${matches(query)}
    UNION SELECT id FROM search_documents WHERE NOT ${isRare} AND ${matches(query)} AND product_id IN (${featured})
    UNION SELECT id FROM sample
    UNION ${some(sql`${few("named")} AND ${few("sample")} AND ${isProduct} AND ${matches(query)}`)}`;
}

function offer(product: Product): Result["product"] {
  const { thumbnail, priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const inStock = unitsLeft(product) > 0;
  return { thumbnail, priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate, inStock };
}

/**
 * The words as tsqueries: `every` asks for all of them, `some` for any, `exactly` for all as whole words. A word is
 * found by its stem or as the beginning of one. Words like 'the' tell nothing; alone, they are looked for in titles. `rare` asks
 * for those that the sample does not have; null where it has all of them. One of few may be in a large sample by chance: among
 * several words those that only one of it has are asked for too.
 */
function askedFor(db: Database, words: string[]) {
  const isLargeSample = sql`EXISTS (SELECT FROM search_documents WHERE ${isSampled} OFFSET ${MAX_COMPARED})`;
  const byChance = words.length > 1 ? sql`${isLargeSample}::int` : sql`0`;
  const joined = (query: SQL, operator: string): SQL<string> => sql`coalesce(
    string_agg('(' || ${query}::text || ')', ${operator}) FILTER (WHERE numnode(stem) > 0 AND numnode(typed) > 0),
    string_agg('(' || in_title::text || ')', ' & ') FILTER (WHERE numnode(in_title) > 0)
  )::tsquery`;
  return db.$with("asked").as(
    db
      .select({
        every: joined(sql`(stem || typed)`, " & ").as("every"),
        some: joined(sql`(stem || typed)`, " | ").as("some"),
        exactly: joined(sql`stem`, " & ").as("exactly"),
        rare: sql<string | null>`string_agg('(' || (stem || typed)::text || ')', ' & ')
          FILTER (WHERE numnode(stem) > 0 AND NOT EXISTS (
            SELECT FROM search_documents WHERE ${isSampled} AND words @@ (stem || typed) OFFSET ${byChance}))::tsquery`.as(
          "rare",
        ),
        telling: sql<string[] | null>`array_agg(word) FILTER (WHERE numnode(stem) > 0)`.as("telling"),
      })
      .from(
        sql`(SELECT word, to_tsquery('english', word) AS stem,
            to_tsquery('simple', word || CASE WHEN beginning THEN ':*' ELSE '' END) AS typed,
            to_tsquery('simple', word || ':*A') AS in_title
          FROM unnest(${sql.param(words)}::text[], ${sql.param(words.map((word) => mayGoOn(word, words)))}::boolean[])
            AS each(word, beginning)) AS each_word`,
      ),
  );
}

/** The words with each one that the shop does not know replaced by the known one that was likely meant. */
async function correct(db: Database, words: string[]): Promise<string[]> {
  const { rows } = await db.execute<{ word: string; meant: string | null }>(sql`
    SELECT word, meant_word(word) AS meant
    FROM unnest(${sql.param(words)}::text[]) AS each(word)
    WHERE word ~ '^[a-z]{4,}$' AND numnode(to_tsquery('english', word)) > 0
      AND NOT EXISTS (SELECT FROM search_words known WHERE known.word = each.word)`);
  const meant = new Map(rows.map((row) => [row.word, row.meant]));
  return words.map((word) => meant.get(word) ?? word);
}
