import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
  type ExtraConfigColumn,
} from "drizzle-orm/pg-core";
import type { Category, ColorVariant, Specs } from "./product.ts";

/** How ORDER BY takes `desc()`; in an index it would be nulls last, which serves no such order. */
const newest = (column: ExtraConfigColumn) => column.desc().nullsFirst();

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
    colorVariant: text().$type<ColorVariant>(),
    category: text().$type<Category>().notNull(),
    isAvailable: boolean().notNull().default(true),
    featured: boolean().notNull().default(false),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Set by a trigger. */
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("products_price_not_negative", sql`${t.priceCents} >= 0`),
    check("products_compare_at_price_not_negative", sql`${t.compareAtPriceCents} >= 0`),
    check("products_early_bird_price_not_negative", sql`${t.earlyBirdPriceCents} >= 0`),
    check("products_color", sql`${t.colorVariant} IN ('Frost White', 'Earth Green', 'Midnight Black')`),
    check("products_category", sql`${t.category} IN ('Classic', 'Pro', 'Accessories')`),
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
  ],
);

/**
 * How many products there are of each kind that the filters tell apart, kept by a trigger, so that counting them reads
 * some hundred rows however many products there are. Stock is not among them: no sale writes here.
 */
export const productCounts = pgTable(
  "product_counts",
  {
    category: text().$type<Category>().notNull(),
    colorVariant: text().$type<ColorVariant>(),
    /** Steps of the price slider, those between two of them odd. */
    priceStep: integer().notNull(),
    earlyBirdPriceStep: integer(),
    earlyBirdEndDate: timestamp({ withTimezone: true }),
    products: integer().notNull(),
  },
  (t) => [
    unique("product_counts_kind")
      .on(t.category, t.colorVariant, t.priceStep, t.earlyBirdPriceStep, t.earlyBirdEndDate)
      .nullsNotDistinct(),
  ],
);
