/** Refunds by staff, within the limit of their role. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { amountsCharged, amountsRefunded, NO_SHIPPING, refundOfItems, unitsToRefund } from "#shop/orders/order.ts";
import { capturedOf, requestRefund } from "#shop/payments/actions.server.ts";
import { paymentActions, payments } from "#shop/payments/payment.tables.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { FRESH_REFUND_CENTS, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { audit, mail, withOrder, type LockedOrder } from "./locked-order.server.ts";
import type { RefundReason } from "./order-actions.ts";
import { writeNote } from "./order-notes.server.ts";
import { afterAction } from "./ship.server.ts";

/** `recorded`: staff send the money back themselves. */
export type RefundState = "done" | "failed" | "waiting" | "recorded";
export type RefundRefusal =
  | { ok: false; reason: "unverified" }
  | { ok: false; reason: "limit"; cents: number; refundedCents: number }
  | Extract<Awaited<ReturnType<typeof requestRefund>>, { ok: false }>;
type RefundResult =
  | { ok: true; state: RefundState }
  | { ok: false; reason: "not-found" | "amount" | "meanwhile" }
  | { ok: false; reason: "refunded-units"; name: string; unitsLeft: number }
  | { ok: false; reason: "sum"; cents: number }
  | RefundRefusal;

/** Units to refund by order line; with `hasShipping` the shipping, too. */
export type RefundItems = { units: Record<string, number>; hasShipping: boolean };

