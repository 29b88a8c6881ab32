/** Requests to move money. Each is a row first; run-action.server.ts then calls the provider. */
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { OrderActor } from "#shop/orders/lifecycle.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { paymentActions, payments } from "./payment.tables.ts";

const leftOf = sql<number>`(captured - refunded - (
  SELECT coalesce(sum(amount), 0) FROM payment_actions
  WHERE payment_id = payments.id AND kind = 'refund' AND state IN ('asked', 'sent')))::int`;

/**
 * Requests the return of locked payments, once: a void if only authorized, otherwise a refund. Staff send back what was
 * arranged with them, and record it.
 */
export async function requestReturn(
  tx: DatabaseOrTransaction,
  paymentIds: string[],
  askedBy: OrderActor,
): Promise<void> {
  const found = await tx
    .select({ id: payments.id, state: payments.state, leftCents: leftOf })
    .from(payments)
    .where(and(inArray(payments.id, paymentIds), ne(payments.provider, "manual")));
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
 * Requests a capture of `cents` of the order's authorized payment, to be run after the commit. Null if there is no such
 * payment. Throws for an order that is not in processing.
 */
export async function requestCapture(
  tx: DatabaseOrTransaction,
  orderId: string,
  cents: number,
  askedBy: OrderActor,
  staffId: string | null = null,
): Promise<{ actionId: string } | null> {
  const [order] = await tx.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId)).for("update");
  if (order?.status !== "processing") throw new Error("nothing is captured for an order that is not in processing");
  const [payment] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, "authorized")))
    .orderBy(asc(payments.createdAt))
    .limit(1)
    .for("update");
  if (!payment) return null;
  const [action] = await tx
    .insert(paymentActions)
    .values({ paymentId: payment.id, kind: "capture", amountCents: cents, askedBy, staffId })
    .onConflictDoNothing()
    .returning({ actionId: paymentActions.id });
  return action ?? null;
}

type RefundRequest =
  | {
      ok: true;
      /** Actions to be run after the commit. */
      actionIds: string[];
      /** Actions of arranged payments, which are done. */
      recorded: { id: string; paymentId: string; amountCents: number }[];
    }
  | { ok: false; reason: "nothing-paid" | "too-much" | "disputed" | "under-way"; leftCents: number };

/**
 * Requests a refund of `cents`, over as many captured payments of the order as needed. What staff send back of an
 * arranged payment is recorded at once. Refusals: 'nothing-paid', 'disputed', 'too-much', and 'under-way' if pending
 * refunds may leave too little. Concurrent requests never exceed what was captured.
 */
export async function requestRefund(
  tx: DatabaseOrTransaction,
  orderId: string,
  cents: number,
  { reason, askedBy, staffId = null }: { reason: string; askedBy: OrderActor; staffId?: string | null },
): Promise<RefundRequest> {
  await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("update");
  const locked = await tx
    .select({ id: payments.id, disputedUntil: payments.disputedUntil })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, "captured")))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .for("update");
  const ids = locked.map(({ id }) => id);
  // Amounts are read under the lock, after concurrent requests.
  const paid = await tx
    .select({
      id: payments.id,
      isArranged: sql<boolean>`${payments.provider} = 'manual'`,
      restCents: sql<number>`(captured - refunded)::int`,
      leftCents: leftOf,
    })
    .from(payments)
    .where(inArray(payments.id, ids))
    .orderBy(asc(payments.createdAt), asc(payments.id));
  const sum = (key: "restCents" | "leftCents") => paid.reduce((total, each) => total + each[key], 0);
  const leftCents = sum("leftCents");
  const refuse = (why: Extract<RefundRequest, { ok: false }>["reason"]): RefundRequest => ({
    ok: false,
    reason: why,
    leftCents,
  });
  if (paid.length === 0) return refuse("nothing-paid");
  if (locked.some(({ disputedUntil }) => disputedUntil !== null)) return refuse("disputed");
  if (cents > leftCents || cents <= 0) return refuse(cents <= sum("restCents") ? "under-way" : "too-much");
  let rest = cents;
  const actions = paid.flatMap(({ id, isArranged, leftCents: left }) => {
    const amountCents = Math.min(rest, left);
    rest -= amountCents;
    const action = { paymentId: id, kind: "refund" as const, amountCents, reason, askedBy, staffId };
    if (amountCents === 0) return [];
    return [isArranged ? { ...action, state: "done" as const, doneAt: sql`now()` } : action];
  });
  const made = await tx.insert(paymentActions).values(actions).returning();
  const recorded = made.filter(({ state }) => state === "done");
  for (const { paymentId, amountCents } of recorded) {
    await tx
      .update(payments)
      .set({ refundedCents: sql`${payments.refundedCents} + ${amountCents}` })
      .where(eq(payments.id, paymentId));
  }
  return { ok: true, actionIds: made.filter(({ state }) => state !== "done").map(({ id }) => id), recorded };
}
