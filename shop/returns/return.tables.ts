import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { bytes, time, writtenAt } from "#db/columns.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { ofOrder } from "#shop/orders/order.tables.ts";
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
    /** Its price when its customer asked for it, and the tax of all its units. */
    exchangePriceCents: integer("exchange_price"),
    exchangeTaxCents: integer("exchange_tax"),
    labelBy: text().$type<"us" | "customer">().notNull(),
    /** Address of the prepaid label. */
    labelUrl: text(),
    createdAt: writtenAt(),
    authorizedAt: time(),
    /** Last day for the customer to send it; null while the shop owes the label. */
    shipBy: date(),
    remindedAt: time(),
    receivedAt: time(),
    /** Last day of the promise: the refund, or the repair or replacement. */
    dueOn: date(),
    inspectedAt: time(),
    refuseReason: text().$type<RefuseReason>(),
    deductionCents: integer("deduction").notNull().default(0),
    deductionReason: text().$type<DeductionReason>(),
    /** Price of a repair; a paid diagnostic fee comes off. */
    quoteCents: integer("quote"),
    quoteAcceptedAt: time(),
    outcome: text().$type<Outcome>(),
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
    check("returns_ship_by", sql`${t.state} <> 'authorized' OR ${t.shipBy} IS NOT NULL OR ${t.labelBy} = 'us'`),
    check("returns_refuse_reason", sql`${t.refuseReason} IN ${oneOf(Object.keys(REFUSE_REASONS))}`),
    check("returns_declined", sql`${t.state} <> 'declined' OR ${t.refuseReason} IS NOT NULL`),
    check("returns_deduction", sql`(${t.deductionCents} > 0) = (${t.deductionReason} IS NOT NULL)`),
    check("returns_deduction_reason", sql`${t.deductionReason} IN ${oneOf(Object.keys(DEDUCTIONS))}`),
    check(
      "returns_amounts",
      sql`least(${t.deductionCents}, ${t.quoteCents}, ${t.exchangePriceCents}, ${t.exchangeTaxCents}) >= 0`,
    ),
    index("returns_order").on(t.orderId),
    index("returns_newest").on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("returns_state").on(t.state, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("returns_label_owed")
      .on(t.authorizedAt)
      .where(sql`${t.state} = 'authorized' AND ${t.shipBy} IS NULL`),
    index("returns_ship_by")
      .on(t.shipBy)
      .where(sql`${t.state} = 'authorized'`),
    index("returns_open")
      .on(t.dueOn)
      .where(sql`${t.state} IN ${oneOf(OPEN_STATES)}`),
  ],
);

/** Units of orders in returns. */
export const returnUnits = pgTable(
  "return_units",
  {
    returnId: uuid()
      .notNull()
      .references(() => returns.id, { onDelete: "cascade" }),
    orderId: uuid().notNull(),
    unit: smallint().notNull(),
    /** As inspected. */
    condition: text().$type<Condition>(),
    /** It went back on the shelf; otherwise it was written off. */
    isRestocked: boolean("restocked").notNull().default(false),
    /** Its return promises the shipping of the order back. */
    promisesShipping: boolean().notNull().default(false),
    receivedAt: time(),
    /** The shop sends the customer's own unit back: repaired, or as it came. */
    goesBackAt: time(),
    /** The customer has it, or has it again, so that it may be in another return. */
    endedAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.returnId, t.unit] }),
    check("return_units_condition", sql`${t.condition} IN ${oneOf(Object.keys(CONDITIONS))}`),
    uniqueIndex("return_units_one_return")
      .on(t.orderId, t.unit)
      .where(sql`${t.endedAt} IS NULL`),
  ],
);

/** Units of each line in each return. Read by return or by order: the planner groups no more than that. */
export const returnItems = pgView("return_items", {
  returnId: uuid("return_id").notNull(),
  orderId: uuid("order_id").notNull(),
  orderItemId: uuid("order_item_id").notNull(),
  quantity: integer("quantity").notNull(),
  condition: text("condition").$type<Condition>(),
  isRestocked: boolean("restocked").notNull(),
}).existing();

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
