import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../accounts/account.tables.ts";
import type { ShippingMethod } from "../shipping/methods.ts";
import { statusAfter, type OrderActor, type OrderEvent, type OrderStatus } from "./lifecycle.ts";

export const orders = pgTable(
  "orders",
  {
    // Random, never time-ordered: its first 8 characters are the number people read.
    id: uuid().primaryKey().defaultRandom(),
    checkoutKey: uuid().notNull().unique(),
    // Both are null once the customer has deleted the account: the order stays, without the person.
    userId: uuid().references(() => users.id, { onDelete: "set null" }),
    sessionId: uuid(),
    status: text().$type<OrderStatus>().notNull().default(statusAfter("placed")),
    subtotalCents: integer("subtotal").notNull(),
    shippingCents: integer("shipping").notNull(),
    taxCents: integer("tax").notNull(),
    totalCents: integer("total").notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    shippingFirstName: text().notNull(),
    shippingLastName: text().notNull(),
    shippingAddressLine1: text().notNull(),
    shippingAddressLine2: text(),
    shippingCity: text().notNull(),
    shippingState: text().notNull(),
    shippingPostalCode: text().notNull(),
    shippingCountry: text().notNull().default("US"),
    shippingMethod: text().$type<ShippingMethod>().notNull(),
    saveInformation: boolean().notNull().default(false),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("orders_status", sql`${t.status} IN ('processing', 'shipped', 'delivered', 'canceled')`),
    check("orders_one_owner", sql`num_nonnulls(${t.userId}, ${t.sessionId}) <= 1`),
    check("orders_total", sql`${t.totalCents} = ${t.subtotalCents} + ${t.shippingCents} + ${t.taxCents}`),
    check("orders_amounts", sql`least(${t.subtotalCents}, ${t.shippingCents}, ${t.taxCents}) >= 0`),
    // As ORDER BY takes desc(): nulls last would serve no order of the history.
    index("orders_user_newest").on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("orders_guest_email")
      .on(sql`lower(${t.email})`)
      .where(sql`${t.userId} IS NULL`),
    index("orders_session_newest").on(t.sessionId, t.createdAt.desc().nullsFirst()),
  ],
);

export const orderItems = pgTable(
  "order_items",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    // No foreign key: an order outlives its product, and checking one would cost every sale.
    productId: uuid().notNull(),
    name: text().notNull(),
    priceCents: integer("price").notNull(),
    quantity: integer().notNull(),
  },
  (t) => [
    check("order_items_quantity", sql`${t.quantity} BETWEEN 1 AND 10`),
    index("order_items_order").on(t.orderId),
    index("order_items_product").on(t.productId),
  ],
);

/** What happened to each order, by what kind of person: never changed, and without personal data. */
export const orderEvents = pgTable(
  "order_events",
  {
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    /** Says which came first where two have the same time. */
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    type: text().$type<OrderEvent>().notNull(),
    fromStatus: text().$type<OrderStatus>(),
    toStatus: text().$type<OrderStatus>().notNull(),
    actor: text().$type<OrderActor>().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    // The one index: read by order, and cheap to write with each sale.
    primaryKey({ columns: [t.orderId, t.id] }),
    check("order_events_type", sql`${t.type} IN ('placed', 'canceled', 'shipped', 'delivered')`),
    check("order_events_actor", sql`${t.actor} IN ('customer', 'guest', 'staff')`),
  ],
);
