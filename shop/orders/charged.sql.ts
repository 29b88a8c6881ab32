/** SQL about what an order charges for. */
import { sql } from "drizzle-orm";

/**
 * Cents that an order charges while anything of it is left, as amountsCharged. Rounding half up gives the units kept of
 * a line the share of taxKept, to the cent.
 */
export const chargedCents = sql`(orders.total - (
  SELECT coalesce(sum(price * canceled_quantity + tax - round(tax * (quantity - canceled_quantity)::numeric / quantity)), 0)
  FROM order_items WHERE order_id = orders.id AND canceled_quantity > 0))`;

/** Condition on orders: it charges a repair's diagnostic fee, and nothing of it ships. */
export const isFee = sql`(replaces_return_id IS NOT NULL AND EXISTS (
  SELECT FROM returns WHERE returns.id = replaces_return_id AND fee_order_id = orders.id))`;