type Refund = {
  cents: number;
  /** Items that the cents pay for; none for a mere amount. */
  items?: RefundItems | null;
  reason: RefundReason;
  /** Refunds shown on the submitted page; refused if there is another by now. */
  seen?: number;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

/**
 * Marks a failed refund as paid back in another way, with a note that says how, and emails the customer. Refused with
 * 'unknown-refund' if the order has no such failed refund.
 */
export const resolveRefund = (
  db: Database,
  orderId: string,
  { actionId, text }: { actionId: string; text: string },
  by: Acting,
): Promise<{ ok: true; repeated: boolean } | { ok: false; reason: "not-found" | "unknown-refund" }> =>
  withOrder(db, orderId, async (_order, tx) => {
    const ofOrder = tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId));
    const { id, kind, state, paymentId, resolvedAt, amountCents: cents } = paymentActions;
    const failed = and(eq(id, actionId), eq(kind, "refund"), eq(state, "failed"), inArray(paymentId, ofOrder));
    const [action] = await tx.select({ resolvedAt, cents }).from(paymentActions).where(failed);
    if (!action) return { ok: false, reason: "unknown-refund" } as const;
    if (action.resolvedAt) return { ok: true, repeated: true } as const;
    await tx
      .update(paymentActions)
      .set({ resolvedAt: sql`now()` })
      .where(eq(id, actionId));
    await writeNote(tx, orderId, "refund", text, by);
    await audit(tx, by, "resolve-refund", orderId);
    const refund = { cents: action.cents, reason: null, isByHand: true };
    await noteOrder(tx, orderId, "refunded", "staff", { ...refund, actionId }, by.staffId);
    await mail(tx, { template: "refund-issued", orderId, ...refund });
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
 * Requests a refund by staff in the caller's transaction. Refusals besides those of requestRefund, for the sum of the
 * member's refunds of the order within a day: 'limit' of the role, and 'unverified' if it is large.
 */
export async function requestByStaff(
  tx: DatabaseOrTransaction,
  orderId: string,
  {
    cents,
    reason,
    isVerified,
    ...more
  }: {
    cents: number;
    /** The customer reads only the words of REFUND_REASONS. */
    reason: string;
    isVerified: boolean;
    returnId?: string | null;
    units?: Record<string, number> | null;
  },
  by: Acting | null,
): Promise<Extract<Awaited<ReturnType<typeof requestRefund>>, { ok: true }> | RefundRefusal> {
  if (by) {
    const refundedCents = await refundedBy(tx, orderId, by.staffId);
    const limit = REFUND_LIMIT_CENTS[by.role] ?? Infinity;
    if (refundedCents + cents > limit) return { ok: false, reason: "limit", cents, refundedCents };
    if (refundedCents + cents > FRESH_REFUND_CENTS && !isVerified) return { ok: false, reason: "unverified" };
  }
  const staffId = by?.staffId ?? null;
  const request = await requestRefund(tx, orderId, cents, { reason, askedBy: "staff", staffId, ...more });
  if (!request.ok) return request;
  await audit(tx, by, "refund", orderId, { after: { cents, reason } });
  for (const action of request.recorded) {
    await afterAction(tx, { ...action, orderId, kind: "refund", outcome: "done" });
  }
  return request;
}

/** Runs requested refunds after the commit. `waiting` if one has no outcome yet: jobs ask the provider again. */
export async function runRefunds(
  db: Database,
  providers: PaymentProviders | null,
  actionIds: string[],
): Promise<RefundState> {
  if (actionIds.length === 0) return "recorded";
  if (!providers) return "waiting";
  const answers = [];
  for (const id of actionIds) answers.push(await runAction(db, providers, id, afterAction));
  if (answers.includes("unknown")) return "waiting";
  return answers.includes("failed") ? "failed" : "done";
}

/** Units of a refund as its action records them. Null if there are none. */
export const unitsOf = ({ units, hasShipping }: RefundItems): Record<string, number> | null => {
  const chosen = Object.entries({ ...units, ...(hasShipping && { shipping: 1 }) }).filter(([, count]) => count > 0);
  return chosen.length > 0 ? Object.fromEntries(chosen) : null;
};

type ItemsRefusal = Extract<RefundResult, { reason: "refunded-units" | "sum" }>;

/** Why `cents` are not the refund of these items of a locked order; null if they are. */
async function itemsRefusal(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  cents: number,
  { units, hasShipping }: RefundItems,
): Promise<ItemsRefusal | null> {
  const lines = order.lines.map((line) => ({ ...line, units: units[line.id] ?? 0 }));
  const short = lines.find((line) => line.units > unitsToRefund(line));
  if (short) return { ok: false, reason: "refunded-units", name: short.name, unitsLeft: unitsToRefund(short) };
  const { totalCents } = amountsRefunded(lines, hasShipping ? order.shippingToRefund : NO_SHIPPING);
  const { totalCents: chargedCents } = amountsCharged(order, order.lines);
  const due = refundOfItems(totalCents, { chargedCents, ...(await capturedOf(tx, order.id)) });
  return due === cents ? null : { ok: false, reason: "sum", cents: due };
}

/**
 * Refunds `cents` of a captured payment, in any order status. `recorded` if the payment was arranged, `waiting` if the provider has not answered yet: jobs ask
 * again, and the customer gets an email once it is done. Refusals besides those of requestByStaff: 'refunded-units' for more
 * of an item than is left to refund, 'meanwhile' after another refund, 'sum' if refundOfItems is other cents, 'amount'.
 */
export async function refundOrder(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { cents, items = null, reason, seen, isVerified = false }: Refund,
  by: Acting | null,
): Promise<RefundResult> {
  const asked = await withOrder(db, orderId, async (order, tx) => {
    const refusal = items && (await itemsRefusal(tx, order, cents, items));
    if (refusal?.reason === "refunded-units") return refusal;
    if (seen !== undefined && seen !== (await refundsAskedFor(tx, orderId)))
      return { ok: false, reason: "meanwhile" } as const;
    if (refusal) return refusal;
    if (!Number.isInteger(cents) || cents <= 0) return { ok: false, reason: "amount" } as const;
    return requestByStaff(tx, orderId, { cents, reason, isVerified, units: items && unitsOf(items) }, by);
  });
  return asked.ok ? { ok: true, state: await runRefunds(db, providers, asked.actionIds) } : asked;
}
