/** What was paid for an order that has ended, or paid twice, goes back: voided where it was only authorized, else refunded. */
import { and, eq, inArray, ne, notInArray, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import type { OrderActor } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/order.tables.ts";
import { paymentActions, payments } from "../payment.tables.ts";

/** What is captured of a payment and neither refunded nor on its way back, in cents. */
export const leftOf = sql<number>`(captured - refunded - (
  SELECT coalesce(sum(amount), 0) FROM payment_actions
  WHERE payment_id = payments.id AND kind = 'refund' AND state IN ('asked', 'sent')))::int`;

/** Asks for it once; the jobs carry it out. The payments are locked. */
export async function askToGiveBack(
  tx: DatabaseOrTransaction,
  paymentIds: string[],
  askedBy: OrderActor,
): Promise<void> {
  const found = await tx
    .select({ id: payments.id, state: payments.state, leftCents: leftOf })
    .from(payments)
    .where(inArray(payments.id, paymentIds));
  for (const { id, state, leftCents } of found) {
    if (state !== "captured") {
      const action = { paymentId: id, kind: "void" as const, amountCents: 0, askedBy };
      await tx.insert(paymentActions).values(action).onConflictDoNothing();
    } else if (leftCents > 0) {
      const action = { paymentId: id, kind: "refund" as const, amountCents: leftCents, askedBy, reason: "order-ended" };
      await tx.insert(paymentActions).values(action);
    }
  }
}

/**
 * For orders that have just ended unshipped, in the transaction that ended them: every payment that is not closed is given
 * back, and its page is closed. Nothing where there is no payment.
 */
export async function requestVoids(tx: DatabaseOrTransaction, orderIds: string[], askedBy: OrderActor): Promise<void> {
  if (orderIds.length === 0) return;
  const ids = [...orderIds].sort();
  await tx.select({ id: orders.id }).from(orders).where(inArray(orders.id, ids)).orderBy(orders.id).for("update");
  await tx
    .update(payments)
    .set({ state: "closed", holdKey: null })
    .where(and(inArray(payments.orderId, ids), eq(payments.state, "opening")));
  const open = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.orderId, ids), notInArray(payments.state, ["opening"]), ne(payments.state, "closed")))
    .orderBy(payments.id)
    .for("update");
  await askToGiveBack(
    tx,
    open.map(({ id }) => id),
    askedBy,
  );
}
