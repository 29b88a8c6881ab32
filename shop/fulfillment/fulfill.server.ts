/** What staff do to an order beside shipping it. Each act is refused or done whole, and done again changes nothing. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { returnStock } from "../inventory/stock.sql.ts";
import type { Acting } from "../staff/audit.server.ts";
import { refundLeftCents } from "../staff/permissions.ts";
import { amountsCharged, unitsKept } from "../orders/charge.ts";
import { isAllowed, statusAfter, type OrderEvent, type OrderStatus } from "../orders/lifecycle.ts";
import { orderItems, orders } from "../orders/order.tables.ts";
import { requestRefund, runAction } from "../payments/actions.server.ts";
import { paymentActions, payments } from "../payments/payment.tables.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { afterAction } from "./after-action.server.ts";
import { isShopDay, shopDay } from "./days.ts";
import { waitingShipment, withOrder, type LockedOrder } from "./locked-order.server.ts";
import type { LineReason, RefundReason } from "./reasons.ts";
import { shipments } from "./shipment.tables.ts";
import { audit, changeStatus, mail, note } from "./steps.server.ts";

type Done = { ok: true; /** It was so before; nothing has changed. */ repeated: boolean };
type NotNow = { ok: false; reason: "not-found" } | { ok: false; reason: "status"; status: OrderStatus };
type Result<Reason extends string = never> = Done | NotNow | { ok: false; reason: Reason };

const DONE: Done = { ok: true, repeated: false };
const REPEATED: Done = { ok: true, repeated: true };
const refused = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
const mayBe = (event: OrderEvent, { status }: LockedOrder) => isAllowed(event, status);
const wrongStatus = ({ status }: LockedOrder) => ({ ok: false, reason: "status", status }) as const;

/**
 * An order and all its parcels have arrived: the time for returns begins. 'units-left' where not all of it was sent, unless
 * `restGivenUp`: then the rest is not sent any more, and what was charged for it is refunded by refundOrder.
 */
export const markDelivered = (
  db: Database,
  orderId: string,
  { restGivenUp = false },
  by: Acting | null,
): Promise<Result<"units-left">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (order.status === statusAfter("delivered")) return REPEATED;
    if (!mayBe("delivered", order)) return wrongStatus(order);
    if (!restGivenUp && order.lines.some(({ unitsLeft }) => unitsLeft > 0)) return refused("units-left");
    await changeStatus(tx, orderId, "delivered", "staff", {
      also: sql`delivered_at = now(), rest_to_ship = false`,
      staffId: by?.staffId ?? null,
    });
    await tx
      .update(shipments)
      .set({ state: "delivered", deliveredAt: sql`now()` })
      .where(and(eq(shipments.orderId, orderId), eq(shipments.state, "shipped")));
    await audit(tx, by, "deliver", orderId, { after: { restGivenUp } });
    await mail(tx, { template: "order-delivered", orderId });
    return DONE;
  });

/**
 * An order ships later: by the end of `until`, a day (YYYY-MM-DD) after today and after the one that was promised before.
 * Its customer is asked whether to keep or to cancel it.
 */
export const delayOrder = (
  db: Database,
  orderId: string,
  until: string,
  by: Acting | null,
): Promise<Result<"day" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!isShopDay(until)) return refused("day");
    if (!mayBe("delayed", order)) return wrongStatus(order);
    if (order.shipsBy === until) return REPEATED;
    if (waitingShipment(order)) return refused("under-way");
    if (until <= shopDay(new Date()) || (order.shipsBy && until < order.shipsBy)) return refused("day");
    await tx.update(orders).set({ shipsBy: until }).where(eq(orders.id, orderId));
    await note(tx, orderId, "delayed", "staff", { until }, by?.staffId);
    await audit(tx, by, "delay", orderId, { before: { shipsBy: order.shipsBy }, after: { shipsBy: until } });
    await mail(tx, { template: "order-delayed", orderId, until });
    return DONE;
  });

export type LineChange = {
  /** The line of the order. */
  itemId: string;
  /** How many units of it stay; 0 cancels the line. */
  keep: number;
  /** Whether the canceled units can be sold again. */
  returnsStock: boolean;
  reason: LineReason;
};

/**
 * Cancels units of a line of an order that has not shipped: they are neither sent nor charged, by amountsCharged.
 * Refusals: 'unknown-line', 'units' where `keep` is more than it has, 'last-line' where nothing would be left (then the
 * order itself is canceled or declined), 'under-way' while a parcel waits for the money.
 */
