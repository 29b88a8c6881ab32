/** Charges of saved cards: announced before they are due, and what happens while one stays refused. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import { lockFacts } from "#shop/orders/facts.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { unitsLeft } from "#shop/orders/units.sql.ts";
import { paymentPolicy } from "#shop/policies.ts";
import { newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { cancelUnsent } from "./cancel-items.server.ts";
import { mail } from "./locked-order.server.ts";
import { isRefused, isUnsent } from "#shop/orders/stage.sql.ts";

const { keptDays, reminderDays } = paymentPolicy.refusedCharge;

/** The latest line of an order ships on its promised day, which may have been moved, or to an unknown one. */
const shipDay = sql`CASE WHEN line.ships_from < (SELECT max(ships_from) FROM order_items WHERE order_id = orders.id)
  THEN line.ships_from WHEN ship_by IS NOT NULL THEN greatest(line.ships_from, ship_by) END`;

/** Emails, once for each ship day of an order, what will be charged that day, on which card. */
export async function announceCharges(db: Database): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ order_id: string; day: string }>(sql`
      UPDATE order_items SET charge_announced_for = due.day FROM (
        SELECT line.id, ${shipDay} AS day FROM orders JOIN order_items AS line ON line.order_id = orders.id
        WHERE orders.payment_status NOT IN ('disputed', 'mismatch') AND ${isUnsent}
          AND EXISTS (SELECT FROM payments WHERE order_id = orders.id AND saved_customer IS NOT NULL)
          AND NOT EXISTS (SELECT FROM payments WHERE order_id = orders.id AND ${isRefused})
          AND line.ships_from IS NOT NULL AND ${unitsLeft} > 0
          AND NOT EXISTS (SELECT FROM shipment_items JOIN shipments AS resent ON resent.id = shipment_id
            WHERE shipment_items.order_id = line.order_id AND order_item_id = line.id AND resent.resent_at IS NOT NULL)
        FOR UPDATE OF line SKIP LOCKED
      ) AS due
      WHERE order_items.id = due.id AND charge_announced_for IS DISTINCT FROM due.day
        AND due.day BETWEEN ${today} AND ${today} + ${paymentPolicy.chargeNoticeDays}::int
      RETURNING order_id, due.day::text AS day`);
    const announced = new Map(rows.map(({ order_id: orderId, day }) => [`${orderId} ${day}`, { orderId, day }]));
    for (const { orderId, day } of announced.values()) {
      await noteOrder(tx, orderId, "charge-announced", "system", { day });
      await mail(tx, { template: "charge-announced", orderId, day });
    }
  });
}

/** The last day to pay (lastDayToPay) is over in New York. */
const isOver = sql`${newYorkDate(sql`refused_at`)} + ${keptDays}::int < ${today}`;

/** Reminds buyers, once, of a charge that their bank refused some days ago, while they can still pay. */
export async function remindOfRefusals(db: Database): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ order_id: string }>(sql`
      UPDATE payments SET reminded_at = now() FROM orders
      WHERE orders.id = order_id AND reminded_at IS NULL AND ${isRefused}
        AND refused_at < now() - ${reminderDays} * interval '1 day' AND NOT ${isOver}
      RETURNING order_id`);
    for (const { order_id: orderId } of rows) await mail(tx, { template: "charge-refused", orderId, isReminder: true });
  });
}

/**
 * Cancels what has not shipped of orders whose charge stayed refused, from midnight in New York after the last day to pay,
 * returns its stock, and tells the buyers.
 */
export async function cancelRefused(db: Database): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT orders.id FROM orders JOIN payments ON payments.order_id = orders.id WHERE ${isRefused} AND ${isOver}`);
  for (const { id } of rows) {
    await transaction(db, async (tx) => {
      await lockFacts(tx, id);
      const { rowCount } = await tx.execute(sql`
        SELECT FROM orders JOIN payments ON payments.order_id = orders.id
        WHERE orders.id = ${id}::uuid AND ${isRefused} AND ${isOver}`);
      if (rowCount !== 0) await cancelUnsent(tx, id, { order: "unpaid", rest: "unpaid" });
    });
  }
}
