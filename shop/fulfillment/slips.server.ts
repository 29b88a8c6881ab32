/** What goes into a parcel and where to: for the paper that lies in it. No sums, no email. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { ShippingMethod } from "../shipping/methods.ts";

export type Slip = {
  id: string;
  placedAt: Date;
  method: ShippingMethod;
  address: string[];
  isOnHold: boolean;
  lines: { name: string; units: number }[];
};

/** Slips in the order of `ids`, with the units that are neither canceled nor in a parcel before. */
export async function listSlips(db: Database, ids: string[]): Promise<Slip[]> {
  const { rows } = await db.execute<Omit<Slip, "placedAt"> & { placedAt: string }>(sql`
    SELECT orders.id, created_at AS "placedAt", shipping_method AS method, on_hold_since IS NOT NULL AS "isOnHold",
      array_remove(ARRAY[shipping_first_name || ' ' || shipping_last_name, shipping_address_line1,
        nullif(shipping_address_line2, ''), shipping_city || ', ' || shipping_state || ' ' || shipping_postal_code], NULL) AS address,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'units', units) ORDER BY name), '[]') FROM (
        SELECT name, quantity - canceled_quantity - coalesce((
          SELECT sum(packed.quantity)::int FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
          WHERE packed.order_item_id = order_items.id AND sent.state NOT IN ('failed', 'capturing')), 0) AS units
        FROM order_items WHERE order_id = orders.id) AS kept WHERE units > 0) AS lines
    FROM unnest(${`{${ids.join(",")}}`}::uuid[]) WITH ORDINALITY AS asked (id, place) JOIN orders USING (id) ORDER BY place`);
  return rows.map((row) => ({ ...row, placedAt: new Date(row.placedAt) }));
}
