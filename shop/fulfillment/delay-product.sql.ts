/** Conditions on orders and a row `asked` of product_delays. */
import { sql } from "drizzle-orm";
import { newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { isUnpaid, isUnsent } from "#shop/orders/stage.sql.ts";
import { mayShip } from "#shop/orders/units.sql.ts";

const hasProduct = sql`orders.created_at <= asked.asked_at AND EXISTS (
  SELECT FROM order_units AS unit JOIN order_items AS line ON line.id = unit.order_item_id
  WHERE unit.order_id = orders.id AND line.product_id = asked.product_id AND NOT unit.own AND ${mayShip})`;
const isAhead = sql`(asked.until IS NULL OR asked.until > ${today})`;

export const isWaiting = sql`${isUnsent} AND ${hasProduct}`;

/** Its payment may still come, also on a page that is not closed yet, and then it is delayed. */
export const isBeingPaid = sql`${hasProduct} AND ${isAhead} AND (${isUnpaid} OR stage = 'expired' AND EXISTS (
  SELECT FROM payments WHERE payments.order_id = orders.id AND state IN ('opening', 'open')))`;

export const isLater = sql`CASE WHEN asked.until IS NULL THEN ship_by IS NULL ELSE coalesce(ship_by >= asked.until, false) END`;

/** The authorization ends before the order ships, as `delay` refuses it with 'hold-ends'. */
export const mustPayAgain = sql`EXISTS (
  SELECT FROM payments WHERE payments.order_id = orders.id AND state = 'authorized' AND capture_before IS NOT NULL
    AND (asked.until IS NULL OR ${newYorkDate(sql`capture_before`)} <= asked.until))`;

/** A day that staff have named since stays; one that an announced charge has moved by itself does not. */
export const isToDelay = sql`${isWaiting} AND NOT ${isLater} AND ${isAhead}
  AND (asked.pays_again OR NOT ${mustPayAgain})
  AND NOT EXISTS (
    SELECT FROM delay_notices WHERE order_id = orders.id AND sent_at >= asked.asked_at
      AND NOT EXISTS (SELECT FROM charges WHERE charges.order_id = orders.id AND charges.created_at = sent_at))`;

/** Condition on orders: the delay of a product is about to reach them. */
export const isBeingDelayed = sql`EXISTS (SELECT FROM product_delays AS asked WHERE ${isToDelay})`;
