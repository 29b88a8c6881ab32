import { asc, sql, type SQL, type SQLWrapper } from "drizzle-orm";
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
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf, setOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { nameIndexes, nameWords } from "#db/names.sql.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { inboxOfColumn } from "#shop/mail/inbox.sql.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import {
  ORDER_ACTORS,
  ORDER_EVENTS,
  ATTENTION,
  firstStage,
  PAYMENT_STATUSES,
  STAGES,
  type Attention,
  type OrderActor,
  type OrderEvent,
  type OrderStatus,
  type PaymentStatus,
  type Stage,
} from "./lifecycle.ts";

/** Phone numbers are kept as typed and found by their last ten digits, so that a country code does not matter. */
export const PHONE_DIGITS = sql`right(regexp_replace(phone, '[^0-9]', '', 'g'), 10)`;

/** The day to ship by, in the order of lists and their index: an unknown one is late. */
export const dayToShip = (shipBy: SQLWrapper): SQL => sql`coalesce(${shipBy}, '-infinity'::date)`;

export const orders = pgTable(
  "orders",
  {
    // Random, never time-ordered: the first 8 characters are the order number.
    id: uuid().primaryKey().defaultRandom(),
    checkoutKey: uuid().notNull().unique(),
    // Both are null once the account is deleted: the order stays, without the person.
    userId: uuid().references(() => users.id, { onDelete: "set null" }),
    sessionId: uuid(),
    /** Summary of its facts, so that lists need not compute it. */
    stage: text().$type<Stage>().notNull().default(firstStage("placed")),
    /** The word for the stage, see statusOf. */
    status: text()
      .$type<OrderStatus>()
      .notNull()
      .generatedAlwaysAs(
        sql`CASE stage WHEN 'to-ship' THEN 'processing' WHEN 'partly-shipped' THEN 'shipped' ELSE stage END`,
      ),
    subtotalCents: integer("subtotal").notNull(),
    shippingCents: integer("shipping").notNull(),
    /** Tax of the lines and of the shipping that the buyer pays, as quoted when the order was placed, or moved to another state. */
    taxCents: integer("tax").notNull(),
    shippingTaxCents: integer("shipping_tax").notNull().default(0),
    /** Tax of the shipping beside that, which the shop bears. */
    shippingWaivedCents: integer("shipping_waived").notNull().default(0),
    /** Provider id of the quote; null where no tax was asked for. */
    taxReference: text(),
    /** Off the subtotal, shared out over the units. */
    discountCents: integer("discount").notNull().default(0),
    /** The code, or the words of a bundle or of staff; null without a discount. */
    discountName: text(),
    /** Null for one that staff gave by hand. No foreign key: its check would cost every sale. */
    discountId: uuid(),
    totalCents: integer("total").notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    shippingFirstName: text().notNull(),
    shippingLastName: text().notNull(),
    /** The recipient's name for the search, generated, so that it goes when the name does. */
    nameWords: text().generatedAlwaysAs(nameWords(sql`shipping_first_name || ' ' || shipping_last_name`)),
    shippingAddressLine1: text().notNull(),
    shippingAddressLine2: text(),
    shippingCity: text().notNull(),
    shippingState: text().notNull(),
    shippingPostalCode: text().notNull(),
    shippingCountry: text().notNull().default("US"),
    shippingMethod: text().$type<ShippingMethod>().notNull(),
    /** Printed on the packing slip. */
    giftMessage: text(),
    saveInformation: boolean().notNull().default(false),
    /** Otherwise the payment page asks for the billing address, which the shop never stores. */
    billingAddressSameAsShipping: boolean().notNull().default(true),
    utmSource: text(),
    utmCampaign: text(),
    createdAt: writtenAt(),
    /** End of the stock reservation of an unpaid order. */
    holdUntil: time(),
    /** Time of the first shipment, even if it was undone, by which the shop accepts the order. */
    acceptedAt: time(),
    deliveredAt: time(),
    /** Since when its day is promised: its placing, the payment for which it waited, or the sending again of all of it. */
    promisedAt: writtenAt(),
    /** The promised day in New York, by whose end what waits leaves; null if the buyer was told that it is unknown. */
    shipBy: date(),
    /** Summary of its notices: day in New York by whose end the buyer must agree, or what was bought is canceled. */
    answerBy: date(),
    /** Day in New York on which the charge of what waits is due to be announced. */
    announceOn: date(),
    /** Effective date of the terms in force when the order was placed, which govern it. */
    termsVersion: date().notNull(),
    /** Raising it revokes every emailed link to this order. */
    linkVersion: integer().notNull().default(1),
    /** Summary of its payments, so that lists need not read them. */
    paymentStatus: text().$type<PaymentStatus>().notNull().default("none"),
    /** Summary of what needs a person. */
    attention: text()
      .array()
      .$type<readonly Attention[]>()
      .notNull()
      .default(sql`'{}'`),
    onHoldSince: time(),
    /** Its latest change. Without an index, which each change would cost: it is read once a night. */
    changedAt: writtenAt().$onUpdateFn(() => sql`now()`),
  },
  (t) => [
    check("orders_payment_status", sql`${t.paymentStatus} IN ${oneOf(PAYMENT_STATUSES)}`),
    check("orders_attention", sql`${t.attention} <@ ${setOf(ATTENTION)}`),
    check("orders_stage", sql`${t.stage} IN ${oneOf(STAGES)}`),
    check("orders_hold", sql`${t.stage} <> 'unpaid' OR ${t.holdUntil} IS NOT NULL`),
    check("orders_one_owner", sql`num_nonnulls(${t.userId}, ${t.sessionId}) <= 1`),
    check(
      "orders_total",
      sql`${t.totalCents} = ${t.subtotalCents} - ${t.discountCents} + ${t.shippingCents} + ${t.taxCents}`,
    ),
    check("orders_discount", sql`${t.discountCents} BETWEEN 0 AND ${t.subtotalCents}`),
    check("orders_amounts", sql`least(${t.subtotalCents}, ${t.shippingCents}, ${t.taxCents}) >= 0`),
    check("orders_shipping_tax", sql`${t.shippingTaxCents} BETWEEN 0 AND ${t.taxCents}`),
    // NULLS FIRST matches desc() in ORDER BY; otherwise the history could not use the index. An order has one owner and
    // is in one of the two indexes.
    index("orders_user_newest")
      .on(t.userId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.userId} IS NOT NULL`),
    index("orders_email").on(sql`lower(${t.email}) text_pattern_ops`),
    index("orders_guest_email")
      .on(sql`lower(${t.email}) text_pattern_ops`)
      .where(sql`${t.userId} IS NULL`),
    ...nameIndexes("orders", t.createdAt),
    index("orders_zip").on(sql`${t.shippingPostalCode} text_pattern_ops`, t.createdAt.desc().nullsFirst()),
    index("orders_phone").on(sql`${PHONE_DIGITS} text_pattern_ops`, t.createdAt.desc().nullsFirst()),
    index("orders_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("orders_status").on(t.status, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("orders_payment_status").on(t.paymentStatus, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("orders_attention")
      .using("gin", t.attention)
      .where(sql`${t.attention} <> '{}'`),
    index("orders_on_hold")
      .on(t.onHoldSince)
      .where(sql`${t.onHoldSince} IS NOT NULL`),
    index("orders_partly_shipped")
      .on(t.createdAt)
      .where(sql`${t.stage} = 'partly-shipped'`),
    index("orders_ship_by")
      .on(dayToShip(t.shipBy), t.createdAt, t.id)
      .where(sql`${t.stage} IN ('to-ship', 'partly-shipped')`),
    index("orders_answer_by")
      .on(t.answerBy)
      .where(sql`${t.answerBy} IS NOT NULL`),
    index("orders_announce_on")
      .on(t.announceOn)
      .where(sql`${t.announceOn} IS NOT NULL`),
    index("orders_session_newest")
      .on(t.sessionId, t.createdAt.desc().nullsFirst())
      .where(sql`${t.sessionId} IS NOT NULL`),
    index("orders_discount")
      .on(t.discountId, inboxOfColumn(t.email))
      .where(sql`${t.discountId} IS NOT NULL AND ${t.stage} NOT IN ('expired', 'declined', 'canceled')`),
    index("orders_unpaid")
      .on(t.holdUntil)
      .where(sql`${t.stage} = 'unpaid'`),
  ],
);

/** Reference of a row that goes with its order. */
export const ofOrder = () =>
  uuid()
    .notNull()
    .references(() => orders.id, { onDelete: "cascade" });

/** Orders whose books did not add up when they were last checked, and in what. */
export const orderDifferences = pgTable("order_differences", {
  orderId: ofOrder().primaryKey(),
  problems: text().array().notNull(),
  foundAt: writtenAt(),
});

export const orderItems = pgTable(
  "order_items",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    // No foreign key: an order outlives its product, and checking one would cost every sale.
    productId: uuid().notNull(),
    name: text().notNull(),
    priceCents: integer("price").notNull(),
    quantity: integer().notNull(),
    /** Place in the cart, in whose order the lines stand everywhere. */
    position: smallint().notNull().default(0),
    /** Tax of all units. */
    taxCents: integer("tax").notNull().default(0),
    shipsFrom: date(),
    /** Term of the purchase, which a later change of the product leaves alone; null without a warranty. */
    warrantyYears: integer(),
    /** Return for which it is sent; null for what was bought. No foreign key, because returns stand on orders. */
    returnId: uuid(),
    /** Same time as the order's, so that the index by product sorts by time. */
    createdAt: writtenAt(),
  },
  (t) => [
    check("order_items_quantity", sql`${t.quantity} BETWEEN 1 AND 10`),
    check("order_items_tax", sql`${t.taxCents} >= 0`),
    index("order_items_order").on(t.orderId),
    index("order_items_product").on(t.productId, t.createdAt.desc().nullsFirst(), t.orderId.desc().nullsFirst()),
  ],
);

/** The order of an order's lines. */
export const asOrdered = [asc(orderItems.position), asc(orderItems.name), asc(orderItems.id)] as const;

export type OrderEventData = Record<string, string | number | boolean | null>;

/** Events of each order, by kind of actor: never changed, and without personal data. */
export const orderEvents = pgTable(
  "order_events",
  {
    orderId: ofOrder(),
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    type: text().$type<OrderEvent>().notNull(),
    fromStatus: text().$type<OrderStatus>(),
    toStatus: text().$type<OrderStatus>().notNull(),
    actor: text().$type<OrderActor>().notNull(),
    /** No foreign key: events outlive the staff account. */
    staffId: uuid(),
    /** Amounts in cents, reasons from a list, ids. No personal data. */
    data: jsonb().$type<OrderEventData>(),
    at: writtenAt(),
  },
  (t) => [
    // The only index, because every sale writes to it.
    primaryKey({ columns: [t.orderId, t.id] }),
    check("order_events_type", sql`${t.type} IN ${oneOf(ORDER_EVENTS)}`),
    check("order_events_actor", sql`${t.actor} IN ${oneOf(ORDER_ACTORS)}`),
  ],
);

/** `note` is a message among staff; the other kinds record their changes to an order. */
const NOTE_KINDS = ["note", "hold", "unhold", "address", "email", "refund"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export const orderNotes = pgTable(
  "order_notes",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    kind: text().$type<NoteKind>().notNull(),
    text: text().notNull(),
    staffId: uuid(),
    at: writtenAt(),
  },
  (t) => [
    check("order_notes_kind", sql`${t.kind} IN ${oneOf(NOTE_KINDS)}`),
    index("order_notes_order").on(t.orderId, t.at),
  ],
);
