/** Requests to move money. Each is a row first; run-action.server.ts then calls the provider. */
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { OrderActor } from "#shop/orders/lifecycle.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { latestCard, lockPayments } from "./locked-payments.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";

/**
 * Captured cents of a row of `payments` that are neither refunded nor about to be. Each refund counts by its own row: while
 * it is `sent`, the payment may show it as refunded already or not yet.
 */
export const leftOf = sql<number>`(captured - (
  SELECT coalesce(sum(amount), 0) FROM payment_actions
  WHERE payment_id = payments.id AND payment_actions.kind = 'refund' AND payment_actions.state <> 'failed'))::int`;

/** Captured cents of an order, and those of them that are neither refunded nor about to be. */
export async function capturedOf(
  tx: DatabaseOrTransaction,
  orderId: string,
): Promise<{ capturedCents: number; leftCents: number }> {
  const [sums] = await tx
    .select({
      capturedCents: sql<number>`coalesce(sum(captured), 0)::int`,
      leftCents: sql<number>`coalesce(sum(${leftOf}), 0)::int`,
    })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.state, "captured")));
  return sums!;
}

const isVoided = sql<boolean>`EXISTS (
  SELECT FROM payment_actions WHERE payment_id = payments.id AND payment_actions.kind = 'void' AND payment_actions.state = 'done')`;

/**
 * Requests the return of locked payments, once: a refund if captured, otherwise a void of the page. A saved card has
 * nothing to return. Staff send back what was arranged with them, and record it.
 */
export async function requestReturn(
  tx: DatabaseOrTransaction,
  locked: readonly { id: string }[],
  askedBy: OrderActor,
): Promise<void> {
  const paymentIds = locked.map(({ id }) => id);
  const found = await tx
    .select({ id: payments.id, kind: payments.kind, state: payments.state, isVoided, leftCents: leftOf })
    .from(payments)
    .where(and(inArray(payments.id, paymentIds), ne(payments.provider, "manual")));
  for (const { id, kind, state, isVoided, leftCents } of found) {
    if (state === "saved" || state === "forgotten" || (kind === "charge" && state !== "captured")) continue;
    if (state !== "captured") {
      // A page at PayPal stays open, and may be authorized at the moment in which it is voided.
      if (isVoided && state !== "authorized") continue;
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

/**
 * Requests the payment of one parcel of an order that is charged by parcel, in cents: from a payment that is authorized
 * for as much, else by a charge of the saved card, and voids an authorization for less. Null if there is no card, or it was
 * refused: the buyer must pay first.
 */
export async function requestCharge(
  tx: DatabaseOrTransaction,
  orderId: string,
  cents: number,
  staffId: string | null = null,
): Promise<{ actionId: string } | null> {
  const order = await lockPayments(tx, orderId);
  if (!order) return null;
  const asked = { amountCents: cents, askedBy: "staff" as const, staffId };
  const authorized = order.payments.filter(({ state }) => state === "authorized");
  const enough = authorized.find(({ authorizedCents }) => authorizedCents >= cents);
  if (enough) {
    const [action] = await tx
      .insert(paymentActions)
      .values({ ...asked, paymentId: enough.id, kind: "capture" })
      .onConflictDoNothing()
      .returning({ actionId: paymentActions.id });
    return action ?? null;
  }
  const card = latestCard(order);
  if (!card || card.refusedAt) return null;
  await requestReturn(tx, authorized, "system");
  const [charge] = await tx
    .insert(payments)
    .values({ orderId, kind: "charge", provider: card.provider, amountCents: cents, savedPaymentId: card.id })
    .returning({ id: payments.id });
  const [action] = await tx
    .insert(paymentActions)
    .values({ ...asked, paymentId: charge!.id, kind: "charge" })
    .returning({ actionId: paymentActions.id });
  return action!;
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
  {
    reason,
    askedBy,
    staffId = null,
    returnId = null,
    units = null,
  }: {
    reason: string;
    askedBy: OrderActor;
    staffId?: string | null;
    returnId?: string | null;
    units?: Record<string, number> | null;
  },
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
    const action = { paymentId: id, kind: "refund" as const, amountCents, reason, askedBy, staffId, returnId };
    if (amountCents === 0) return [];
    return [isArranged ? { ...action, state: "done" as const, doneAt: sql`now()` } : action];
  });
  Object.assign(actions[0]!, { units });
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
