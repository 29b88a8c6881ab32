/** Delays: notices to the customer, their answers, and what the shop does by itself. The rule is in delay-notice.ts. */
import { and, asc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { hasNamedDay } from "#shop/orders/order.ts";
import { isAllowed, type ActorOf } from "#shop/orders/lifecycle.ts";
import { isFee } from "#shop/orders/charged.sql.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { orderEvents, orders } from "#shop/orders/order.tables.ts";
import type { Report } from "#shop/report.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { answerDay, DELAY_EVENTS, delayHistory, isDelayDay, isOpen } from "./delay-notice.ts";
import { cancelUnsent } from "./cancel-items.server.ts";
import {
  audit,
  DONE,
  mail,
  readOrder,
  refused,
  REPEATED,
  waitingShipment,
  withOrder,
  wrongStatus,
  type LockedOrder,
  type Result,
} from "./locked-order.server.ts";
import { isAllShipped, type DelayReason } from "./order-actions.ts";
import { endsBefore, holdEndOf } from "./order-for-mail.server.ts";
import { isUnsent } from "./unsent.sql.ts";

type Delay = { until: string | null; reason: DelayReason };

const readDelays = (tx: DatabaseOrTransaction, orderId: string) =>
  tx
    .select({ type: orderEvents.type, data: orderEvents.data })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), inArray(orderEvents.type, DELAY_EVENTS)))
    .orderBy(asc(orderEvents.id));

/** Writes a delay of a locked order, with its notice. */
async function sendNotice(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  { until, reason }: Delay,
  actor: ActorOf<"delayed">,
  by: Acting | null,
): Promise<void> {
  const { id: orderId, promisedOn } = order;
  const history = delayHistory(promisedOn, await readDelays(tx, orderId));
  const answerBy = answerDay(history, until, newYorkDay(clock.now()));
  await tx
    .update(orders)
    .set({ ...(until && { promisedOn: until, shipBy: until }), isDayUnknown: until === null, delayAnswerBy: answerBy })
    .where(eq(orders.id, orderId));
  await noteOrder(tx, orderId, "delayed", actor, { from: promisedOn, until, answerBy, reason }, by?.staffId);
  await mail(tx, { template: "order-delayed", orderId, from: promisedOn, until, answerBy, reason });
}

/**
 * Delays an order, or the rest of a partial one, to the end of `until`, a day (YYYY-MM-DD) after today, within two years
 * and after one that was named before, or to an unknown day (null), and sends the notice. Refusals: 'day', 'under-way', and 'hold-ends' if
 * the payment's authorization ends by then, unless `paysAgain`: the customer is asked to pay again.
 */
export const delayOrder = (
  db: DatabaseOrTransaction,
  orderId: string,
  until: string | null,
  by: Acting | null,
  { paysAgain = false, reason = "not-ready" as DelayReason } = {},
): Promise<Result<"day" | "under-way" | "hold-ends">> =>
  withOrder(db, orderId, async (order, tx) => {
    const { promisedOn, isDayUnknown, status } = order;
    if (!isAllowed("delayed", status) || isAllShipped(order)) return wrongStatus(order);
    if (until === null ? isDayUnknown : promisedOn === until && !isDayUnknown) return REPEATED;
    if (waitingShipment(order)) return refused("under-way");
    if (until !== null && (!isDelayDay(until, clock.now()) || (hasNamedDay(order, order.lines) && until < promisedOn)))
      return refused("day");
    const holdEnd = await holdEndOf(tx, orderId);
    if (!paysAgain && holdEnd && (until === null || endsBefore(holdEnd, until))) return refused("hold-ends");
    await sendNotice(tx, order, { until, reason }, "staff", by);
    const before = { promisedOn, isDayUnknown };
    await audit(tx, by, "delay", orderId, { before, after: { promisedOn: until, isDayUnknown: until === null } });
    return DONE;
  });

/** Accepts the latest delay for the buyer, once. Refused with 'no-delay' if none is open. The caller has checked ownership. */
export const acceptDelay = (db: Database, orderId: string, actor: "customer" | "guest"): Promise<Result<"no-delay">> =>
  withOrder(db, orderId, async (order, tx) => {
    const { status, promisedOn } = order;
    if (!isAllowed("delay-accepted", status) || isAllShipped(order)) return wrongStatus(order);
    if (!isOpen(delayHistory(promisedOn, await readDelays(tx, orderId)))) return refused("no-delay");
    await tx.update(orders).set({ delayAnswerBy: null }).where(eq(orders.id, orderId));
    await noteOrder(tx, orderId, "delay-accepted", actor);
    return DONE;
  });

/** Hour of the promised day, in New York, from which what has not shipped is late: the day's parcels have left. */
const NOTICE_HOUR = 18;
const AT_ONCE = 200;

/** Orders whose money needs a person stay as they are. */
const DUE: Record<"cancel" | "notice", SQL> = {
  cancel: sql`${isUnsent} AND delay_answer_by < ${today} AND payment_status NOT IN ('mismatch', 'disputed')`,
  notice: sql`${isUnsent} AND NOT day_unknown
    AND promised_on <= (now() AT TIME ZONE 'America/New_York' - ${NOTICE_HOUR} * interval '1 hour')::date
    AND payment_status NOT IN ('mismatch', 'disputed') AND NOT ${isFee}`,
};
type Kind = keyof typeof DUE;

const CARRY_OUT: Record<Kind, (tx: DatabaseOrTransaction, order: LockedOrder) => Promise<unknown>> = {
  cancel: (tx, order) => cancelUnsent(tx, order, { order: "unanswered", rest: "late" }),
  async notice(tx, order) {
    if (waitingShipment(order)) return;
    const isUnpaid = order.paymentStatus === "unpaid" || order.paymentStatus === "failed";
    await sendNotice(tx, order, { until: null, reason: isUnpaid ? "unpaid" : "not-ready" }, "system", null);
  },
};

/**
 * Cancels what nobody agreed to wait for, and sends notices of an unknown day on the promised day. Each order is one
 * transaction, checked again under its lock, so that any number of processes may run this at any time. A failed order
 * is reported and tried again with the next call.
 */
export async function carryOutDelays(db: Database, report: Report): Promise<void> {
  for (const kind of ["cancel", "notice"] as const) {
    const { rows } = await db.execute<{ id: string }>(
      sql`SELECT id FROM orders WHERE ${DUE[kind]} ORDER BY coalesce(delay_answer_by, promised_on), id LIMIT ${AT_ONCE}`,
    );
    for (const { id } of rows)
      await carryOut(db, kind, id).catch((error: unknown) => report(error, "a delay was not handled", { kind, id }));
  }
}

const carryOut = (db: Database, kind: Kind, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`SELECT FROM orders WHERE id = ${id}::uuid AND ${DUE[kind]} FOR UPDATE`);
    const order = rowCount === 1 ? await readOrder(tx, id) : null;
    if (order) await CARRY_OUT[kind](tx, order);
  });
