/** What was held for an order that nobody paid goes back into the cart it came from. */
import { sql, type SQL } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import { MAX_LINE_QUANTITY } from "../catalog/stock.ts";
import { ownerId } from "./cart.server.ts";
import type { Buyer } from "./cart.ts";

/**
 * Adds the units of `lines`, a relation of (product_id, quantity), to what is in the buyer's cart, at most 10 of each. What
 * has left the catalog is passed over; what is sold out keeps its line, so that the cart can say so. Whoever also moves
 * stock does this first, as an order is placed, so that the two never wait for each other in a circle.
 */
export async function refillCart(db: DatabaseOrTransaction, buyer: Buyer, lines: SQL): Promise<void> {
  const add = (column: SQL) => sql`
    INSERT INTO cart_items (product_id, ${column}, quantity)
    SELECT products.id, ${ownerId(buyer)}::uuid, least(sum(lines.quantity), ${MAX_LINE_QUANTITY}::int)::int
    FROM ${lines} AS lines JOIN products ON products.id = lines.product_id
    WHERE lines.quantity > 0 GROUP BY products.id ORDER BY products.id
    ON CONFLICT (${column}, product_id) DO UPDATE
      SET quantity = least(cart_items.quantity + excluded.quantity, ${MAX_LINE_QUANTITY}::int)`;
  await db.execute(add("customerId" in buyer ? sql`user_id` : sql`session_id`));
}
