import { sql } from "drizzle-orm";
import { check, date, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";

/** Versions of texts as staff wrote them. A row is never changed: undo is another row. */
export const texts = pgTable(
  "texts",
  {
    /** "page-about", as in text-keys.ts. */
    key: text().notNull(),
    /** 1 is the first version that staff wrote; the edition of the code comes before it. */
    version: integer().notNull(),
    /** Null withdraws the text: the edition of the code is shown again, and a post or notice is gone. */
    markdown: text(),
    /** Words outside the Markdown, by their place in the front matter: "title", "steps-0-text". */
    fields: jsonb().$type<Record<string, string>>().notNull(),
    /** Null for a draft; in the future for a scheduled version. */
    publishAt: time(),
    /** The day in New York on which a legal text takes effect. */
    effectiveOn: date(),
    /** The scheduled version that this one replaces, which is never shown then. */
    replaces: integer(),
    /** No foreign key: the row outlives the account. */
    staffId: uuid().notNull(),
    createdAt: writtenAt(),
  },
  (t) => [primaryKey({ columns: [t.key, t.version] }), check("texts_version", sql`${t.version} > 0`)],
);
