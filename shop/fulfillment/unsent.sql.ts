/** SQL about orders with units left to ship. The partial indexes of orders have the same condition. */
import { sql } from "drizzle-orm";

export const isUnsent = sql`(status = 'processing' OR status = 'shipped' AND rest_to_ship)`;

/** Condition on payments and their orders: the saved card refused a charge, and nothing replaces it. */
export const isRefused = sql`orders.payment_status IN ('failed', 'refund-failed') AND ${isUnsent}
  AND payments.saved_customer IS NOT NULL AND refused_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM payments AS other WHERE other.order_id = orders.id AND (other.state = 'authorized'
    OR other.saved_customer IS NOT NULL AND other.created_at > payments.created_at))`;
