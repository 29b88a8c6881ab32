import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time } from "#db/columns.ts";
import { ORDER_ACTORS, type OrderActor } from "./lifecycle.ts";
import { ofOrder } from "./order.tables.ts";

/** One row for each unit of a line, so that it is shipped, canceled, refunded and returned by its own name. */
export const orderUnits = pgTable(
  "order_units",
  {
    orderId: ofOrder(),
    /** Within its order, from 1. */
    number: smallint().notNull(),
    // No foreign key: lines go with their order alone, and checking one would cost every sale.
    orderItemId: uuid().notNull(),
    /** Price and tax of its own, shared out when it was placed, or when its order moved to another state. */
    priceCents: integer("price").notNull(),
    taxCents: integer("tax").notNull().default(0),
    /** Tax beside that, which the shop bears. */
    waivedCents: integer("waived").notNull().default(0),
    /** Unit in whose place it is sent, what that was worth when it came back, and the return that sends it. */
    replaces: smallint(),
    carriedCents: integer("carried").notNull().default(0),
    returnId: uuid(),
    /** Its stock is taken for an exchange whose return is not decided, or not paid yet. */
    isReserved: boolean("reserved").notNull().default(false),
    /** The customer's own product, which a return sends back to them; another one that is sent in its place is the shop's. */
    isOwn: boolean("own").notNull().default(false),
    canceledAt: time(),
    canceledBy: text().$type<OrderActor>(),
    cancelReason: text(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.number] }),
    check("order_units_amounts", sql`least(${t.priceCents}, ${t.taxCents}, ${t.waivedCents}) >= 0`),
    check("order_units_canceled_by", sql`${t.canceledBy} IN ${oneOf(ORDER_ACTORS)}`),
    check("order_units_canceled", sql`(${t.canceledAt} IS NULL) = (${t.canceledBy} IS NULL)`),
    index("order_units_reserved")
      .on(t.orderItemId)
      .where(sql`${t.isReserved} AND ${t.canceledAt} IS NULL`),
    index("order_units_canceled_of_line")
      .on(t.orderItemId)
      .where(sql`${t.canceledAt} IS NOT NULL`),
  ],
);

/** Notices of delays, and their answers. Days are those of New York. */
export const delayNotices = pgTable(
  "delay_notices",
  {
    id: uuid().primaryKey(),
    orderId: ofOrder(),
    sentAt: time().notNull(),
    /** The day that it moves; null if that was unknown. */
    from: date(),
    /** Null for an unknown day. */
    until: date(),
    /** Day by whose end a yes is needed; null if silence keeps the order. */
    answerBy: date(),
    acceptedAt: time(),
  },
  (t) => [index("delay_notices_order").on(t.orderId)],
);
