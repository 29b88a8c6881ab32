/** SQL about the amount that an order charges. */
import { sql } from "drizzle-orm";

/**
 * Cents that an order charges while anything of it is left, as amountsCharged. Rounding half up gives the units kept of
 * a line the share of taxKept, to the cent.
 */
export const chargedCents = sql`(orders.total - (
  SELECT coalesce(sum(price * canceled_quantity + tax - round(tax * (quantity - canceled_quantity)::numeric / quantity)), 0)
  FROM order_items WHERE order_id = orders.id AND canceled_quantity > 0))`;
