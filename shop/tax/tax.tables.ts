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
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { time, writtenAt } from "#db/columns.ts";
import { ofOrder } from "#shop/orders/order.tables.ts";
import type { TaxPart } from "./tax-provider.ts";

/** Sales recorded and reversed at the tax provider, written before it is called. Amounts are in cents and positive. */
export const taxRecords = pgTable(
  "tax_records",
  {
    /** Unique reference at the provider, and its idempotency key together with `attempt`. */
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    kind: text().$type<"record" | "reverse">().notNull(),
    parts: jsonb().$type<TaxPart[]>().notNull(),
    /** Sums of the parts. */
    amountCents: integer("amount").notNull(),
    taxCents: integer("tax").notNull(),
    /** `asked`: requested here; `sent`: the provider may or may not have done it; then `done` or `failed`. */
    state: text().$type<"asked" | "sent" | "done" | "failed">().notNull().default("asked"),
    attempt: integer().notNull().default(1),
    providerReference: text(),
    problem: text(),
    createdAt: writtenAt(),
    doneAt: time(),
  },
  (t) => [
    check("tax_records_kind", sql`${t.kind} IN ('record', 'reverse')`),
    check("tax_records_state", sql`${t.state} IN ('asked', 'sent', 'done', 'failed')`),
    check("tax_records_amounts", sql`least(${t.amountCents}, ${t.taxCents}) >= 0`),
    uniqueIndex("tax_records_one_sale")
      .on(t.orderId)
      .where(sql`${t.kind} = 'record'`),
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
