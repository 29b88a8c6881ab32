/** Refunds by staff, within the limit of their role. */
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import {
  recordSent as record,
  refund,
  type RefundRequest,
  resolveRefund as resolve,
  retryRefund as retry,
} from "#shop/orders/actions/refund.ts";
import { chooseUnits, hasPrice, refundOrder as inOrder } from "#shop/orders/choose.ts";
import { byHandCents, movingCents } from "#shop/orders/actions/refund-money.ts";
import { refused, type Change, type LimitRefusal } from "#shop/orders/change.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import type { OrderState } from "#shop/orders/state.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { audit, resultOf, staff, type Result } from "./locked-order.server.ts";
import type { RefundReason } from "#shop/orders/reasons.ts";
import { writeNote } from "./order-notes.server.ts";

/** Outcome at the providers; `owed`: none was asked, because staff send all of it themselves. */
export type RefundState = "done" | "failed" | "waiting" | "owed";
/** A refund that was asked for; `byHandCents` of it, if any, staff have still to send. */
export type Refunded = { state: RefundState; byHandCents?: number };
export type RefundRefusal =
  | LimitRefusal
  | { ok: false; reason: "nothing-paid" | "too-much" | "disputed" | "under-way"; leftCents?: number };
type RefundResult =
  | ({ ok: true } & Refunded)
  | { ok: false; reason: "not-found" | "amount" | "meanwhile" }
  | { ok: false; reason: "refunded-units"; name: string; unitsLeft: number }
  | { ok: false; reason: "not-shipped"; name: string }
  | { ok: false; reason: "sum"; cents: number }
  | RefundRefusal;

/** Units to refund by order line; with `hasShipping` the shipping, too; and services of returns. */
export type RefundItems = {
  units: Record<string, number>;
  hasShipping: boolean;
  services?: NonNullable<RefundRequest["services"]>;
};

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
 * Records that staff have sent back what its customer paid to them, and emails the customer. Refusals: 'unknown-refund',
 * 'meanwhile' if that is not `cents`, and of one that was left to staff, which its member approves, those of the limit.
 */
export const recordSent = async (
  db: Database,
  orderId: string,
  { refundId, cents, isVerified = false }: { refundId: string; cents: number; isVerified?: boolean },
  by: Acting,
): Promise<Result<"unknown-refund" | "meanwhile"> | LimitRefusal> => {
  const recorded = await withOrder(
    db,
    orderId,
    (state, act) => record(state, { refundId, cents }, act),
    staff({ ...by, isVerified }),
    (tx) => audit(tx, by, "record-refund", orderId, { after: { refundId, cents } }),
  );
  if (recorded.ok) return resultOf(recorded);
  const { status: _status, ...refusal } = recorded;
  return refusal as LimitRefusal;
};

/**
 * Asks providers for what a refund still owes: again after it failed, or as it was left to staff. Refusals:
 * 'unknown-refund', 'disputed', 'not-at-provider', and of one that was left to staff, which its member approves, those of the limit.
 */
export async function retryRefund(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { refundId, isVerified = false }: { refundId: string; isVerified?: boolean },
  by: Acting | null,
): Promise<
  | { ok: true; state: RefundState }
  | RefundRefusal
  | { ok: false; reason: "not-found" | "unknown-refund" | "disputed" | "not-at-provider" }
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
  if (actionIds.length === 0) return "owed";
  if (!providers) return "waiting";
  const answers = [];
  for (const id of actionIds) answers.push(await runAction(db, providers, id));
  if (answers.includes("unknown")) return "waiting";
  return answers.includes("failed") ? "failed" : "done";
}

/** Runs the refunds that a change promises; null if it promises none. */
export async function refundedBy(
  db: Database,
  providers: PaymentProviders | null,
  change: Change,
): Promise<(Refunded & { cents: number }) | null> {
  const cents = movingCents(change);
  if (cents === 0) return null;
  const left = byHandCents(change);
  const state = await runRefunds(db, providers, change.run ?? []);
  return { cents, state, ...(left > 0 && { byHandCents: left }) };
}

function requestOf(state: OrderState, { cents, items, reason }: Pick<Refund, "cents" | "items" | "reason">) {
  if (!items) return { reason, goodwillCents: cents };
  const units = chooseUnits(state, items.units, hasPrice, inOrder);
  return "ok" in units ? units : { reason, ...items, units, seenCents: cents };
}

/**
 * Refunds `cents` of a captured payment, in any order status. `owed` if the payment was arranged, `waiting` if the provider has not answered yet: jobs ask
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
  if (asked.ok) {
    const { cents: _cents, ...refunded } = (await refundedBy(db, providers, asked.change))!;
    return { ok: true, ...refunded };
  }
  const { left = 0, name, status: _status, ...refusal } = asked;
  if (refusal.reason === "refunded-units")
    return { ok: false, reason: "refunded-units", name: name ?? "", unitsLeft: left };
  if (refusal.reason === "not-shipped") return { ok: false, reason: "not-shipped", name: name ?? "" };
  return (refusal.reason === "too-much" ? { ...refusal, leftCents: left } : refusal) as RefundResult;
}
