/** Charges of saved cards: announced before they are due, and what happens while one stays refused. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { announceCharge, announceEarly, approveCharges } from "#shop/orders/actions/announce.ts";
import { endUnpaid } from "#shop/orders/actions/cancel.ts";
import { chooseUnits, type ByLine } from "#shop/orders/choose.ts";
import { decideOn, withOrder } from "#shop/orders/run.server.ts";
import { isWaiting } from "#shop/orders/state.ts";
import type { Report } from "#shop/report.ts";
import { paymentPolicy } from "#shop/policies.ts";
import { newYorkDate, today } from "#shop/new-york-time.sql.ts";
import { isBeingDelayed } from "./delay-product.sql.ts";
import { audit, mail, resultOf, staff, type Result } from "./locked-order.server.ts";
import { isRefused } from "#shop/orders/stage.sql.ts";
import { lockFacts } from "#shop/orders/facts.server.ts";

const { keptDays, reminderDays } = paymentPolicy.refusedCharge;
const AT_ONCE = 200;

/**
 * Announces charges on the day on which they are due to be announced, after a delay of their product that is under way. A
 * failed order is tried again with the next call.
 */
export async function announceCharges(db: Database, report: Report): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM orders WHERE announce_on <= ${today} AND NOT ${isBeingDelayed}
    ORDER BY announce_on, id LIMIT ${AT_ONCE}`);
  for (const { id } of rows)
    await withOrder(db, id, (state, act) => announceCharge(state, {}, act), { by: "system" }).catch((error: unknown) =>
      report(error, "a charge was not announced", { id }),
    );
}

/**
 * Announces, for staff, the charge of units that are to ship before the promised day. Refusals: 'units' if a line has
 * fewer left, 'no-card', 'on-hold', 'nothing-due'.
 */
export const announceByStaff = async (
  db: Database,
  orderId: string,
  units: ByLine,
  by: Acting | null,
): Promise<Result<"no-card" | "on-hold" | "nothing-due">> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => {
        const chosen = chooseUnits(state, units, isWaiting);
        return "length" in chosen ? announceEarly(state, { units: chosen }, act) : chosen;
      },
      staff(by),
      (tx) => audit(tx, by, "announce", orderId),
    ),
  );

/** The buyer need not wait for the day of announced charges of `cents` in all. Refused as approveCharges. The caller has checked ownership. */
export const shipNow = async (
  db: Database,
  orderId: string,
  cents: number,
  actor: "customer" | "guest",
): Promise<Result<"not-announced" | "meanwhile">> =>
  resultOf(await withOrder(db, orderId, (state, act) => approveCharges(state, { cents }, act), { by: actor }));

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
 * Cancels what is not paid of orders whose charge stayed refused, from midnight in New York after the last day to pay,
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
      if (rowCount !== 0) await decideOn(tx, id, (state, act) => endUnpaid(state, {}, act), { by: "system" });
    });
  }
}
