/** Refunds by staff, within the limit of their role. */
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { refund, resolveRefund as resolve, retryRefund as retry } from "#shop/orders/actions/refund.ts";
import { chooseUnits, hasPrice, refundOrder as inOrder } from "#shop/orders/choose.ts";
import { refused, type LimitRefusal } from "#shop/orders/change.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import type { OrderState } from "#shop/orders/state.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { audit, resultOf, staff, type Result } from "./locked-order.server.ts";
import type { RefundReason } from "#shop/orders/reasons.ts";
import { writeNote } from "./order-notes.server.ts";

/** `recorded`: staff send the money back themselves. */
export type RefundState = "done" | "failed" | "waiting" | "recorded";
export type RefundRefusal =
  | LimitRefusal
  | { ok: false; reason: "nothing-paid" | "too-much" | "disputed" | "under-way"; leftCents?: number };
type RefundResult =
  | { ok: true; state: RefundState }
  | { ok: false; reason: "not-found" | "amount" | "meanwhile" }
  | { ok: false; reason: "refunded-units"; name: string; unitsLeft: number }
  | { ok: false; reason: "not-shipped"; name: string }
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
 * Marks a refund as paid back in another way, with a note that says how, and emails the customer. Refusals: 'unknown-refund',
 * 'under-way', and of one that was left to staff, which its member approves, those of the limit.
 */
export const resolveRefund = async (
  db: Database,
  orderId: string,
  { refundId, text, isVerified = false }: { refundId: string; text: string; isVerified?: boolean },
  by: Acting,
): Promise<Result<"unknown-refund" | "under-way"> | LimitRefusal> => {
  const resolved = await withOrder(
    db,
    orderId,
    (state, act) => resolve(state, { refundId }, act),
    staff({ ...by, isVerified }),
    async (tx) => {
      await writeNote(tx, orderId, "refund", text, by);
      await audit(tx, by, "resolve-refund", orderId);
    },
  );
  if (resolved.ok) return resultOf(resolved);
  const { status: _status, ...refusal } = resolved;
  return refusal as LimitRefusal;
};

/**
 * Gives back what a refund still owes: again after it failed, as sent by staff themselves, or as left to them. Refusals:
 * 'unknown-refund', 'disputed', 'nothing-paid', and of one that was left to staff, which its member approves, those of the limit.
 */
export async function retryRefund(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { refundId, isVerified = false }: { refundId: string; isVerified?: boolean },
  by: Acting | null,
): Promise<
  { ok: true; state: RefundState } | RefundRefusal | { ok: false; reason: "not-found" | "unknown-refund" | "disputed" }
> {
  const asked = await withOrder(
    db,
    orderId,
    (state, act) => retry(state, { refundId }, act),
    staff(by && { ...by, isVerified }),
    (tx) => audit(tx, by, "refund", orderId, { after: { refundId } }),
  );
  if (asked.ok) return { ok: true, state: await runRefunds(db, providers, asked.change.run ?? []) };
  const { status: _status, ...refusal } = asked;
  return refusal as RefundRefusal;
}

/** Runs requested refunds after the commit. `waiting` if one has no outcome yet: jobs ask the provider again. */
export async function runRefunds(
  db: Database,
  providers: PaymentProviders | null,
  actionIds: readonly string[],
): Promise<RefundState> {
  if (actionIds.length === 0) return "recorded";
  if (!providers) return "waiting";
  const answers = [];
  for (const id of actionIds) answers.push(await runAction(db, providers, id));
  if (answers.includes("unknown")) return "waiting";
  return answers.includes("failed") ? "failed" : "done";
}

function requestOf(state: OrderState, { cents, items, reason }: Pick<Refund, "cents" | "items" | "reason">) {
  if (!items) return { reason, goodwillCents: cents };
  const units = chooseUnits(state, items.units, hasPrice, inOrder);
  return "ok" in units ? units : { reason, units, hasShipping: items.hasShipping, seenCents: cents };
}

/**
 * Refunds `cents` of a captured payment, in any order status. `recorded` if the payment was arranged, `waiting` if the provider has not answered yet: jobs ask
 * again, and the customer gets an email once it is done. Refusals: 'refunded-units' for more of an item than is left to
 * refund, 'not-shipped' for what is canceled instead, 'meanwhile' after another refund, 'sum' if the items are other cents, 'amount', 'too-much', 'nothing-paid',
 * 'disputed', and for the sum of the member's refunds of the order within a day 'limit' of the role, and 'unverified'.
 */
export async function refundOrder(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { cents, items = null, reason, seen, isVerified = false }: Refund,
  by: Acting | null,
): Promise<RefundResult> {
  const asked = await withOrder(
    db,
    orderId,
    (state, act) => {
      const request = requestOf(state, { cents, items, reason });
      if ("ok" in request) return { ...request, reason: "refunded-units" };
      if (seen !== undefined && seen !== state.refunds.length) return refused("meanwhile");
      if (!items && !(Number.isInteger(cents) && cents > 0)) return refused("amount");
      return refund(state, request, act);
    },
    staff(by && { ...by, isVerified }),
    (tx) => audit(tx, by, "refund", orderId, { after: { cents, reason } }),
  );
  if (asked.ok) return { ok: true, state: await runRefunds(db, providers, asked.change.run ?? []) };
  const { left = 0, name, status: _status, ...refusal } = asked;
  if (refusal.reason === "refunded-units")
    return { ok: false, reason: "refunded-units", name: name ?? "", unitsLeft: left };
  if (refusal.reason === "not-shipped") return { ok: false, reason: "not-shipped", name: name ?? "" };
  return (refusal.reason === "too-much" ? { ...refusal, leftCents: left } : refusal) as RefundResult;
}
