import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { oneOf } from "#db/one-of.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { type Audience, AUDIENCES, FIRST_PACE, LETTER_STATES, type LetterState } from "./letter.ts";

export const letters = pgTable(
  "letters",
  {
    id: uuid().primaryKey().defaultRandom(),
    subject: text().notNull(),
    markdown: text().notNull().default(""),
    audience: text().$type<Audience>().notNull().default("news"),
    /** The product whose owners get it. */
    productId: uuid().references(() => products.id, { onDelete: "set null" }),
    /** Letters an hour. */
    pace: integer().notNull().default(FIRST_PACE),
    state: text().$type<LetterState>().notNull().default("draft"),
    /** Rises with each change of a draft. */
    version: integer().notNull().default(1),
    createdAt: writtenAt(),
    /** A draft may have none. */
    sendAt: time(),
    /** Time at which its last letter was queued, or at which it was stopped. */
    endedAt: time(),
  },
  (t) => [
    check("letters_audience", sql`${t.audience} IN ${oneOf(AUDIENCES)}`),
    check("letters_state", sql`${t.state} IN ${oneOf(LETTER_STATES)}`),
    check("letters_pace", sql`${t.pace} BETWEEN 1 AND 20000`),
    check("letters_time", sql`${t.state} = 'draft' OR ${t.sendAt} IS NOT NULL`),
    index("letters_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("letters_due")
      .on(t.sendAt)
      .where(sql`${t.state} IN ('scheduled', 'sending')`),
  ],
);

/** Each address gets a letter once. */
export const letterRecipients = pgTable(
  "letter_recipients",
  {
    id: uuid().primaryKey().defaultRandom(),
    letterId: uuid()
      .notNull()
      .references(() => letters.id, { onDelete: "cascade" }),
    /** In lower case. */
    email: text().notNull(),
    createdAt: writtenAt(),
    /** Time at which the email was queued. */
    queuedAt: time(),
  },
  (t) => [
    unique("letter_recipients_once").on(t.letterId, t.email),
    index("letter_recipients_email").on(t.email),
    index("letter_recipients_queued").on(t.letterId, t.queuedAt),
  ],
);
