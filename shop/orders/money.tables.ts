import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { CHARGE_STATES, CHARGE_WAYS, ITEM_KINDS, type Charge, type ItemKind } from "./facts.ts";
import { ORDER_ACTORS, type OrderActor } from "./lifecycle.ts";
import { ofOrder } from "./order.tables.ts";

/** Requests for money. Their items say what for. */
export const charges = pgTable(
  "charges",
  {
    id: uuid().primaryKey(),
    orderId: ofOrder(),
    state: text().$type<Charge["state"]>().notNull(),
    by: text().$type<Charge["by"]>().notNull(),
    /** No foreign key, because returns stand on orders. */
    returnId: uuid(),
    createdAt: writtenAt(),
    announcedAt: time(),
    /** First day of an announced charge. */
    chargeOn: date(),
    /** The buyer asked for it before that day. */
    approvedAt: time(),
    /** Announced by staff who can ship it before its promised day. */
    isEarly: boolean().notNull().default(false),
  },
  (t) => [
    check("charges_state", sql`${t.state} IN ${oneOf(CHARGE_STATES)}`),
    check("charges_by", sql`${t.by} IN ${oneOf(CHARGE_WAYS)}`),
    index("charges_order").on(t.orderId),
  ],
);

const item = () => ({
  orderId: uuid().notNull(),
  kind: text().$type<ItemKind>().notNull(),
  /** Set for the kind of that name alone. */
  unit: smallint(),
  /** With their tax. */
  cents: integer().notNull(),
  taxCents: integer("tax").notNull(),
});

export const chargeItems = pgTable(
  "charge_items",
  {
    chargeId: uuid()
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    ...item(),
    /** Its charge failed or was withdrawn. */
    releasedAt: time(),
  },
  (t) => [
    unique("charge_items_key").on(t.chargeId, t.kind, t.unit).nullsNotDistinct(),
    check("charge_items_kind", sql`${t.kind} IN ${oneOf(ITEM_KINDS)}`),
    check("charge_items_unit", sql`(${t.kind} = 'unit') = (${t.unit} IS NOT NULL)`),
    check("charge_items_amounts", sql`${t.taxCents} BETWEEN 0 AND ${t.cents}`),
    index("charge_items_order").on(t.orderId),
    uniqueIndex("charge_items_one_charge")
      .on(t.orderId, t.unit)
      .where(sql`${t.kind} = 'unit' AND ${t.releasedAt} IS NULL`),
    uniqueIndex("charge_items_one_shipping")
      .on(t.orderId)
      .where(sql`${t.kind} = 'shipping' AND ${t.releasedAt} IS NULL`),
  ],
);

/** Waivers: money that the buyer would have paid, and staff left to the shop. It counts within the limit of refunds. */
export const waivers = pgTable(
  "waivers",
  {
    id: uuid().primaryKey(),
    orderId: ofOrder(),
    /** Null for the tax of a move to another state. */
    chargeId: uuid(),
    cents: integer().notNull(),
    staffId: uuid(),
    createdAt: writtenAt(),
  },
  (t) => [check("waivers_cents", sql`${t.cents} > 0`), index("waivers_order").on(t.orderId)],
);

/** Promises to give money back. Their items say what for. */
export const refunds = pgTable(
  "refunds",
  {
    id: uuid().primaryKey(),
    orderId: ofOrder(),
    reason: text().notNull(),
    returnId: uuid(),
    askedBy: text().$type<OrderActor>().notNull(),
    staffId: uuid(),
    createdAt: writtenAt(),
    /** Charge of an exchange that it pays, and how much of it; the rest moves. */
    appliedTo: uuid(),
    appliedCents: integer("applied").notNull().default(0),
    /** Staff sent the money another way. */
    otherwiseCents: integer("otherwise").notNull().default(0),
    otherwiseAt: time(),
  },
  (t) => [
    check("refunds_asked_by", sql`${t.askedBy} IN ${oneOf(ORDER_ACTORS)}`),
    index("refunds_order").on(t.orderId),
    index("refunds_otherwise")
      .on(t.otherwiseAt)
      .where(sql`${t.otherwiseAt} IS NOT NULL`),
    index("refunds_return")
      .on(t.returnId)
      .where(sql`${t.returnId} IS NOT NULL`),
  ],
);

export const refundItems = pgTable(
  "refund_items",
  {
    refundId: uuid()
      .notNull()
      .references(() => refunds.id, { onDelete: "cascade" }),
    ...item(),
  },
  (t) => [
    unique("refund_items_key").on(t.refundId, t.kind, t.unit).nullsNotDistinct(),
    check("refund_items_kind", sql`${t.kind} IN ${oneOf(ITEM_KINDS)}`),
    check("refund_items_unit", sql`(${t.kind} = 'unit') = (${t.unit} IS NOT NULL)`),
    check("refund_items_amounts", sql`${t.taxCents} BETWEEN 0 AND ${t.cents}`),
    index("refund_items_order").on(t.orderId),
    uniqueIndex("refund_items_one_refund")
      .on(t.orderId, t.unit)
      .where(sql`${t.kind} = 'unit'`),
    uniqueIndex("refund_items_one_shipping")
      .on(t.orderId)
      .where(sql`${t.kind} = 'shipping'`),
  ],
);
