import { sql, type SQL } from "drizzle-orm";
import { boolean, check, customType, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { products } from "../catalog/product.tables.ts";
import { RESULT_KINDS, type ResultKind } from "./result.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/**
 * One product in 128, by its random id, with indexes of their own: a word that many products have is found among these
 * without reading the long list of all that have it.
 */
export const isSampled = sql`product_id < '02000000-0000-0000-0000-000000000000'`;

/**
 * Whatever can be found, one row a thing. A trigger keeps the rows of products, the start of the shop
 * fills in those of its texts.
 */
export const searchDocuments = pgTable(
  "search_documents",
  {
    /** The address of a text, 'product:' and the id for a product. */
    id: text().primaryKey(),
    kind: text().$type<ResultKind>().notNull(),
    productId: uuid()
      .unique()
      .references(() => products.id, { onDelete: "cascade" }),
    /** Null for what stands on a product's page: then the catalog's first product leads there. */
    path: text(),
    title: text().notNull(),
    /** Where a section stands: the title of its page. */
    place: text().notNull().default(""),
    body: text().notNull(),
    /** Each word twice: as its stem, so that plurals meet, and as written, so that half a word finds it. */
    words: tsvector()
      .notNull()
      .generatedAlwaysAs(
        (): SQL =>
          sql`setweight(to_tsvector('english', title) || to_tsvector('simple', title), 'A')
            || setweight(to_tsvector('english', place) || to_tsvector('simple', place), 'B')
            || setweight(to_tsvector('english', body) || to_tsvector('simple', body), 'D')`,
      ),
  },
  (t) => [
    check("search_documents_kind", sql.raw(`kind IN (${RESULT_KINDS.map((kind) => `'${kind}'`).join(", ")})`)),
    index("search_documents_words").using("gin", t.words),
    // Among many products, those that are named so and the shop's own texts are found without reading the others.
    index("search_documents_named")
      .using("gin", sql`ts_filter(${t.words}, '{a,b}')`)
      .where(sql`${t.productId} IS NOT NULL`),
    index("search_documents_texts")
      .using("gin", t.words)
      .where(sql`${t.productId} IS NULL`),
    // What many products have in common is found among few of them.
    index("search_documents_sample").using("gin", t.words).where(isSampled),
    index("search_documents_named_sample")
      .using("gin", sql`ts_filter(${t.words}, '{a,b}')`)
      .where(isSampled),
  ],
);

/** Every word that can be found, to correct a misspelled one by. Kept by a trigger. */
export const searchWords = pgTable("search_words", {
  word: text().primaryKey(),
  /** Whether a product was ever named so: of two that look alike, that one was meant. */
  inProductName: boolean().notNull().default(false),
});
