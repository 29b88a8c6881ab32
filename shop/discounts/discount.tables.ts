import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { oneOf } from "#db/one-of.sql.ts";
import { DISCOUNT_KINDS, type BundlePart, type DiscountKind } from "./discount.ts";

export const discounts = pgTable(
  "discounts",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** In capitals; null for a bundle, which applies by itself. */
    code: text().unique(),
    name: text().notNull(),
    kind: text().$type<DiscountKind>().notNull(),
    /** A percentage, or cents. */
    value: integer().notNull(),
    minimumCents: integer("minimum").notNull().default(0),
    /** Null for all products. */
    productIds: uuid().array(),
    bundle: jsonb()
      .$type<BundlePart[]>()
      .notNull()
      .default(sql`'[]'`),
    startsAt: time(),
    endsAt: time(),
    /** Orders that may use it; null for any number. */
    maxUses: integer(),
    isOncePerInbox: boolean("once_per_inbox").notNull().default(false),
    createdAt: writtenAt(),
  },
  (t) => [
    check("discounts_kind", sql`${t.kind} IN ${oneOf(DISCOUNT_KINDS)}`),
    check(
      "discounts_value",
      sql`CASE ${t.kind} WHEN 'percent' THEN ${t.value} BETWEEN 1 AND 100
      WHEN 'amount' THEN ${t.value} > 0 ELSE ${t.value} = 0 END`,
    ),
    check("discounts_code", sql`(${t.code} IS NULL) = (${t.bundle} <> '[]')`),
    check("discounts_limits", sql`${t.minimumCents} >= 0 AND coalesce(${t.maxUses} > 0, true)`),
  ],
);
