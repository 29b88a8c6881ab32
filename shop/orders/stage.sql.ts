/** Conditions on the stage of orders, for lists and jobs. */
import { sql } from "drizzle-orm";

/** Something is left to ship. The partial indexes of orders have the same condition. */
export const isUnsent = sql`stage IN ('to-ship', 'partly-shipped')`;

export const isUnpaid = sql`stage = 'unpaid'`;

/** Paid or to be paid by arrangement, and not ended before anything shipped. */
export const isConfirmed = sql`stage IN ('to-ship', 'partly-shipped', 'shipped', 'delivered')`;

/** Nothing more of it ships. */
export const isOver = sql`stage NOT IN ('unpaid', 'to-ship', 'partly-shipped')`;

/** Condition on payments and their orders: the saved card refused a charge, and nothing replaces it. */
export const isRefused = sql`orders.payment_status IN ('failed', 'refund-failed') AND ${isUnsent}
  AND payments.saved_customer IS NOT NULL AND refused_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM payments AS other WHERE other.order_id = orders.id AND (other.state = 'authorized'
    OR other.saved_customer IS NOT NULL AND other.created_at > payments.created_at))`;
