/** Delays as staff, buyers and the jobs ask for them. What they do is decided in orders/actions/delay.ts. */
import { sql, type SQL } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { acceptDelay as accept, endUnanswered } from "#shop/orders/actions/answer-delay.ts";
import { delay, delayLate, lastDayLeft } from "#shop/orders/actions/delay.ts";
import { dayToShip, orders } from "#shop/orders/order.tables.ts";
import { decideOn, withOrder } from "#shop/orders/run.server.ts";
import type { Report } from "#shop/report.ts";
import { isBeingDelayed } from "./delay-product.sql.ts";
import { audit, resultOf, staff, type Result } from "./locked-order.server.ts";
import type { DelayReason } from "#shop/orders/reasons.ts";
import { IN_QUESTION } from "#shop/orders/lifecycle.ts";
import { isUnsent, needs } from "#shop/orders/stage.sql.ts";
import { mayShip } from "#shop/orders/units.sql.ts";

/**
 * Delays an order, or the rest of a partial one, to the end of `until`, YYYY-MM-DD, or to an unknown day (null), and sends the
 * notice. Refusals as those of `delay`.
 */
export const delayOrder = async (
  db: DatabaseOrTransaction,
  orderId: string,
  until: string | null,
  by: Acting | null,
  { paysAgain = false, reason = "not-ready" as DelayReason } = {},
): Promise<Result<"day" | "under-way" | "hold-ends">> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => delay(state, { until, reason, paysAgain }, act),
      staff(by),
      (tx, { before }) =>
        audit(tx, by, "delay", orderId, { before: { shipBy: before.order.shipBy }, after: { shipBy: until } }),
    ),
  );

/** Accepts a delay to `until`, or to an unknown day (null), for the buyer, once. Refused as by `accept`. The caller has checked ownership. */
export const acceptDelay = async (
  db: Database,
  orderId: string,
  until: string | null,
  actor: "customer" | "guest",
): Promise<Result<"no-delay" | "meanwhile">> =>
  resultOf(await withOrder(db, orderId, (state, act) => accept(state, { until }, act), { by: actor }));

const AT_ONCE = 200;

/** Orders whose money is in question stay as they are, and where no payment was made, the shop promises no day of itself. */
const isSettled = sql`${isUnsent} AND NOT ${needs(IN_QUESTION)}`;
const DUE = {
  unanswered: { decide: endUnanswered, which: () => sql`${isSettled} AND answer_by < ${today}`, by: sql`answer_by` },
  late: {
    decide: delayLate,
    which: () => sql`${isSettled} AND NOT ${needs(["arrange", "card-refused"])} AND ship_by IS NOT NULL
      AND EXISTS (SELECT FROM order_units AS unit WHERE unit.order_id = orders.id AND ${mayShip})
      AND ${dayToShip(orders.shipBy)} <= ${lastDayLeft(clock.now())}::date AND NOT ${isBeingDelayed}`,
    by: dayToShip(orders.shipBy),
  },
};

/**
 * Cancels what nobody agreed to wait for, and sends notices of an unknown day on the promised day, after a delay of the
 * product that is under way. Each order is decided
 * on under its lock, so that any number of processes may run this at any time. A failed order is reported and tried again
 * with the next call.
 */
export async function carryOutDelays(db: Database, report: Report): Promise<void> {
  for (const [kind, { decide, which, by }] of Object.entries(DUE)) {
    const { rows } = await db.execute<{ id: string }>(due(which(), by));
    for (const { id } of rows)
      await transaction(db, (tx) => decideOn(tx, id, (state, act) => decide(state, {}, act), { by: "system" })).catch(
        (error: unknown) => report(error, "a delay was not handled", { kind, id }),
      );
  }
}

const due = (which: SQL, by: SQL) => sql`SELECT id FROM orders WHERE ${which} ORDER BY ${by}, id LIMIT ${AT_ONCE}`;
