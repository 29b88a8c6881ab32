import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  type ExtraConfigColumn,
} from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { DEFAULT_TAX_CODE, type Category, type Specs } from "./product.ts";

/** Drizzle's `desc()` in an index is NULLS LAST; ORDER BY … DESC is NULLS FIRST and could not use it. */
const newest = (column: ExtraConfigColumn) => column.desc().nullsFirst();

export const colors = pgTable(
  "colors",
  {
    name: text().primaryKey(),
    /** Swatch color, as #7b8467. */
    hex: text().notNull(),
    position: integer().generatedAlwaysAsIdentity(),
  },
  (t) => [
    check("colors_hex", sql`${t.hex} ~ '^#[0-9a-f]{6}$'`),
    uniqueIndex("colors_name_in_any_case").on(sql`lower(${t.name})`),
  ],
);

export const products = pgTable(
  "products",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** The name without its color: "Polara Pro Earth Green" is a "Polara Pro". All colors of a model share it. */
    model: text()
      .notNull()
      .generatedAlwaysAs(sql`btrim(replace(name, coalesce(color_variant, ''), ''))`),
    slug: text().notNull().unique(),
    shortDescription: text().notNull(),
    description: text().notNull(),
    priceCents: integer("price").notNull(),
    compareAtPriceCents: integer("compare_at_price"),
    earlyBirdPriceCents: integer("early_bird_price"),
    earlyBirdEndDate: time(),
    thumbnail: text(),
    images: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Descriptions of pictures, by their names, for people who do not see them. */
    pictureAlts: jsonb().$type<Record<string, string>>().notNull().default({}),
    specs: jsonb().$type<Specs>().notNull().default({}),
    colorVariant: text().references(() => colors.name),
    category: text().$type<Category>().notNull(),
    isAvailable: boolean().notNull().default(true),
    /** Until then only people invited from the waitlist may buy it. */
    waitlistOnlyUntil: time(),
    featured: boolean().notNull().default(false),
    /** Kind of product for sales tax, in the provider's words. */
    taxCode: text().notNull().default(DEFAULT_TAX_CODE),
    /** Weight with its packaging, in ounces. Null if it is not known. */
    weightOz: integer(),
    /** First day of shipping; null if it ships now. */
    shipsFrom: date(),
    /** A retired product leaves the lists; its page stays for its owners. */
    retiredAt: time(),
    /** Edit counter set by a trigger, for optimistic locking. */
    version: integer().notNull().default(1),
    createdAt: writtenAt(),
    updatedAt: writtenAt(),
  },
  (t) => [
    check("products_price", sql`${t.priceCents} > 0`),
    check("products_compare_at_price", sql`${t.compareAtPriceCents} > 0`),
    check("products_early_bird_price", sql`${t.earlyBirdPriceCents} > 0`),
    check("products_weight", sql`${t.weightOz} > 0`),
    check("products_category", sql`${t.category} IN ('Classic', 'Pro', 'Accessories')`),
    check("products_retired_not_available", sql`${t.retiredAt} IS NULL OR NOT ${t.isAvailable}`),
    index("products_featured_newest").on(newest(t.featured), newest(t.createdAt), t.name, t.id),
    index("products_newest").on(newest(t.createdAt), t.name, t.id),
    index("products_category_featured").on(t.category, newest(t.featured), newest(t.createdAt), t.name, t.id),
    index("products_model").on(t.category, t.model),
    index("products_name").on(sql`lower(${t.name})`, t.slug),
    index("products_waitlist_only")
      .on(t.waitlistOnlyUntil)
      .where(sql`${t.waitlistOnlyUntil} IS NOT NULL`),
  ],
);
