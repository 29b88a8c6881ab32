import { sql, type SQL } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { tsvector } from "#db/columns.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { RESULT_KINDS, type ResultKind } from "./result.ts";

/** Search documents. A trigger writes those of products, the shop's start those of texts. */
export const searchDocuments = pgTable(
  "search_documents",
  {
    /** Path of a text, or 'product:' and the product id. */
    id: text().primaryKey(),
    kind: text().$type<ResultKind>().notNull(),
    productId: uuid()
      .unique()
      .references(() => products.id, { onDelete: "cascade" }),
    /** Null for questions of product pages, which link to the catalog's first product. */
    path: text(),
    title: text().notNull(),
    /** Title of the page that contains a section. */
    place: text().notNull().default(""),
    body: text().notNull(),
    /** Each word as its stem, to match plurals, and as written, to match prefixes. */
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
    index("search_documents_named").using("gin", sql`ts_filter(${t.words}, '{a,b}')`),
  ],
);

/** Vocabulary of the documents, for spelling correction. Filled by a trigger. */
export const searchWords = pgTable("search_words", {
  word: text().primaryKey(),
  /** Words of product names win among similar corrections. */
  inProductName: boolean().notNull().default(false),
});
