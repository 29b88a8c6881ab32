import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { ofOrder } from "#shop/orders/order.tables.ts";
import { PARCEL_STATES, PROGRESS, type ParcelState, type Progress } from "#shop/orders/facts.ts";
import { charges } from "#shop/orders/money.tables.ts";
import { CARRIER_CODES, type CarrierCode, LABEL_STATES, type LabelState, type Rate } from "./shipment.ts";

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
    /** Units by order line. */
    units: jsonb().$type<Record<string, number>>().notNull(),
    /** Units by order line that were left to ship when the rates were asked for. */
    unshipped: jsonb().$type<Record<string, number>>().notNull(),
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

/** Parcels. The first one of an order is `packing` until the payment is captured. */
export const shipments = pgTable(
  "shipments",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    carrier: text().$type<CarrierCode>().notNull(),
    trackingNumber: text().notNull(),
    state: text().$type<ParcelState>().notNull(),
    /** Charge for which it waits, or which paid for it. */
    chargeId: uuid().references(() => charges.id),
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
    /** Time of the last question to the carrier; null if there is news. */
    trackedAt: time(),
  },
  (t) => [
    check("shipments_carrier", sql`${t.carrier} IN ${oneOf(CARRIER_CODES)}`),
    check("shipments_state", sql`${t.state} IN ${oneOf(PARCEL_STATES)}`),
    check("shipments_progress", sql`${t.progress} IN ${oneOf(PROGRESS)}`),
    index("shipments_order").on(t.orderId),
    index("shipments_tracking_number").on(t.trackingNumber),
    index("shipments_on_the_way")
      .on(t.trackedAt)
      .where(sql`${t.state} IN ('shipped', 'lost')`),
    index("shipments_in_trouble")
      .on(t.orderId)
      .where(sql`${t.state} IN ('refused', 'lost')`),
    uniqueIndex("shipments_one_capturing")
      .on(t.orderId)
      .where(sql`${t.state} = 'packing'`),
  ],
);

/** Units of orders in parcels. */
export const shipmentUnits = pgTable(
  "shipment_units",
  {
    shipmentId: uuid()
      .notNull()
      .references(() => shipments.id, { onDelete: "cascade" }),
    orderId: uuid().notNull(),
    unit: smallint().notNull(),
    /** The parcel failed, or its unit is to ship again. */
    releasedAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.unit] }),
    uniqueIndex("shipment_units_one_parcel")
      .on(t.orderId, t.unit)
      .where(sql`${t.releasedAt} IS NULL`),
  ],
);
