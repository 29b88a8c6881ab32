import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Category, ColorVariant, Specs } from "./product.ts";

export const products = pgTable(
  "products",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
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
    index("products_featured_newest").on(t.featured.desc(), t.createdAt.desc()),
    index("products_category_featured").on(t.category, t.featured.desc(), t.createdAt.desc()),
  ],
);
