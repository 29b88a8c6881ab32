/** Packing slips, and units still to ship. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { isUnpaid, isUnsent } from "#shop/orders/stage.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { fastMethod, type ShippingMethod } from "#shop/shipping/methods.ts";
import { isPacking, isWaiting, stockLeft } from "#shop/orders/units.sql.ts";

type ParcelLine = { name: string; units: number };

type Slip = {
  id: string;
  orderId: string;
  placedAt: Date;
  /** Its name when the order was placed. */
  methodName: string;
  isFast: boolean;
  address: string[];
  giftMessage: string | null;
  isOnHold: boolean;
  /** The parcel has a label to print. */
  hasLabel: boolean;
  lines: (ParcelLine & {
    /** The day, YYYY-MM-DD, before which a pre-ordered line of an order does not ship; null if it may. */
    shipsFrom: string | null;
  })[];
};

/** Packing slips of orders, with the units neither canceled nor in an earlier parcel, or of single parcels. */
export async function listSlips(db: Database, ids: string[]): Promise<Slip[]> {
  const { rows } = await db.execute<
    Omit<Slip, "placedAt" | "methodName" | "isFast"> & { placedAt: string; method: ShippingMethod }
  >(sql`
    SELECT asked.id, orders.id AS "orderId", orders.created_at AS "placedAt", shipping_method AS method,
      gift_message AS "giftMessage", on_hold_since IS NOT NULL AS "isOnHold", coalesce(labels.state = 'used', false) AS "hasLabel",
      array_remove(ARRAY[shipping_first_name || ' ' || shipping_last_name, shipping_address_line1,
        nullif(shipping_address_line2, ''), shipping_city || ', ' || shipping_state || ' ' || shipping_postal_code], NULL) AS address,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'units', units, 'shipsFrom', waits) ORDER BY position, name), '[]') FROM (
        SELECT name, position, CASE WHEN parcel.id IS NULL AND ships_from > ${today} THEN ships_from END AS waits, CASE WHEN parcel.id IS NULL
          THEN (SELECT count(*)::int FROM order_units AS unit WHERE unit.order_id = orders.id
            AND unit.order_item_id = order_items.id AND (${isWaiting} OR ${isPacking}))
          ELSE (SELECT count(*)::int FROM shipment_units AS packed JOIN order_units AS unit ON unit.order_id = packed.order_id AND unit.number = packed.unit
            WHERE unit.order_item_id = order_items.id AND packed.shipment_id = parcel.id) END AS units
        FROM order_items WHERE order_id = orders.id) AS kept WHERE units > 0) AS lines
    FROM unnest(${`{${ids.join(",")}}`}::uuid[]) WITH ORDINALITY AS asked (id, place)
      LEFT JOIN shipments AS parcel ON parcel.id = asked.id LEFT JOIN labels ON labels.id = parcel.label_id
      JOIN orders ON orders.id = coalesce(parcel.order_id, asked.id)
    ORDER BY place`);
  return rows.map(({ method, ...row }) => {
    const placedAt = new Date(row.placedAt);
    const methodName = settingsAt(placedAt).shipping[method].name;
    return { ...row, placedAt, methodName, isFast: fastMethod(method, methodName) !== null };
  });
}

/** SELECT of the committed units of a product: sold or set aside but not shipped, so still on the shelf. */
export const unsentUnits = (productId: string): SQL => sql`
  SELECT coalesce(sum(${stockLeft}), 0) + (SELECT count(*) FROM order_units AS unit JOIN order_items ON order_items.id = order_item_id
    WHERE unit.reserved AND unit.canceled_at IS NULL AND product_id = ${productId}::uuid)
  FROM orders JOIN order_items AS line ON line.order_id = orders.id
  WHERE (${isUnpaid} OR ${isUnsent}) AND line.product_id = ${productId}::uuid`;

export async function countUnsent(db: Database, productId: string): Promise<number> {
  const { rows } = await db.execute<{ units: number }>(sql`SELECT (${unsentUnits(productId)})::int AS units`);
  return rows[0]?.units ?? 0;
}