export const cancelLine = (
  db: Database,
  orderId: string,
  { itemId, keep, returnsStock, reason }: LineChange,
  by: Acting | null,
): Promise<Result<"unknown-line" | "units" | "last-line" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    const line = order.lines.find(({ id }) => id === itemId);
    if (!line) return refused("unknown-line");
    if (!mayBe("line-canceled", order)) return wrongStatus(order);
    if (unitsKept(line) === keep) return REPEATED;
    if (waitingShipment(order)) return refused("under-way");
    if (!Number.isInteger(keep) || keep < 0 || keep > unitsKept(line)) return refused("units");
    const canceledQuantity = line.quantity - keep;
    const lines = order.lines.map((each) => (each === line ? { ...line, canceledQuantity } : each));
    if (lines.every((each) => unitsKept(each) === 0)) return refused("last-line");
    const units = canceledQuantity - line.canceledQuantity;
    await tx.update(orderItems).set({ canceledQuantity }).where(eq(orderItems.id, itemId));
    if (returnsStock) {
      await tx.execute(returnStock(sql`(SELECT ${line.productId}::uuid AS product_id, ${units}::int AS quantity)`));
    }
    const { totalCents } = amountsCharged(order, lines);
    const change = { itemId, units, returnsStock, reason, totalCents };
    await note(tx, orderId, "line-canceled", "staff", change, by?.staffId);
    await audit(tx, by, "cancel-line", orderId, { after: change });
    await mail(tx, { template: "order-changed", orderId, itemId, units, reason });
    return DONE;
  });

export type RefundResult =
  | { ok: true; state: "done" | "failed" | "waiting" }
  | { ok: false; reason: "not-found" | "amount" | "meanwhile" | "limit" }
  | Extract<Awaited<ReturnType<typeof requestRefund>>, { ok: false }>;

export type Refund = {
  cents: number;
  reason: RefundReason;
  /** How many refunds of the order whoever asks knows of: with one more, it is refused. */
  seen?: number;
};

async function refundsAskedFor(tx: DatabaseOrTransaction, orderId: string): Promise<number> {
  const ofOrder = tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId));
  return tx.$count(paymentActions, and(eq(paymentActions.kind, "refund"), inArray(paymentActions.paymentId, ofOrder)));
}

/** What somebody has given back of an order within a day, in cents, or is about to. */
export async function refundedBy(tx: DatabaseOrTransaction, orderId: string, staffId: string): Promise<number> {
  const { rows } = await tx.execute<{ cents: number }>(sql`
    SELECT coalesce(sum(action.amount), 0)::int AS cents
    FROM payment_actions AS action JOIN payments ON payments.id = action.payment_id
    WHERE payments.order_id = ${orderId}::uuid AND action.staff_id = ${staffId}::uuid AND action.kind = 'refund'
      AND action.state <> 'failed' AND action.created_at > now() - interval '1 day'`);
  return rows[0]?.cents ?? 0;
}

/**
 * Gives back `cents` of what was charged for an order, whatever became of it. The provider's answer is `done` or `failed`;
 * `waiting` where there is none yet, and it is asked again until there is. Its customer is told once it is done.
 * Refused beside what requestRefund refuses: 'amount', 'meanwhile' where somebody else has asked for a refund, and
 * 'limit' where the role of whoever asks does not give back as much within a day.
 */
export async function refundOrder(
  db: Database,
  provider: PaymentProvider | null,
  orderId: string,
  { cents, reason, seen }: Refund,
  by: Acting | null,
): Promise<RefundResult> {
  if (!Number.isInteger(cents) || cents <= 0) return refused("amount");
  const asked = await withOrder(db, orderId, async (_order, tx) => {
    if (seen !== undefined && seen !== (await refundsAskedFor(tx, orderId))) return refused("meanwhile");
    const left = by && refundLeftCents(by.role, await refundedBy(tx, orderId, by.staffId));
    if (left !== null && cents > left) return refused("limit");
    const request = await requestRefund(tx, orderId, cents, {
      reason,
      askedBy: "staff",
      staffId: by?.staffId ?? null,
    });
    if (request.ok) await audit(tx, by, "refund", orderId, { after: { cents, reason } });
    return request;
  });
  if (!asked.ok) return asked;
  if (!provider) return { ok: true, state: "waiting" };
  const answers = [];
  for (const id of asked.actionIds) answers.push(await runAction(db, provider, id, afterAction));
  if (answers.includes("unknown")) return { ok: true, state: "waiting" };
  return { ok: true, state: answers.includes("failed") ? "failed" : "done" };
}

/**
 * Asks the customer of an order that has not been paid to pay it: one placed before the shop took payments, or one whose
 * money did not come. Their email leads to its page, where it can be paid. 'paid' where the money is there or reserved,
 * 'provider' where the shop takes no payments.
 */
export const askForPayment = (
  db: Database,
  provider: PaymentProvider | null,
  orderId: string,
  by: Acting | null,
): Promise<Result<"paid" | "provider" | "under-way">> =>
  withOrder(db, orderId, async (order, tx) => {
    if (!provider) return refused("provider");
    if (!mayBe("payment-requested", order)) return wrongStatus(order);
    if (waitingShipment(order)) return refused("under-way");
    const known = await tx.select({ state: payments.state }).from(payments).where(eq(payments.orderId, orderId));
    if (known.some(({ state }) => state === "authorized" || state === "captured")) return refused("paid");
    await note(tx, orderId, "payment-requested", "staff", undefined, by?.staffId);
    await audit(tx, by, "ask-payment", orderId);
    await mail(tx, { template: "payment-request", orderId, why: "asked" });
    return DONE;
  });
