import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";

/** What staff note about a person, who gets it with their data: an account or a guest, known by their email. */
export const customerNotes = pgTable(
  "customer_notes",
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull().unique(),
    note: text().notNull().default(""),
    tags: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (t) => [
    check("customer_notes_email", sql`${t.email} = lower(${t.email})`),
    index("customer_notes_tags").using("gin", t.tags),
  ],
);
