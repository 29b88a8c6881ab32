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
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import { users } from "../accounts/account.tables.ts";
import type { ShippingMethod } from "../shipping/methods.ts";
import {
  ORDER_ACTORS,
  ORDER_EVENTS,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  statusAfter,
  type OrderActor,
  type OrderEvent,
  type OrderStatus,
  type PaymentStatus,
} from "./lifecycle.ts";

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
    /** The visit in which it was placed. */
    utmSource: text(),
    utmCampaign: text(),
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Until when an unpaid order keeps its units. */
    holdUntil: timestamp({ withTimezone: true }),
    /** When the shop accepted it, which is when it first shipped. */
    acceptedAt: timestamp({ withTimezone: true }),
    deliveredAt: timestamp({ withTimezone: true }),
    /** The day by which it ships, where a later one than usual was promised. */
    shipsBy: date(),
    /** Raising it ends every link to this order that was mailed. */
    linkVersion: integer().notNull().default(1),
    /** What its payments come to: a trigger of theirs keeps it, so that lists need not read them. */
    paymentStatus: text().$type<PaymentStatus>().notNull().default("none"),
    /** Staff have put it on hold: it does not ship until they take it off. */
    onHoldSince: timestamp({ withTimezone: true }),
    /** It has shipped, but not all of it. */
    restToShip: boolean().notNull().default(false),
  },
  (t) => [
    check("orders_payment_status", sql`${t.paymentStatus} IN ${oneOf(PAYMENT_STATUSES)}`),
    check("orders_status", sql`${t.status} IN ${oneOf(ORDER_STATUSES)}`),
    check("orders_hold", sql`${t.status} <> 'unpaid' OR ${t.holdUntil} IS NOT NULL`),
    check("orders_one_owner", sql`num_nonnulls(${t.userId}, ${t.sessionId}) <= 1`),
    check("orders_total", sql`${t.totalCents} = ${t.subtotalCents} + ${t.shippingCents} + ${t.taxCents}`),
    check("orders_amounts", sql`least(${t.subtotalCents}, ${t.shippingCents}, ${t.taxCents}) >= 0`),
    // As ORDER BY takes desc(): nulls last would serve no order of the history. An order has one owner and is in one of the two.
    index("orders_user_newest")
      .on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.userId} IS NOT NULL`),
    // For whole addresses and for how they begin.
    index("orders_email").on(sql`lower(${t.email}) text_pattern_ops`),
    index("orders_first_name").on(sql`lower(${t.shippingFirstName} || ' ' || ${t.shippingLastName}) text_pattern_ops`),
    index("orders_last_name").on(sql`lower(${t.shippingLastName}) text_pattern_ops`),
    // The lists of the back office: any statuses in the order of time are a few walks along this one.
    index("orders_desk").on(t.status, t.paymentStatus, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("orders_on_hold")
      .on(t.onHoldSince)
      .where(sql`${t.onHoldSince} IS NOT NULL`),
    index("orders_rest_to_ship")
      .on(t.createdAt)
      .where(sql`${t.restToShip}`),
    index("orders_session_newest")
      .on(t.sessionId, t.createdAt.desc().nullsFirst())
      .where(sql`${t.sessionId} IS NOT NULL`),
    // Orders come in the order of time: where those of a day lie takes one entry for many pages, and costs a sale nothing.
    index("orders_by_time").using("brin", t.createdAt),
    // Few at a time: those that lapse next.
    index("orders_unpaid")
      .on(t.holdUntil)
      .where(sql`${t.status} = 'unpaid'`),
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
    /** Of the quantity: these are neither shipped nor charged. */
    canceledQuantity: integer().notNull().default(0),
    /** The first day on which it ships, as it was promised with a pre-order. */
    shipsFrom: date(),
    /** The order's own: an index by product gives its orders in the order of time. */
    createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("order_items_quantity", sql`${t.quantity} BETWEEN 1 AND 10`),
    check("order_items_canceled", sql`${t.canceledQuantity} BETWEEN 0 AND ${t.quantity}`),
    index("order_items_order").on(t.orderId),
    index("order_items_product").on(t.productId, t.createdAt.desc().nullsFirst(), t.orderId.desc().nullsFirst()),
  ],
);

export type OrderEventData = Record<string, string | number | boolean | null>;

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
    /** Who of the staff it was. No foreign key: what somebody did outlives their account. */
    staffId: uuid(),
    /** What else there is to say: amounts in cents, reasons of a list, ids. Nothing of a person. */
    data: jsonb().$type<OrderEventData>(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    // The one index: read by order, and cheap to write with each sale.
    primaryKey({ columns: [t.orderId, t.id] }),
    check("order_events_type", sql`${t.type} IN ${oneOf(ORDER_EVENTS)}`),
    check("order_events_actor", sql`${t.actor} IN ${oneOf(ORDER_ACTORS)}`),
  ],
);

/** `note` is what staff write for each other; the others are what they did to an order beside its events. */
export const NOTE_KINDS = ["note", "hold", "unhold", "address", "email"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** What staff wrote beside an order's events, for each other only. */
export const orderNotes = pgTable(
  "order_notes",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    kind: text().$type<NoteKind>().notNull(),
    text: text().notNull(),
    staffId: uuid(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("order_notes_kind", sql`${t.kind} IN ${oneOf(NOTE_KINDS)}`),
    index("order_notes_order").on(t.orderId, t.at),
  ],
);
