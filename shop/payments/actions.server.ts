/** Requests to move money. Each is a row first; run-action.server.ts then calls the provider. */
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { OrderActor } from "#shop/orders/lifecycle.ts";
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
      await tx.insert(paymentActions).values({ paymentId: id, kind: "refund", amountCents: leftCents, askedBy });
    }
  }
}
