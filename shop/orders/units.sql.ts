/** SQL about the units of orders. */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { OrderActor } from "./lifecycle.ts";
import { orderItems } from "./order.tables.ts";
import type { NewUnit } from "./units.ts";

const columnOf = <Key extends keyof NewUnit>(units: readonly NewUnit[], key: Key): SQL =>
  sql`${sql.param(units.map((unit) => unit[key]))}`;

/** INSERT of the units of a new order, one text for any number of them. */
export const insertUnits = (orderId: string, units: readonly NewUnit[]): SQL => sql`
  INSERT INTO order_units (order_id, number, order_item_id, price, tax)
  SELECT ${orderId}::uuid, * FROM unnest(${columnOf(units, "number")}::smallint[], ${columnOf(units, "orderItemId")}::uuid[],
    ${columnOf(units, "priceCents")}::int[], ${columnOf(units, "taxCents")}::int[])`;

/** Canceled units of the order line with an id. */
export const canceledOf = (lineId: SQL) => sql<number>`(SELECT count(*)::int FROM order_units
  WHERE order_item_id = ${lineId} AND canceled_at IS NOT NULL)`;

/** Canceled units of a row of order_items. */
export const canceledUnits = canceledOf(sql`order_items.id`);

/** Columns of a row of order_items, with its canceled units. */
export const lineColumns = { ...getTableColumns(orderItems), canceledQuantity: canceledUnits };

/** Condition on rows of order_units as `unit`: neither canceled, set aside nor in a parcel. */
export const isWaiting = sql`(unit.canceled_at IS NULL AND NOT unit.reserved AND NOT EXISTS (
  SELECT FROM shipment_units AS packed
  WHERE packed.order_id = unit.order_id AND packed.unit = unit.number AND packed.released_at IS NULL))`;

/** Condition on rows of order_units as `unit`: in a parcel that waits for its charge. */
export const isPacking = sql`EXISTS (SELECT FROM shipment_units AS packed JOIN shipments ON shipments.id = packed.shipment_id
  WHERE packed.order_id = unit.order_id AND packed.unit = unit.number AND packed.released_at IS NULL AND state = 'packing')`;

/** Units of an order line, as `line`, that are neither canceled nor in a parcel. */
export const unitsLeft = sql`(SELECT count(*)::int FROM order_units AS unit
  WHERE unit.order_id = line.order_id AND unit.order_item_id = line.id AND ${isWaiting})`;

/** Units by the id of their line. */
export type UnitsByLine = readonly { lineId: string; units: number }[];

/** SELECT of as many units of each line as asked, of those that meet a condition on `unit`, in an order. */
const chosenUnits = (orderId: string, asked: UnitsByLine, condition: SQL, order: SQL): SQL => sql`
  SELECT order_id, number FROM (
    SELECT unit.order_id, unit.number, unit.order_item_id,
      row_number() OVER (PARTITION BY unit.order_item_id ORDER BY ${order}) AS place
    FROM order_units AS unit WHERE unit.order_id = ${orderId}::uuid AND ${condition}) AS found
  JOIN unnest(${sql.param(asked.map(({ lineId }) => lineId))}::uuid[], ${sql.param(asked.map(({ units }) => units))}::int[])
    AS asked (line, units) ON asked.line = found.order_item_id AND place <= asked.units`;

/** The first units that meet a condition; those of `last` come after the others. */
export const firstUnits = (orderId: string, asked: UnitsByLine, condition: SQL, last = sql`false`): SQL =>
  chosenUnits(orderId, asked, condition, sql`${last}, unit.number`);

/** INSERT of units that wait into a parcel. */
export const packUnits = (orderId: string, shipmentId: string, packed: UnitsByLine): SQL => sql`
  INSERT INTO shipment_units (order_id, unit, shipment_id)
  SELECT order_id, number, ${shipmentId}::uuid FROM (${firstUnits(orderId, packed, isWaiting)}) AS chosen`;

/** UPDATE that cancels the last units of lines that wait. */
export const cancelWaiting = (orderId: string, asked: UnitsByLine, by: OrderActor, reason: string): SQL => sql`
  UPDATE order_units SET canceled_at = now(), canceled_by = ${by}, cancel_reason = ${reason}
  FROM (${chosenUnits(orderId, asked, isWaiting, sql`unit.number DESC`)}) AS chosen
  WHERE order_units.order_id = chosen.order_id AND order_units.number = chosen.number`;
