import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { oneOf } from "#db/one-of.sql.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { CONSENT_KINDS, type ConsentKind } from "./consent.ts";

/** The ledger: a person who agrees again has another row, and no withdrawal is ever undone. */
export const consents = pgTable(
  "consents",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** In lower case. */
    email: text().notNull(),
    kind: text().$type<ConsentKind>().notNull(),
    /** The product of a consent to one letter about it; null for the others. */
    productId: uuid().references(() => products.id, { onDelete: "cascade" }),
    /** The words that asked. */
    words: text().notNull(),
    /** Path of the page that asked. */
    page: text().notNull(),
    createdAt: writtenAt(),
    withdrawnAt: time(),
    /** Time at which the one letter about the product was queued. */
    toldAt: time(),
  },
  (t) => [
    check("consents_kind", sql`${t.kind} IN ${oneOf(CONSENT_KINDS)}`),
    check("consents_email", sql`${t.email} = lower(${t.email})`),
    check("consents_product", sql`(${t.kind} = 'back-in-stock') = (${t.productId} IS NOT NULL)`),
    uniqueIndex("consents_once")
      .on(t.email, t.kind, sql`coalesce(${t.productId}, '00000000-0000-0000-0000-000000000000'::uuid)`)
      .where(sql`${t.withdrawnAt} IS NULL AND ${t.toldAt} IS NULL`),
    index("consents_email").on(t.email),
    index("consents_waiting").on(t.productId, t.createdAt, t.id),
    index("consents_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
);
