/** Refunds by staff, within the limit of their role. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { requestRefund } from "#shop/payments/actions.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { FRESH_REFUND_CENTS, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { audit, withOrder } from "./locked-order.server.ts";
import type { RefundReason } from "./order-actions.ts";
import { writeNote } from "./order-notes.server.ts";
import { afterAction } from "./ship.server.ts";

type RefundResult =
  | { ok: true; state: "done" | "failed" | "waiting" }
  | { ok: false; reason: "not-found" | "amount" | "meanwhile" | "unverified" }
  | { ok: false; reason: "limit"; refundedCents: number }
  | Extract<Awaited<ReturnType<typeof requestRefund>>, { ok: false }>;

type Refund = {
  cents: number;
  reason: RefundReason;
  /** Refunds shown on the submitted page; refused if there is another by now. */
  seen?: number;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

/**
 * Marks a failed refund as resolved in another way, with a note that says how. Refused with 'unknown-refund' if the
 * order has no such failed refund.
 */
export const resolveRefund = (
  db: Database,
  orderId: string,
  { actionId, text }: { actionId: string; text: string },
  by: Acting,
): Promise<{ ok: true; repeated: boolean } | { ok: false; reason: "not-found" | "unknown-refund" }> =>
  withOrder(db, orderId, async (_order, tx) => {
    const ofOrder = tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId));
    const { id, kind, state, paymentId, resolvedAt } = paymentActions;
    const failed = and(eq(id, actionId), eq(kind, "refund"), eq(state, "failed"), inArray(paymentId, ofOrder));
    const [action] = await tx.select({ resolvedAt }).from(paymentActions).where(failed);
    if (!action) return { ok: false, reason: "unknown-refund" } as const;
    if (action.resolvedAt) return { ok: true, repeated: true } as const;
    await tx
      .update(paymentActions)
      .set({ resolvedAt: sql`now()` })
      .where(eq(id, actionId));
    await writeNote(tx, orderId, "refund", text, by);
    await audit(tx, by, "resolve-refund", orderId);
    return { ok: true, repeated: false } as const;
  });

async function refundsAskedFor(tx: DatabaseOrTransaction, orderId: string): Promise<number> {
  const ofOrder = tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId));
  return tx.$count(paymentActions, and(eq(paymentActions.kind, "refund"), inArray(paymentActions.paymentId, ofOrder)));
}

/** Refunds requested by a staff member for an order within a day, in cents. */
async function refundedBy(tx: DatabaseOrTransaction, orderId: string, staffId: string): Promise<number> {
  const { rows } = await tx.execute<{ cents: number }>(sql`
    SELECT coalesce(sum(action.amount), 0)::int AS cents
    FROM payment_actions AS action JOIN payments ON payments.id = action.payment_id
    WHERE payments.order_id = ${orderId}::uuid AND action.staff_id = ${staffId}::uuid AND action.kind = 'refund'
      AND action.state <> 'failed' AND action.created_at > now() - interval '1 day'`);
  return rows[0]?.cents ?? 0;
}

/**
 * Refunds `cents` of a captured payment, in any order status. `waiting` if the provider has not answered yet: jobs ask
 * again, and the customer gets an email once it is done. Refusals besides those of requestRefund: 'amount', 'meanwhile'
 * after another refund, and for the sum of the member's refunds of the order within a day 'limit' of the role and
 * 'unverified'.
 */
export async function refundOrder(
  db: Database,
  provider: PaymentProvider | null,
  orderId: string,
  { cents, reason, seen, isVerified = false }: Refund,
  by: Acting | null,
): Promise<RefundResult> {
  if (!Number.isInteger(cents) || cents <= 0) return { ok: false, reason: "amount" };
  const asked = await withOrder(db, orderId, async (_order, tx) => {
    if (seen !== undefined && seen !== (await refundsAskedFor(tx, orderId)))
      return { ok: false, reason: "meanwhile" } as const;
    if (by) {
      const refundedCents = await refundedBy(tx, orderId, by.staffId);
      const limit = REFUND_LIMIT_CENTS[by.role] ?? Infinity;
      if (refundedCents + cents > limit) return { ok: false, reason: "limit", refundedCents } as const;
      if (refundedCents + cents > FRESH_REFUND_CENTS && !isVerified)
        return { ok: false, reason: "unverified" } as const;
    }
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
