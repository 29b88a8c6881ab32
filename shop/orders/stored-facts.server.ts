/** Tables and columns in which the facts of an order are stored. */
import { getTableColumns, sql, type AnyColumn, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { shipments, shipmentUnits } from "#shop/fulfillment/shipment.tables.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import { returnUnits } from "#shop/returns/return.tables.ts";
import { taxRecords } from "#shop/tax/tax.tables.ts";
import type { DecidedBy } from "./change.ts";
import type { Facts, OrderRow } from "./facts.ts";
import { chargeItems, charges, refundItems, refunds, waivers } from "./money.tables.ts";
import { orderItems, orders } from "./order.tables.ts";
import { ADDRESS_PARTS, type Address } from "./order.ts";
import { wasConfirmed } from "./stage.sql.ts";
import { sumOf } from "./tax.ts";
import { delayNotices, orderUnits } from "./unit.tables.ts";

export type Table = Exclude<keyof Facts, "order">;
export type Column = AnyColumn | SQL;
export type Stored<Row> = {
  table: PgTable;
  /** Column of each field; an expression is only read. */
  columns: Record<keyof Row, Column>;
  /** Fields that name a row within its order. */
  key: readonly (keyof Row & string)[];
  of?: SQL;
  by: SQL;
  /** Columns of a new row beside those of its fields. */
  more?(row: Row, act: DecidedBy): Record<string, unknown>;
};
type Rows = { [Name in Table]: Stored<Facts[Name][number]> };

const ofPayment = sql`payment_id IN (SELECT payments.id FROM payments WHERE payments.order_id = orders.id)`;
// The indexes of their units by order hold only what is in a live parcel or an open return.
const ofParcel = sql`shipment_id IN (SELECT shipments.id FROM shipments WHERE shipments.order_id = orders.id)`;
const ofReturn = sql`return_id IN (SELECT returns.id FROM returns WHERE returns.order_id = orders.id)`;

/** Tables of the facts, and the order in which their rows are read. */
export const STORED: Rows = {
  lines: {
    table: orderItems,
    columns: {
      id: orderItems.id,
      productId: orderItems.productId,
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      taxCents: orderItems.taxCents,
      quantity: orderItems.quantity,
      position: orderItems.position,
      shipsFrom: orderItems.shipsFrom,
      warrantyYears: orderItems.warrantyYears,
      returnId: orderItems.returnId,
    },
    key: ["id"],
    by: sql`position, name, id`,
  },
  units: {
    table: orderUnits,
    columns: without(orderUnits, { lineId: orderUnits.orderItemId }, ["orderId", "orderItemId"]),
    key: ["number"],
    by: sql`number`,
  },
  parcels: {
    table: shipments,
    columns: {
      id: shipments.id,
      state: shipments.state,
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
      labelId: shipments.labelId,
      chargeId: shipments.chargeId,
      createdAt: shipments.createdAt,
      shippedAt: shipments.shippedAt,
      progress: shipments.progress,
      progressAt: shipments.progressAt,
      deliveredAt: shipments.deliveredAt,
      returnedAt: shipments.returnedAt,
    },
    key: ["id"],
    by: sql`created_at, id`,
    more: (_row, { staffId }) => ({ staffId }),
  },
  packed: {
    table: shipmentUnits,
    columns: { parcelId: shipmentUnits.shipmentId, unit: shipmentUnits.unit, releasedAt: shipmentUnits.releasedAt },
    of: ofParcel,
    key: ["parcelId", "unit"],
    by: sql`shipment_id, unit`,
  },
  charges: { table: charges, columns: without(charges, {}, ["orderId"]), key: ["id"], by: sql`created_at, id` },
  chargeItems: {
    table: chargeItems,
    columns: without(chargeItems, {}, ["orderId"]),
    key: ["chargeId", "kind", "unit"],
    by: sql`charge_id, unit, kind`,
  },
  refunds: { table: refunds, columns: without(refunds, {}, ["orderId"]), key: ["id"], by: sql`created_at, id` },
  refundItems: {
    table: refundItems,
    columns: without(refundItems, {}, ["orderId"]),
    key: ["refundId", "kind", "unit"],
    by: sql`refund_id, unit, kind`,
  },
  waivers: { table: waivers, columns: without(waivers, {}, ["orderId"]), key: ["id"], by: sql`created_at, id` },
  payments: {
    table: payments,
    columns: {
      id: payments.id,
      kind: sql`CASE WHEN provider = 'manual' THEN 'arranged' ELSE kind END`,
      state: payments.state,
      chargeId: payments.chargeId,
      savedPaymentId: payments.savedPaymentId,
      provider: payments.provider,
      arrangement: payments.arrangement,
      amountCents: payments.amountCents,
      authorizedCents: payments.authorizedCents,
      capturedCents: payments.capturedCents,
      refundedCents: payments.refundedCents,
      hasCard: sql`saved_customer IS NOT NULL`,
      captureBefore: payments.captureBefore,
      refusedAt: payments.refusedAt,
      dispute: payments.dispute,
      createdAt: payments.createdAt,
    },
    key: ["id"],
    by: sql`created_at, id`,
    more: ({ kind }) => ({ kind: kind === "arranged" ? "page" : kind }),
  },
  attempts: {
    table: paymentActions,
    columns: {
      id: paymentActions.id,
      paymentId: paymentActions.paymentId,
      kind: paymentActions.kind,
      chargeId: paymentActions.chargeId,
      refundId: paymentActions.refundId,
      cents: paymentActions.amountCents,
      state: paymentActions.state,
      createdAt: paymentActions.createdAt,
    },
    of: ofPayment,
    key: ["id"],
    by: sql`created_at, id`,
    more: ({ state, createdAt }, { by, staffId }) => ({
      askedBy: by,
      staffId,
      ...(state === "done" && { doneAt: createdAt }),
    }),
  },
  delays: { table: delayNotices, columns: without(delayNotices, {}, ["orderId"]), key: ["id"], by: sql`sent_at, id` },
  returned: {
    table: returnUnits,
    columns: without(returnUnits, {}, ["orderId"]),
    of: ofReturn,
    key: ["returnId", "unit"],
    by: sql`return_id, unit`,
  },
  taxRecords: {
    table: taxRecords,
    columns: {
      chargeId: taxRecords.chargeId,
      refundId: taxRecords.refundId,
      parts: taxRecords.parts,
      address: taxRecords.address,
    },
    key: ["chargeId", "refundId"],
    by: sql`created_at, charge_id, refund_id`,
    more: ({ refundId, parts }) => ({ kind: refundId === null ? "record" : "reverse", ...sumOf(parts) }),
  },
};

/** All columns of a table but some, and others under another name. */
function without<Row>(table: PgTable, others: object, left: string[]): Record<keyof Row, Column> {
  const own = Object.entries(getTableColumns(table)).filter(([name]) => !left.includes(name));
  return { ...Object.fromEntries(own), ...others } as unknown as Record<keyof Row, Column>;
}

export const orderColumns: Record<keyof OrderRow, Column> = {
  id: orders.id,
  placedAt: orders.createdAt,
  shippingMethod: orders.shippingMethod,
  shippingCents: orders.shippingCents,
  shippingTaxCents: orders.shippingTaxCents,
  shippingWaivedCents: orders.shippingWaivedCents,
  shipBy: orders.shipBy,
  promisedAt: orders.promisedAt,
  holdUntil: orders.holdUntil,
  confirmedAt: sql`CASE WHEN ${wasConfirmed} THEN orders.created_at END`,
  // One of which nothing arrived is canceled too, but has no end before it shipped. A count, unlike EXISTS, is never hashed over
  // all parcels for a page of orders.
  end: sql`CASE WHEN orders.stage IN ('declined', 'expired') OR orders.stage = 'canceled' AND (SELECT count(*) FROM shipments
    WHERE order_id = orders.id AND shipments.state NOT IN ('packing', 'failed')) = 0 THEN orders.stage END`,
  isPaymentAsked: sql`(SELECT count(*) FROM order_events WHERE order_id = orders.id AND type = 'payment-requested') > 0`,
  acceptedAt: orders.acceptedAt,
  onHoldSince: orders.onHoldSince,
  taxReference: orders.taxReference,
  ...(Object.fromEntries(ADDRESS_PARTS.map((part) => [part, orders[part]])) as unknown as Record<
    keyof Address,
    Column
  >),
  stored: sql`json_build_object('stage', orders.stage, 'paymentStatus', orders.payment_status, 'attention', orders.attention,
    'answerBy', orders.answer_by, 'announceOn', orders.announce_on)`,
};
