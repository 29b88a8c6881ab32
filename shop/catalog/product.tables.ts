import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type ExtraConfigColumn,
} from "drizzle-orm/pg-core";
import type { Category, Specs } from "./product.ts";

/** How ORDER BY takes `desc()`; in an index it would be nulls last, which serves no such order. */
const newest = (column: ExtraConfigColumn) => column.desc().nullsFirst();

/** The colors that a product may have, in the order of the filters. */
export const colors = pgTable(
  "colors",
  {
    name: text().primaryKey(),
    /** What its swatch is filled with, as #7b8467. */
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
    /** The name without its color: "Polara Pro Earth Green" is a "Polara Pro". Its other colors have the same. */
    model: text()
      .notNull()
      .generatedAlwaysAs(sql`btrim(replace(name, coalesce(color_variant, ''), ''))`),
    slug: text().notNull().unique(),
    shortDescription: text().notNull(),
    description: text().notNull(),
    priceCents: integer("price").notNull(),
    compareAtPriceCents: integer("compare_at_price"),
    earlyBirdPriceCents: integer("early_bird_price"),
    earlyBirdEndDate: timestamp({ withTimezone: true }),
    thumbnail: text(),
    images: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    specs: jsonb().$type<Specs>().notNull().default({}),
    colorVariant: text().references(() => colors.name),
    category: text().$type<Category>().notNull(),
    isAvailable: boolean().notNull().default(true),
    /** Until then only those of the waitlist who were invited may buy it. */
    waitlistOnlyUntil: timestamp({ withTimezone: true }),
    featured: boolean().notNull().default(false),
    /** From which day on it ships, where that is not now. */
    shipsFrom: date(),
    /** Since when it is sold no more: its page stays for those who have it, and no list shows it. */
    retiredAt: timestamp({ withTimezone: true }),
    /** Counts the edits, by a trigger: whoever saves says which one they saw. */
    version: integer().notNull().default(1),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Set by a trigger. */
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("products_price_not_negative", sql`${t.priceCents} >= 0`),
    check("products_compare_at_price_not_negative", sql`${t.compareAtPriceCents} >= 0`),
    check("products_early_bird_price_not_negative", sql`${t.earlyBirdPriceCents} >= 0`),
    check("products_category", sql`${t.category} IN ('Classic', 'Pro', 'Accessories')`),
    check("products_retired_not_available", sql`${t.retiredAt} IS NULL OR NOT ${t.isAvailable}`),
    // One for each order of the list. Who pays an early-bird price is found by the last two: that ends by itself.
    index("products_featured_newest").on(newest(t.featured), newest(t.createdAt), t.name, t.id),
    index("products_newest").on(newest(t.createdAt), t.name, t.id),
    index("products_price").on(t.category, t.priceCents, newest(t.featured), newest(t.createdAt), t.name, t.id),
    index("products_price_falling").on(
      t.category,
      newest(t.priceCents),
      newest(t.featured),
      newest(t.createdAt),
      t.name,
      t.id,
    ),
    index("products_early_price")
      .on(t.category, t.earlyBirdPriceCents, newest(t.featured), newest(t.createdAt), t.name, t.id)
      .where(sql`${t.earlyBirdPriceCents} IS NOT NULL`),
    index("products_early_price_falling")
      .on(t.category, newest(t.earlyBirdPriceCents), newest(t.featured), newest(t.createdAt), t.name, t.id)
      .where(sql`${t.earlyBirdPriceCents} IS NOT NULL`),
    index("products_category_featured").on(t.category, newest(t.featured), newest(t.createdAt), t.name, t.id),
    index("products_model").on(t.category, t.model),
    index("products_not_available")
      .on(t.id)
      .where(sql`NOT ${t.isAvailable}`),
    index("products_retired")
      .on(t.id)
      .where(sql`${t.retiredAt} IS NOT NULL`),
  ],
);

/** A kind of product: what the filters tell apart but stock. */
const kind = () => ({
  category: text().$type<Category>().notNull(),
  colorVariant: text(),
  /** Steps of the price slider, those between two of them odd. */
  priceStep: integer().notNull(),
  earlyBirdPriceStep: integer(),
  earlyBirdEndDate: timestamp({ withTimezone: true }),
  products: integer().notNull(),
});

/**
 * How many products there are of each kind, kept by a trigger, so that counting them reads some hundred rows however many
 * products there are. Stock is not among them: no sale writes here.
 */
export const productCounts = pgTable("product_counts", kind(), (t) => [
  unique("product_counts_kind")
    .on(t.category, t.colorVariant, t.priceStep, t.earlyBirdPriceStep, t.earlyBirdEndDate)
    .nullsNotDistinct(),
]);

/** How many of each kind are sold out or off sale, as countSoldOut has found them. They hold while no change is uncounted. */
export const soldOutCounts = pgTable("sold_out_counts", kind());

/**
 * The transactions that have changed which products of a kind are sold out since these were counted, noted by triggers. A
 * note is a new row, for which nobody waits: neither a sale for an edit of the catalog, nor the reverse.
 */
export const soldOutChanges = pgTable(
  "sold_out_changes",
  {
    transactionId: bigint({ mode: "bigint" }).notNull(),
    /** When the transaction began: in a database that was restored elsewhere, its id comes a second time. */
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.transactionId, t.at] })],
);
