/** Money is moved once: what is asked of the provider is a row first, then the call, then what came of it. */
import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { OrderActor } from "../orders/lifecycle.ts";
import { orders } from "../orders/order.tables.ts";
import { FAULT, keyOf, mustLookFirst, outcomeOf } from "./money/action-outcome.ts";
import {
  finish,
  referenceIn,
  type Action,
  type AfterAction,
  type Found,
  type Looked,
} from "./money/finish-action.server.ts";
import { leftOf } from "./settle/give-back.server.ts";
import { findOpened, referenceOf, type AskedPayment } from "./settle/locked-payments.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";
import { ProviderError, type MoneyMoved, type PaymentProvider } from "./provider.ts";

export { requestVoids } from "./settle/give-back.server.ts";
export type { ActionOutcome, AfterAction } from "./money/finish-action.server.ts";

/**
 * Asks for `cents` of the order's authorized payment; the action is to be run once the caller's transaction is committed.
 * Null where the order has none: without a provider it ships as it is. Throws for an order that is not in processing: what
 * has ended is being given back.
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

export type RefundRequest =
  | { ok: true; actionIds: string[] }
  | { ok: false; reason: "nothing-paid" | "too-much" | "disputed" | "under-way"; /** In cents. */ leftCents: number };

/**
 * Asks for `cents` of what was captured for the order to go back, over as many payments as that takes. Refusals:
 * 'nothing-paid', 'disputed' while the bank decides, 'too-much', and 'under-way' where other refunds have not ended that
 * may leave too little. Two at once never ask for more than there is.
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
  // Counted once the lock is there: whoever held it may have asked for a refund, too.
  const paid = await tx
    .select({ id: payments.id, restCents: sql<number>`(captured - refunded)::int`, leftCents: leftOf })
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
  const actions = paid.flatMap(({ id, leftCents: left }) => {
    const amountCents = Math.min(rest, left);
    rest -= amountCents;
    return amountCents > 0 ? [{ paymentId: id, kind: "refund" as const, amountCents, reason, askedBy, staffId }] : [];
  });
  const made = await tx.insert(paymentActions).values(actions).returning({ id: paymentActions.id });
  return { ok: true, actionIds: made.map(({ id }) => id) };
}

/**
 * Has the provider carry out an action, and writes down what came of it together with `after`. Again, at once by two, or
 * after a crash anywhere: the money moves once, and `after` is called once. `unknown` where the provider has not said yet;
 * it is to be run again then, which the jobs do until it is known.
 */
export async function runAction(
  db: Database,
  provider: PaymentProvider,
  actionId: string,
  after: AfterAction,
): Promise<"done" | "failed" | "unknown"> {
  const [action] = await db.select().from(paymentActions).where(eq(paymentActions.id, actionId));
  if (!action) throw new Error("there is no such action of a payment");
  if (action.state === "done" || action.state === "failed") return action.state;
  const payment = await findOpened(db, action.paymentId);
  if (!payment) throw new Error("an action was asked for a payment that was never opened");
  const found = { action, payment };
  try {
    const looked = mustLookFirst(action, new Date(payment.at)) ? await look(db, provider, found) : null;
    if (looked?.outcome) return await finish(db, found, looked, after);
    if (looked && action.providerReference) return "unknown";
    const sent = await markSent(db, action, looked !== null);
    if (!sent) return "unknown";
    const moved = await move(provider, payment, sent);
    const now = await look(db, provider, { action: { ...sent, ...referenceIn(moved) }, payment });
    const refused = moved.ok ? null : { outcome: "failed" as const, problem: moved.problem };
    return await finish(
      db,
      { action: sent, payment },
      { ...(now.outcome ? now : { ...now, ...refused }), moved },
      after,
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === "fault") {
      const isSame = and(eq(paymentActions.id, actionId), inArray(paymentActions.state, ["asked", "sent"]));
      await db.update(paymentActions).set({ problem: FAULT }).where(isSame);
    }
    return "unknown";
  }
}

async function look(db: Database, provider: PaymentProvider, { action, payment }: Found): Promise<Looked> {
  const now = await findOpened(db, payment.id);
  const snapshot = await provider.read(referenceOf(payment));
  return { snapshot, at: now?.at ?? payment.at, outcome: outcomeOf(action, snapshot) };
}

/** Says that it is on its way. With a new key only where nothing has happened under the old one; null: another was faster. */
async function markSent(db: Database, action: Action, isNew: boolean): Promise<Action | null> {
  const [sent] = await db
    .update(paymentActions)
    .set({
      state: "sent",
      sentAt: isNew ? sql`now()` : sql`coalesce(sent_at, now())`,
      attempt: action.attempt + (isNew ? 1 : 0),
      problem: null,
    })
    .where(
      and(
        eq(paymentActions.id, action.id),
        eq(paymentActions.attempt, action.attempt),
        inArray(paymentActions.state, ["asked", "sent"]),
        isNew || action.problem !== null ? undefined : isNull(paymentActions.problem),
      ),
    )
    .returning();
  return sent ?? null;
}

async function move(provider: PaymentProvider, payment: AskedPayment, action: Action): Promise<MoneyMoved> {
  const reference = referenceOf(payment);
  const key = keyOf(action);
  if (action.kind === "capture") return provider.capture(reference, action.amountCents, key);
  if (action.kind === "refund") return provider.refund(reference, action.amountCents, key, action.id);
  await provider.close(reference, { givesBack: true });
  return { ok: true, providerReference: null };
}
