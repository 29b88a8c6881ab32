import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { COUNTED_EVENTS, type CountedEvent } from "./events.ts";

/** Empty for visits without a campaign. */
const campaign = () => ({ utmSource: text().notNull().default(""), utmCampaign: text().notNull().default("") });

/** Event counts by day in New York, without visits or people. */
export const dailyCounts = pgTable(
  "daily_counts",
  {
    day: date().notNull(),
    event: text().$type<CountedEvent>().notNull(),
    ...campaign(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.event, t.utmSource, t.utmCampaign] }),
    check("daily_counts_event", sql`${t.event} IN ${oneOf(COUNTED_EVENTS)}`),
  ],
);

/** Daily orders before today, by the time they were placed; refunds by the time they were made. The sums are those of `Sums`. */
export const dailyOrders = pgTable(
  "daily_orders",
  {
    day: date().notNull(),
    ...campaign(),
    orders: integer().notNull(),
    soldCents: bigint("sold", { mode: "number" }).notNull(),
    refundedCents: bigint("refunded", { mode: "number" }).notNull(),
    expired: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.utmSource, t.utmCampaign] })],
);

/** Units of each product sold in the last `days` days before today. */
export const productSales = pgTable(
  "product_sales",
  {
    days: integer().notNull(),
    // No foreign key: sales outlive their product.
    productId: uuid().notNull(),
    units: integer().notNull(),
    soldCents: bigint("sold", { mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.days, t.productId] }),
    index("product_sales_most").on(t.days, t.units.desc().nullsFirst()),
  ],
);
