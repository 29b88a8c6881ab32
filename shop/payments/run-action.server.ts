/** Actions move money once: the row first, then the call to the provider, then the outcome with its consequences. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { attemptRead } from "#shop/orders/actions/capture-seen.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { decideOn, type By } from "#shop/orders/run.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { findForAction, type ActionPayment } from "./locked-payments.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";
import {
  ProviderError,
  providerFor,
  type MoneyMoved,
  type PaymentProvider,
  type PaymentProviders,
  type PaymentSnapshot,
} from "./provider.ts";
import { applySnapshot } from "./reconcile.server.ts";

type Action = typeof paymentActions.$inferSelect;
type Found = { action: Action; payment: ActionPayment };

/** `pending`: the bank has not completed it; null: nothing has happened. */
type KnownOutcome = "done" | "failed" | "pending" | null;
type Reading = {
  /** Null if the provider has no such charge. */
  snapshot: PaymentSnapshot | null;
  at: string;
  outcome: KnownOutcome;
  problem?: string;
  moved?: MoneyMoved;
};

/** Outcome of an action, derived from the provider's snapshot of its payment. */
export function outcomeOf(
  { id, kind, providerReference }: Pick<Action, "id" | "kind" | "providerReference">,
  { state, refunds, problem }: PaymentSnapshot,
): KnownOutcome {
  if (kind === "charge") {
    if (state === "captured") return "done";
    return problem !== null || state === "closed" || state === "voided" ? "failed" : null;
  }
  if (kind === "refund") {
    const refund = refunds.find((each) => each.actionId === id || each.reference === providerReference);
    return refund?.state ?? null;
  }
  if (state === "captured") return kind === "capture" ? "done" : "failed";
  if (state === "saved") return "failed";
  if (state === "voided" || state === "closed") return kind === "void" ? "done" : "failed";
  return null;
}

/** The `problem` of an action that failed at the provider; its key would repeat the failure. */
const FAULT = "provider-fault";
const KEY_HOURS = 20;

/**
 * True if the payment must be read before the action is sent again: the provider repeats failures of a key, forgets
 * keys after a day, and work pending at its bank must not be sent twice.
 */
export function mustReadFirst(
  { sentAt, problem, providerReference }: Pick<Action, "sentAt" | "problem" | "providerReference">,
  now: Date,
): boolean {
  if (providerReference !== null || problem === FAULT) return true;
  return sentAt !== null && now.getTime() - sentAt.getTime() > KEY_HOURS * 3600_000;
}

const referenceIn = (moved: MoneyMoved) =>
  moved.ok && moved.providerReference ? { providerReference: moved.providerReference } : {};

/**
 * Runs an action at the provider and records its outcome, of which the order's parcel, charge or refund hears. Repeated,
 * concurrent or after a crash, the money moves once. `unknown` if there is no answer yet; the jobs then run it again.
 */
export async function runAction(
  db: Database,
  providers: PaymentProviders,
  actionId: string,
): Promise<"done" | "failed" | "unknown"> {
  const [action] = await db.select().from(paymentActions).where(eq(paymentActions.id, actionId));
  if (!action) throw new Error("the payment action does not exist");
  if (action.state === "done" || action.state === "failed") return action.state;
  const payment = await findForAction(db, action.paymentId);
  if (!payment) throw new Error("an action needs an opened payment, or a card to charge");
  const found = { action, payment };
  try {
    const provider = providerFor(providers, payment);
    const before = mustReadFirst(action, new Date(payment.at)) ? await readOutcome(db, provider, found) : null;
    if (before?.outcome) return await finish(db, found, before);
    if (before && action.providerReference) return "unknown";
    const sent = await markSent(db, action, before !== null);
    if (!sent) return "unknown";
    const moved = await move(provider, payment, sent);
    const now = await readOutcome(db, provider, { action: { ...sent, ...referenceIn(moved) }, payment });
    const refused = moved.ok ? null : { outcome: "failed" as const, problem: moved.problem };
    return await finish(db, { action: sent, payment }, { ...(now.outcome ? now : { ...now, ...refused }), moved });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === "fault") {
      const isSame = and(eq(paymentActions.id, actionId), inArray(paymentActions.state, ["asked", "sent"]));
      await db.update(paymentActions).set({ problem: FAULT }).where(isSame);
    }
    return "unknown";
  }
}

async function readOutcome(db: Database, provider: PaymentProvider, { action, payment }: Found): Promise<Reading> {
  const now = await findForAction(db, payment.id);
  const snapshot = await read(provider, payment, action);
  const outcome = snapshot && outcomeOf(action, snapshot);
  const refusal = action.kind === "charge" ? snapshot?.problem : null;
  return { snapshot, at: now?.at ?? payment.at, outcome, ...(refusal && { problem: refusal }) };
}

/** A charge whose answer was lost has no reference yet, and is found by the shop's id of its payment. */
function read(
  provider: PaymentProvider,
  { id, reference: known, intentReference, card }: ActionPayment,
  { kind, providerReference }: Action,
): Promise<PaymentSnapshot | null> {
  const reference = known ?? (kind === "charge" ? providerReference : null);
  if (reference !== null) return provider.read({ reference, intentReference: intentReference ?? providerReference });
  return card ? provider.findCharge(id, card) : Promise.resolve(null);
}

