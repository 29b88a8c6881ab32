import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import { COUNTED_STEPS, type CountedStep } from "./steps.ts";

/** Empty: the visit named none. */
const campaign = () => ({ utmSource: text().notNull().default(""), utmCampaign: text().notNull().default("") });

const steps = () => bigint({ mode: "number" }).notNull().default(0);

/** How often each step was taken on a day in New York: no row is of one visit, and none of a person. */
export const dailyCounts = pgTable(
  "daily_counts",
  {
    day: date().notNull(),
    step: text().$type<CountedStep>().notNull(),
    ...campaign(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.step, t.utmSource, t.utmCampaign] }),
    check("daily_counts_step", sql`${t.step} IN ${oneOf(COUNTED_STEPS)}`),
  ],
);

/**
 * What each day that is over came to: the steps that were counted, orders by when they were placed, refunds by when they
 * were done.
 */
export const dailyOrders = pgTable(
  "daily_orders",
  {
    day: date().notNull(),
    ...campaign(),
    visits: steps(),
    productViews: steps(),
    carts: steps(),
    checkouts: steps(),
    orders: integer().notNull(),
    soldCents: bigint("sold", { mode: "number" }).notNull(),
    refundedCents: bigint("refunded", { mode: "number" }).notNull(),
    /** Orders whose hold was over before they were paid. */
    lapsed: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.utmSource, t.utmCampaign] })],
);

/** Units of each product that were sold in the last `days` days that are over. */
export const productSales = pgTable(
  "product_sales",
  {
    days: integer().notNull(),
    // No foreign key: what was sold outlives its product.
    productId: uuid().notNull(),
    units: integer().notNull(),
    soldCents: bigint("sold", { mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.days, t.productId] }),
    index("product_sales_most").on(t.days, t.units.desc().nullsFirst()),
  ],
);
