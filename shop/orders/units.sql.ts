/** SQL about the units of orders. */
import { getTableColumns, sql, type Placeholder, type SQL } from "drizzle-orm";
import { columnsOf } from "#db/columns-of.ts";
import { orderItems } from "./order.tables.ts";
import { UNIT_COLUMNS, type NewUnit } from "./units.ts";

/** INSERT of the units of a new order, one text for any number of them. `units` are its columns, or their placeholders. */
export const insertUnitColumns = (orderId: string | Placeholder, units: Record<keyof NewUnit, unknown>): SQL => sql`
  INSERT INTO order_units (order_id, number, order_item_id, price, tax)
  SELECT ${orderId}::uuid, * FROM unnest(${sql.param(units.number)}::smallint[], ${sql.param(units.orderItemId)}::uuid[],
    ${sql.param(units.priceCents)}::int[], ${sql.param(units.taxCents)}::int[])`;

export const insertUnits = (orderId: string, units: readonly NewUnit[]): SQL =>
  insertUnitColumns(orderId, columnsOf(units, UNIT_COLUMNS));

/** Canceled units of the order line with an id. */
export const canceledOf = (lineId: SQL) => sql<number>`(SELECT count(*)::int FROM order_units
  WHERE order_item_id = ${lineId} AND canceled_at IS NOT NULL)`;

/** Canceled units of a row of order_items. */
export const canceledUnits = canceledOf(sql`order_items.id`);

const keptOf = (line: SQL, cents: SQL) => sql<number>`(SELECT coalesce(sum(${cents}), 0)::int FROM order_units AS unit
  WHERE order_item_id = ${line}.id AND canceled_at IS NULL)`;

/** Tax of the units of an order line that are not canceled, and what is off their price, in cents. */
export const taxKeptOf = (line: SQL) => keptOf(line, sql`unit.tax`);
export const discountKeptOf = (line: SQL) => keptOf(line, sql`${line}.price - unit.price`);

const items = sql`order_items`;
/** The same of a row of order_items, with its canceled units. */
export const keptColumns = {
  canceledQuantity: canceledUnits,
  taxKeptCents: taxKeptOf(items),
  discountKeptCents: discountKeptOf(items),
};

export const lineColumns = { ...getTableColumns(orderItems), ...keptColumns };

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

/** Condition on rows of order_units as `unit`: a return sends it back to its owner. */
export const goesBack = sql`EXISTS (SELECT FROM return_units AS back
  WHERE back.order_id = unit.order_id AND back.unit = unit.number AND goes_back_at IS NOT NULL)`;

/** Those of `unitsLeft` that leave the shop's own stock. */
export const stockLeft = sql`(SELECT count(*)::int FROM order_units AS unit
  WHERE unit.order_id = line.order_id AND unit.order_item_id = line.id AND ${isWaiting} AND NOT unit.own)`;
