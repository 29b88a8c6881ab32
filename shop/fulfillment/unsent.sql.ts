/** SQL about orders with units left to ship. The partial indexes of orders have the same condition. */
import { sql } from "drizzle-orm";

export const isUnsent = sql`(status = 'processing' OR status = 'shipped' AND rest_to_ship)`;
/** Units of an order line, as `line`, that are neither canceled nor in a parcel. */
export const unitsLeft = sql`(line.quantity - line.canceled_quantity - coalesce((
  SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
  WHERE packed.order_item_id = line.id AND sent.state <> 'failed' AND sent.resent_at IS NULL), 0))`;
