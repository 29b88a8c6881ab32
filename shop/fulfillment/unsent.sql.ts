/** SQL about orders with units left to ship. The partial indexes of orders have the same condition. */
import { sql } from "drizzle-orm";

export const isUnsent = sql`(status = 'processing' OR status = 'shipped' AND rest_to_ship)`;
/** Units of an order line, as `line`, that are neither canceled nor in a parcel. */
export const unitsLeft = sql`(line.quantity - line.canceled_quantity - coalesce((
  SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
  WHERE packed.order_item_id = line.id AND sent.state <> 'failed' AND sent.resent_at IS NULL), 0))`;

/** Condition on payments and their orders: the saved card refused a charge, and nothing replaces it. */
export const isRefused = sql`orders.payment_status IN ('failed', 'refund-failed') AND ${isUnsent}
  AND payments.saved_customer IS NOT NULL AND refused_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM payments AS other WHERE other.order_id = orders.id AND (other.state = 'authorized'
    OR other.saved_customer IS NOT NULL AND other.created_at > payments.created_at))`;
