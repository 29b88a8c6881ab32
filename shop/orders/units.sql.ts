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

/** Canceled units of a row of order_items. */
export const canceledUnits = sql<number>`(SELECT count(*)::int FROM order_units
  WHERE order_item_id = order_items.id AND canceled_at IS NOT NULL)`;

const sumKept = (cents: SQL) => sql<number>`(SELECT coalesce(sum(${cents}), 0)::int FROM order_units AS unit
  WHERE order_item_id = order_items.id AND canceled_at IS NULL)`;

/** The same with the tax of its units that are not canceled, and what is off their price, in cents. */
export const keptColumns = {
  canceledQuantity: canceledUnits,
  taxKeptCents: sumKept(sql`unit.tax`),
  discountKeptCents: sumKept(sql`order_items.price - unit.price`),
};

export const lineColumns = { ...getTableColumns(orderItems), ...keptColumns };

/** Condition on rows of order_units as `unit`: neither canceled, set aside nor in a parcel. */
export const isWaiting = sql`(unit.canceled_at IS NULL AND NOT unit.reserved AND NOT EXISTS (
  SELECT FROM shipment_units AS packed
  WHERE packed.order_id = unit.order_id AND packed.unit = unit.number AND packed.released_at IS NULL))`;

/** Condition on rows of order_units as `unit`: it waits to ship, and was not refunded before. As mayShip. */
export const mayShip = sql`(${isWaiting} AND (unit.own OR NOT EXISTS (
  SELECT FROM refund_items AS item WHERE item.order_id = unit.order_id AND item.unit = unit.number)))`;

/** Condition on rows of order_units as `unit`: a return sends it back to its owner. */
export const goesBack = sql`EXISTS (SELECT FROM return_units AS back
  WHERE back.order_id = unit.order_id AND back.unit = unit.number AND goes_back_at IS NOT NULL)`;

/** Units of an order line, as `line`, that wait and leave the shop's own stock. */
export const stockLeft = sql`(SELECT count(*)::int FROM order_units AS unit
  WHERE unit.order_id = line.order_id AND unit.order_item_id = line.id AND ${isWaiting} AND NOT unit.own)`;
