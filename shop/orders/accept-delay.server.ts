/** A customer's answer to a delay: they keep the order. Without one it stays theirs to cancel, as before. */
import { sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { ActorOf } from "./lifecycle.ts";
import { insertOrderNotes } from "./order-events.sql.ts";

/** False where no delay waits for an answer: it was answered before, or the order has shipped or ended. */
export async function acceptDelay(
  db: DatabaseOrTransaction,
  orderId: string,
  actor: ActorOf<"delay-accepted">,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    WITH asked AS (
      SELECT id, status FROM orders WHERE id = ${orderId}::uuid AND status = 'processing' FOR UPDATE
    ), open AS (
      SELECT id, status FROM asked WHERE 'delayed' = (
        SELECT type FROM order_events WHERE order_id = asked.id AND type IN ('delayed', 'delay-accepted')
        ORDER BY order_events.id DESC LIMIT 1)
    )
    ${insertOrderNotes("delay-accepted", actor, sql`open`)}`);
  return (rowCount ?? 0) > 0;
}
