import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { bytes, time, writtenAt } from "#db/columns.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { ofOrder, orderItems, orders } from "#shop/orders/order.tables.ts";
import {
  OPEN_STATES,
  OUTCOMES,
  RETURN_KINDS,
  RETURN_STATES,
  type Outcome,
  type ReturnKind,
  type ReturnState,
} from "./lifecycle.ts";
import {
  CONDITIONS,
  DEDUCTIONS,
  REFUSE_REASONS,
  RETURN_REASONS,
  type Condition,
  type DeductionReason,
  type RefuseReason,
  type ReturnReason,
} from "./return.ts";

/** Returns, exchanges, defects, warranty claims and repairs. Days are those of New York, amounts are in cents. */
export const returns = pgTable(
  "returns",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Return authorization number, random. */
    number: text().notNull().unique(),
    /** Key of the submitted form: a repeated submission asks once. */
    formKey: uuid().notNull().unique(),
    kind: text().$type<ReturnKind>().notNull(),
    orderId: ofOrder(),
    state: text().$type<ReturnState>().notNull().default("requested"),
    reason: text().$type<ReturnReason>().notNull(),
    /** Words of the customer. */
    description: text().notNull().default(""),
    /** Product wanted in an exchange. */
    exchangeProductId: uuid().references(() => products.id, { onDelete: "set null" }),
    /** More for the wanted product, before tax, as it was reserved; negative if it costs less. */
    differenceCents: integer("difference"),
    labelBy: text().$type<"us" | "customer">().notNull(),
    /** Address of the prepaid label. */
    labelUrl: text(),
    createdAt: writtenAt(),
    authorizedAt: time(),
    /** Last day for the customer to send it. */
    shipBy: date(),
    remindedAt: time(),
    receivedAt: time(),
    /** Last day of the promise: the refund, or the repair or replacement. */
    dueOn: date(),
    inspectedAt: time(),
    refuseReason: text().$type<RefuseReason>(),
    deductionCents: integer("deduction").notNull().default(0),
    deductionReason: text().$type<DeductionReason>(),
    /** Price of a repair; a paid diagnostic fee counts toward it. */
    quoteCents: integer("quote"),
    quoteAcceptedAt: time(),
    outcome: text().$type<Outcome>(),
    /** Refunded with the outcome. */
    refundCents: integer("refund").notNull().default(0),
    /** The order's shipping with its tax, as a part of the refund. */
    shippingRefundCents: integer("shipping_refund").notNull().default(0),
    /** Order of what the shop sends, with what the customer still pays for it. */
    replacementOrderId: uuid().references(() => orders.id, { onDelete: "set null" }),
    /** Order of the diagnostic fee, of which nothing ships. */
    feeOrderId: uuid().references(() => orders.id, { onDelete: "set null" }),
    resolvedAt: time(),
    closedAt: time(),
    /** Member of the staff who acted last. */
    staffId: uuid(),
  },
  (t) => [
    check("returns_kind", sql`${t.kind} IN ${oneOf(RETURN_KINDS)}`),
    check("returns_state", sql`${t.state} IN ${oneOf(RETURN_STATES)}`),
    check("returns_reason", sql`${t.reason} IN ${oneOf(Object.keys(RETURN_REASONS))}`),
    check("returns_outcome", sql`${t.outcome} IN ${oneOf(OUTCOMES)}`),
    check("returns_resolved", sql`(${t.outcome} IS NOT NULL) = (${t.state} IN ('resolved', 'closed'))`),
    check("returns_ship_by", sql`${t.state} <> 'authorized' OR ${t.shipBy} IS NOT NULL`),
    check("returns_refuse_reason", sql`${t.refuseReason} IN ${oneOf(Object.keys(REFUSE_REASONS))}`),
    check("returns_declined", sql`${t.state} <> 'declined' OR ${t.refuseReason} IS NOT NULL`),
    check("returns_deduction", sql`(${t.deductionCents} > 0) = (${t.deductionReason} IS NOT NULL)`),
    check("returns_deduction_reason", sql`${t.deductionReason} IN ${oneOf(Object.keys(DEDUCTIONS))}`),
    check("returns_amounts", sql`least(${t.deductionCents}, ${t.quoteCents}, ${t.shippingRefundCents}) >= 0`),
    check("returns_refund", sql`${t.refundCents} >= ${t.shippingRefundCents}`),
    index("returns_order").on(t.orderId),
    index("returns_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("returns_state").on(t.state, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("returns_ship_by")
      .on(t.shipBy)
      .where(sql`${t.state} = 'authorized'`),
    index("returns_open")
      .on(t.dueOn)
      .where(sql`${t.state} IN ${oneOf(OPEN_STATES)}`),
  ],
);

export const returnItems = pgTable(
  "return_items",
  {
    returnId: uuid()
      .notNull()
      .references(() => returns.id, { onDelete: "cascade" }),
    orderItemId: uuid()
      .notNull()
      .references(() => orderItems.id, { onDelete: "cascade" }),
    quantity: integer().notNull(),
    /** As inspected. */
    condition: text().$type<Condition>(),
    /** The units went back on the shelf; otherwise they were written off. */
    isRestocked: boolean("restocked").notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.returnId, t.orderItemId] }),
    check("return_items_quantity", sql`${t.quantity} > 0`),
    check("return_items_condition", sql`${t.condition} IN ${oneOf(Object.keys(CONDITIONS))}`),
    index("return_items_item").on(t.orderItemId),
  ],
);

/** Photos of the customer, encoded again by the shop; only staff and their sender see them. */
export const returnPhotos = pgTable(
  "return_photos",
  {
    id: uuid().primaryKey().defaultRandom(),
    returnId: uuid()
      .notNull()
      .references(() => returns.id, { onDelete: "cascade" }),
    image: bytes().notNull(),
    createdAt: writtenAt(),
  },
  (t) => [index("return_photos_return").on(t.returnId)],
);