/**
 * Marks an action as sent, with a new key if nothing happened under the old one. Null if another process was faster.
 */
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

async function move(provider: PaymentProvider, found: ActionPayment, action: Action): Promise<MoneyMoved> {
  // The provider repeats its answer for the same key.
  const key = `${action.id}:${action.attempt}`;
  if (action.kind === "charge") {
    if (!found.card) throw new Error("a charge needs a saved card");
    const { id: paymentId, orderId, card: saved } = found;
    const charge = { paymentId, orderNumber: orderNumber(orderId), saved, amountCents: action.amountCents };
    return provider.charge(charge, key);
  }
  const payment = { reference: found.reference ?? "", intentReference: found.intentReference };
  if (action.kind === "capture") return provider.capture(payment, action.amountCents, key);
  if (action.kind === "refund") return provider.refund(payment, action.amountCents, key, action.id);
  await provider.close(payment, { voids: true });
  return { ok: true, providerReference: null };
}

async function finish(
  db: Database,
  { action, payment }: Found,
  { snapshot, at, outcome, problem, moved }: Reading,
): Promise<"done" | "failed" | "unknown"> {
  const { id, kind, askedBy, staffId } = action;
  const { orderId, id: paymentId } = payment;
  const isKnown = outcome === "done" || outcome === "failed";
  return transaction(db, async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("update");
    // The answer may have been lost, but the provider names the refund.
    const refund = snapshot?.refunds.find(({ actionId }) => actionId === id);
    const reference = refund ? { providerReference: refund.reference } : moved ? referenceIn(moved) : {};
    const [written] = await tx
      .update(paymentActions)
      .set(isKnown ? { ...reference, problem: problem ?? null, doneAt: sql`now()` } : { ...reference, state: "sent" })
      .where(and(eq(paymentActions.id, id), inArray(paymentActions.state, ["asked", "sent"])))
      .returning({ providerReference: paymentActions.providerReference });
    if (isKnown && written && kind === "capture" && outcome === "failed") await failPayment(tx, paymentId, problem);
    if (isKnown && written && kind === "charge") await recordCharge(tx, payment, { snapshot, outcome, problem });
    if (snapshot && !(kind === "charge" && outcome !== "done")) {
      await applySnapshot(tx, orderId, { paymentId, snapshot, at });
    }
    if (!written) return stateOf(tx, id);
    if (!isKnown) return "unknown";
    if (kind === "void" && outcome === "done" && snapshot && snapshot.authorizedCents > 0) {
      await noteOrder(tx, orderId, "payment-voided", askedBy === "staff" ? "staff" : "system", { paymentId });
    }
    // A refund that the provider refuses at once was never on its way.
    const isPromised = written.providerReference !== null;
    const asker = askedBy === "staff" || askedBy === "provider" ? askedBy : "system";
    const by: By = outcome === "done" ? { by: asker, staffId } : { by: "provider" };
    await decideOn(
      tx,
      orderId,
      (state, act) => {
        const read = state.facts.payments.find((each) => each.id === paymentId)!;
        return attemptRead(state, { attemptId: id, outcome, payment: read, isPromised }, act);
      },
      by,
    );
    return outcome;
  });
}

/** Names a charge by its provider id, or fails it with its card, which is not charged again. */
async function recordCharge(
  tx: DatabaseOrTransaction,
  { id, savedPaymentId }: ActionPayment,
  { snapshot, outcome, problem = "charge-failed" }: Pick<Reading, "snapshot" | "outcome" | "problem">,
): Promise<void> {
  const ofCharge = eq(payments.id, id);
  if (outcome === "done") {
    await tx
      .update(payments)
      .set({ reference: snapshot?.reference ?? null })
      .where(ofCharge);
    return;
  }
  await tx.update(payments).set({ state: "failed", problem }).where(ofCharge);
  if (!savedPaymentId) return;
  await tx
    .update(payments)
    .set({ refusedAt: sql`coalesce(refused_at, now())` })
    .where(eq(payments.id, savedPaymentId));
}

/** Fails the payment and voids it, so that the next payment is the only one. */
async function failPayment(tx: DatabaseOrTransaction, paymentId: string, problem = "capture-failed"): Promise<void> {
  const refusedAt = sql`CASE WHEN saved_customer IS NOT NULL THEN coalesce(refused_at, now()) END`;
  await tx.update(payments).set({ state: "failed", problem, refusedAt }).where(eq(payments.id, paymentId));
  await tx
    .insert(paymentActions)
    .values({ paymentId, kind: "void", amountCents: 0, askedBy: "system" })
    .onConflictDoNothing();
}

async function stateOf(tx: DatabaseOrTransaction, id: string): Promise<"done" | "failed" | "unknown"> {
  const [now] = await tx.select({ state: paymentActions.state }).from(paymentActions).where(eq(paymentActions.id, id));
  return now?.state === "done" || now?.state === "failed" ? now.state : "unknown";
}
