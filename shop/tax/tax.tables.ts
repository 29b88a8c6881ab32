import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import type { SalePart, TaxAddress } from "#shop/orders/facts.ts";
import { charges, refunds } from "#shop/orders/money.tables.ts";
import { ofOrder } from "#shop/orders/order.tables.ts";

/**
 * Sales of paid charges, and what refunds take back of them, written before the tax provider is called. Amounts are in cents
 * and positive.
 */
export const taxRecords = pgTable(
  "tax_records",
  {
    /** Unique reference at the provider, and its idempotency key together with `attempt`. */
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    kind: text().$type<"record" | "reverse">().notNull(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    /** Refund that reverses a part of the sale. */
    refundId: uuid().references(() => refunds.id),
    parts: jsonb().$type<readonly SalePart[]>().notNull(),
    /** Address of the sale, also once its order moves. */
    address: jsonb().$type<TaxAddress>().notNull(),
    /** Sums of the parts. */
    amountCents: integer("amount").notNull(),
    taxCents: integer("tax").notNull(),
    /** `asked`: requested here; `sent`: the provider may or may not have done it; then `done` or `failed`. */
    state: text().$type<"asked" | "sent" | "done" | "failed">().notNull().default("asked"),
    attempt: integer().notNull().default(1),
    /** The provider's quote by which a sale is recorded: of each it records one. */
    quote: text(),
    providerReference: text(),
    problem: text(),
    createdAt: writtenAt(),
    doneAt: time(),
  },
  (t) => [
    check("tax_records_kind", sql`${t.kind} = CASE WHEN ${t.refundId} IS NULL THEN 'record' ELSE 'reverse' END`),
    check("tax_records_state", sql`${t.state} IN ('asked', 'sent', 'done', 'failed')`),
    check("tax_records_amounts", sql`least(${t.amountCents}, ${t.taxCents}) >= 0`),
    unique("tax_records_once").on(t.chargeId, t.refundId).nullsNotDistinct(),
    uniqueIndex("tax_records_quote")
      .on(t.quote)
      .where(sql`${t.quote} IS NOT NULL`),
    index("tax_records_order").on(t.orderId),
    index("tax_records_created").on(t.createdAt),
    index("tax_records_underway")
      .on(t.createdAt)
      .where(sql`${t.state} IN ('asked', 'sent')`),
    index("tax_records_failed")
      .on(t.createdAt)
      .where(sql`${t.state} = 'failed'`),
  ],
);

/** Sales and tax by state and day in New York before today, in cents. */
export const dailySalesByState = pgTable(
  "daily_sales_by_state",
  {
    day: date().notNull(),
    state: text().notNull(),
    orders: integer().notNull(),
    salesCents: bigint("sales", { mode: "number" }).notNull(),
    recordedCents: bigint("recorded", { mode: "number" }).notNull(),
    taxCents: bigint("tax", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.state] })],
);
