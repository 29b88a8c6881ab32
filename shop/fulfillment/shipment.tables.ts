import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { ofOrder, orderItems } from "#shop/orders/order.tables.ts";
import { paymentActions } from "#shop/payments/payment.tables.ts";
import {
  CARRIER_CODES,
  type CarrierCode,
  LABEL_STATES,
  type LabelState,
  PROGRESS,
  type Progress,
  type Rate,
  SHIPMENT_STATES,
  type ShipmentState,
} from "./shipment.ts";

/** Labels for parcels: what each carrier asks, then the one that was bought. Written before the provider is called. */
export const labels = pgTable(
  "labels",
  {
    /** Key of the label at the provider. */
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    state: text().$type<LabelState>().notNull().default("quoted"),
    box: text().notNull(),
    ounces: integer().notNull(),
    /** Units by order line; null for all that was left. */
    units: jsonb().$type<Record<string, number>>(),
    rates: jsonb().$type<Rate[]>().notNull(),
    /** The rate that was chosen. */
    rate: jsonb().$type<Rate>(),
    trackingNumber: text(),
    /** Address of the picture to print, at the provider. */
    url: text(),
    /** Code of the provider for a purchase or a refund that it refused. */
    problem: text(),
    staffId: uuid(),
    createdAt: writtenAt(),
  },
  (t) => [
    check("labels_state", sql`${t.state} IN ${oneOf(LABEL_STATES)}`),
    check("labels_rate", sql`${t.state} = 'quoted' OR ${t.rate} IS NOT NULL`),
    index("labels_order").on(t.orderId),
    index("labels_quoted")
      .on(t.createdAt)
      .where(sql`${t.state} = 'quoted'`),
    uniqueIndex("labels_one_due")
      .on(t.orderId)
      .where(sql`${t.state} IN ('asked', 'bought')`),
    index("labels_voiding")
      .on(t.createdAt)
      .where(sql`${t.state} = 'voiding'`),
  ],
);

/** Parcels. The first one of an order is `capturing` until the payment is captured. */
export const shipments = pgTable(
  "shipments",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    carrier: text().$type<CarrierCode>().notNull(),
    trackingNumber: text().notNull(),
    state: text().$type<ShipmentState>().notNull(),
    captureId: uuid().references(() => paymentActions.id),
    /** Null if staff pasted the tracking number. */
    labelId: uuid()
      .unique()
      .references(() => labels.id),
    staffId: uuid(),
    createdAt: writtenAt(),
    shippedAt: time(),
    progress: text().$type<Progress>(),
    /** Time of the progress, or of the refusal or loss. */
    progressAt: time(),
    deliveredAt: time(),
    /** Time at which staff had a refused parcel back. */
    returnedAt: time(),
    /** Time since which the items of a refused or lost parcel are to ship again. */
    resentAt: time(),
    /** Time of the last question to the carrier; null if there is news. */
    trackedAt: time(),
  },
  (t) => [
    check("shipments_carrier", sql`${t.carrier} IN ${oneOf(CARRIER_CODES)}`),
    check("shipments_state", sql`${t.state} IN ${oneOf(SHIPMENT_STATES)}`),
    check("shipments_progress", sql`${t.progress} IN ${oneOf(PROGRESS)}`),
    index("shipments_order").on(t.orderId),
    index("shipments_tracking_number").on(t.trackingNumber),
    index("shipments_on_the_way")
      .on(t.trackedAt)
      .where(sql`${t.state} IN ('shipped', 'lost')`),
    index("shipments_in_trouble")
      .on(t.orderId)
      .where(sql`${t.state} IN ('refused', 'lost') AND ${t.resentAt} IS NULL`),
    uniqueIndex("shipments_one_capturing")
      .on(t.orderId)
      .where(sql`${t.state} = 'capturing'`),
  ],
);

export const shipmentItems = pgTable(
  "shipment_items",
  {
    shipmentId: uuid()
      .notNull()
      .references(() => shipments.id, { onDelete: "cascade" }),
    orderItemId: uuid()
      .notNull()
      .references(() => orderItems.id, { onDelete: "cascade" }),
    quantity: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.orderItemId] }),
    check("shipment_items_quantity", sql`${t.quantity} > 0`),
    index("shipment_items_item").on(t.orderItemId),
  ],
);
