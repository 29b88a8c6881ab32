/** SQL about what an order charges for. */
import { sql, type SQL } from "drizzle-orm";
import { isConfirmed } from "./stage.sql.ts";

/** An order at no charge, which staff send, is no sale. */
export const isSale = sql`orders.total > 0`;

/** Counts as an order: a sale that is paid or to be paid. One that was canceled after its charge counts with its money alone. */
export const isOrder = sql`(${isConfirmed} AND ${isSale})`;

/** Cents of an order that were charged, and not refunded by the provider, by staff in another way, or by a lost dispute. */
export const keptCents = sql`(SELECT coalesce(sum(captured - refunded), 0) FROM payments WHERE order_id = orders.id)
  - (SELECT coalesce(sum(otherwise), 0) FROM refunds WHERE order_id = orders.id)`;

/** Money given back, of an `order_id`, in `cents`, and when: by a provider, or by staff in another way. */
export const givenBack = sql`(
  SELECT order_id, payment_actions.amount AS cents, done_at AS at
  FROM payment_actions JOIN payments ON payments.id = payment_id
  WHERE payment_actions.kind = 'refund' AND payment_actions.state = 'done'
  UNION ALL SELECT order_id, otherwise, otherwise_at FROM refunds WHERE otherwise_at IS NOT NULL AND otherwise > 0)`;

const isCharged = (item: SQL) => sql`EXISTS (SELECT FROM charge_items AS item JOIN charges ON charges.id = charge_id
  WHERE item.order_id = orders.id AND state = 'paid' AND ${item})`;

/** Something that was bought and costs something is not canceled: what costs nothing ships free. */
export const keepsPriced = sql`EXISTS (SELECT FROM order_units WHERE order_id = orders.id
  AND return_id IS NULL AND canceled_at IS NULL AND price + tax > 0)`;

/**
 * Sales, in cents: what was paid, and what is still to be charged for what was bought, with shipping and tax. What is canceled
 * after it was charged stays, because its refund is counted, so that sales less refunds are what is kept.
 */
export const soldCents = sql`(coalesce((SELECT sum(captured) FROM payments WHERE order_id = orders.id), 0)
  + CASE WHEN ${isConfirmed} THEN (SELECT coalesce(sum(price + tax), 0) FROM order_units AS unit
      WHERE order_id = orders.id AND return_id IS NULL AND canceled_at IS NULL AND NOT ${isCharged(sql`item.unit = unit.number`)})
    + CASE WHEN ${isCharged(sql`item.kind = 'shipping'`)} OR NOT ${keepsPriced} THEN 0 ELSE shipping + shipping_tax END ELSE 0 END)`;
