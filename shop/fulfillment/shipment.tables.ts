import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { writtenAt } from "#db/written-at.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { paymentActions } from "#shop/payments/payment.tables.ts";
import { CARRIER_CODES, type CarrierCode, SHIPMENT_STATES, type ShipmentState } from "./shipment.ts";

/** Parcels. The first one of an order is `capturing` until the payment is captured. */
export const shipments = pgTable(
  "shipments",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    carrier: text().$type<CarrierCode>().notNull(),
    trackingNumber: text().notNull(),
    state: text().$type<ShipmentState>().notNull(),
    captureId: uuid().references(() => paymentActions.id),
    staffId: uuid(),
    createdAt: writtenAt(),
    shippedAt: timestamp({ withTimezone: true }),
    deliveredAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("shipments_carrier", sql`${t.carrier} IN ${oneOf(CARRIER_CODES)}`),
    check("shipments_state", sql`${t.state} IN ${oneOf(SHIPMENT_STATES)}`),
    index("shipments_order").on(t.orderId),
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
