/** SQL about what an order charges for. */
import { sql } from "drizzle-orm";
import { isConfirmed } from "./stage.sql.ts";
import { canceledUnits } from "./units.sql.ts";

/**
 * Cents that an order charges for what was bought while anything of it is left, as amountsCharged. Rounding half up gives the units kept of
 * a line the share of taxKept, to the cent.
 */
export const chargedCents = sql`(orders.total - (
  SELECT coalesce(sum(price * canceled + tax - round(tax * (quantity - canceled)::numeric / quantity)), 0)
  FROM order_items, LATERAL (SELECT ${canceledUnits} AS canceled) AS units WHERE order_id = orders.id AND return_id IS NULL AND canceled > 0))`;

/**
 * Sales, in cents: what an order comes to with shipping and tax, without what was canceled before it was charged. What is
 * canceled after it was charged stays, because its refund is counted, so that sales less refunds are what is kept.
 */
export const soldCents = sql`greatest(CASE WHEN ${isConfirmed} THEN ${chargedCents} ELSE 0 END,
  coalesce((SELECT sum(captured) FROM payments WHERE order_id = orders.id), 0))`;
