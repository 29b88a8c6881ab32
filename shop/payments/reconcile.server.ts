/** Reconciliation: the provider's state of a payment is the truth about money, read afresh and applied once. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { captureSeen } from "#shop/orders/actions/capture-seen.ts";
import { confirmOrder } from "#shop/orders/actions/confirm.ts";
import { dueItems, voidPayment } from "#shop/orders/actions/money.ts";
import { moneyMoved } from "#shop/orders/actions/money-moved.ts";
import { takeLinked } from "#shop/orders/actions/pay.ts";
import { disputeLost, refundSeen } from "#shop/orders/actions/refund.ts";
import { decided } from "#shop/orders/change.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { isUnsent } from "#shop/orders/order.ts";
import { decideOn } from "#shop/orders/run.server.ts";
import { isLink, isSurplus } from "#shop/orders/order-money.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { orderState } from "#shop/orders/state.ts";
import { OutOfStock, writeSummary } from "#shop/orders/write-change.server.ts";
import { type PointsByKey, refundKeys } from "#shop/rate-limits/rate-limits.server.ts";
import {
  alertStaff,
  expireLocked,
  findOpened,
  isChargedByParcel,
  lockPayments,
  type LockedOrder,
  type Payment,
} from "./locked-payments.server.ts";
import { paymentActions, payments } from "./payment.tables.ts";
import { providerFor, type PaymentProviders, type PaymentSnapshot, type ProviderRefund } from "./provider.ts";
import { decide, type Decision, type PaymentNow } from "./reconcile.ts";

type Tx = DatabaseOrTransaction;

/**
 * Reads a payment from the provider without holding a lock, applies the snapshot, and deletes the customer of a page that
 * ended without saving a card. Repeated and concurrent calls have the same result. Ignores a payment that was never opened.
 * Throws a ProviderError if there is no answer.
 */
export async function reconcilePayment(db: Database, providers: PaymentProviders, paymentId: string): Promise<void> {
  const payment = await findOpened(db, paymentId);
  if (!payment) return;
  const provider = providerFor(providers, payment);
  const snapshot = await provider.read(payment);
  if (snapshot.unusedCustomer) await provider.forget(snapshot.unusedCustomer);
  const read = { paymentId, snapshot, at: payment.at };
  const { refunded } = await transaction(db, (tx) => applySnapshot(tx, payment.orderId, read));
  // Limits are refunded after the commit, because they are always locked before stock.
  if (refunded) await refundKeys(db, refunded);
}

/**
 * Closes a page, releases the money of one with another amount, and reconciles the payment, which may have been paid
 * meanwhile. Throws a ProviderError if there is no answer.
 */
export async function closePage(db: Database, providers: PaymentProviders, paymentId: string): Promise<void> {
  const payment = await findOpened(db, paymentId);
  if (!payment) return;
  await providerFor(providers, payment).close(payment, { voids: payment.state === "mismatch" });
  // Some providers leave a page open: what is approved there from now on is not authorized.
  await db.update(payments).set({ url: null }).where(eq(payments.id, paymentId));
  // Concurrent reads may have happened during the close, so the payment is read again.
  await reconcilePayment(db, providers, paymentId);
}

export async function reconcileOrder(db: Database, providers: PaymentProviders, orderId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM payments WHERE order_id = ${orderId}::uuid AND state NOT IN ('opening', 'closed', 'forgotten')`,
  );
  for (const { id } of rows) await reconcilePayment(db, providers, id);
}

/** `at` is the time of the request by the database's clock. */
export type Read = { paymentId: string; snapshot: PaymentSnapshot; at: string };

/**
 * Locks the payment's order and applies a snapshot, unless a newer one was applied. Returns the points of limits that
 * the caller refunds after the commit, if the order is now paid.
 */
export async function applySnapshot(tx: Tx, orderId: string, read: Read): Promise<{ refunded: PointsByKey | null }> {
  const order = await lockPayments(tx, orderId);
  const payment = order?.payments.find(({ id }) => id === read.paymentId);
  if (!order || !payment) return { refunded: null };
  if (await isOutdated(tx, read)) return { refunded: null };
  const decision = decide(await present(tx, order, payment), read.snapshot);
  const outcome = await confirm(tx, orderId, read, decision);
  await write(tx, order, payment, read, decision);
  if (isLink(payment) && decision.state === "authorized") await take(tx, orderId, payment.id, takeLinked);
  if (decision.state === "captured") await take(tx, orderId, payment.id, captureSeen);
  if (decision.order === "expired") await expireLocked(tx, order);
  const lostCents = decision.losesMoney && read.snapshot.dispute?.state === "lost" ? read.snapshot.dispute.cents : 0;
  for (const note of decision.notes) {
    const isLost = note === "dispute-closed" && lostCents > 0;
    const data = { paymentId: payment.id, ...(isLost && { outcome: "lost", cents: lostCents }) };
    await noteOrder(tx, orderId, note, "provider", data);
  }
  for (const about of decision.alerts) await alertStaff(tx, orderId, about);
  if (decision.asksToPay) await enqueueEmail(tx, { template: "payment-ended", orderId }, ORDER_STEP_PERMIT);
  const named = await applyRefunds(tx, order, payment, read.snapshot.refunds);
  const lost = { paymentId: payment.id, cents: lostCents, named };
  if (lostCents > 0) await decideOn(tx, orderId, (state, act) => disputeLost(state, lost, act), { by: "provider" });
  const isUnwanted = decision.returnsMoney || outcome === "sold-out";
  if (isUnwanted && decision.state === "authorized") await take(tx, orderId, payment.id, release);
  await writeSummary(tx, orderId);
  return { refunded: outcome === "paid" ? payment.holdLimits : null };
}

async function isOutdated(tx: Tx, { paymentId, at }: Read): Promise<boolean> {
  const newer = sql`SELECT FROM payments WHERE id = ${paymentId}::uuid AND read_at >= ${at}::timestamptz`;
  return (await tx.execute(newer)).rowCount !== 0;
}

async function present(tx: Tx, order: LockedOrder, payment: Payment): Promise<PaymentNow> {
  const [voided] = await tx
    .select({ id: paymentActions.id })
    .from(paymentActions)
    .where(
      and(
        eq(paymentActions.paymentId, payment.id),
        eq(paymentActions.kind, "void"),
        inArray(paymentActions.state, ["asked", "sent", "done"]),
      ),
    );
  const state = orderState((await readFacts(tx, order.id))!);
  const chargesParcels = isChargedByParcel(order.payments) && isUnsent(order);
  return {
    orderStatus: order.status,
    isReservationOver: order.isReservationOver,
    isDue: chargesParcels || state.packing !== null || dueItems(state).length > 0,
    kind: payment.kind,
    isLink: isLink(payment),
    state: payment.state,
    amountCents: payment.amountCents,
    problem: payment.problem,
    dispute: payment.dispute,
    isPaidByOther: order.payments.some(
      (other) =>
        other.id !== payment.id &&
        (isLink(payment) ? other.chargeId === payment.chargeId : !isLink(other)) &&
        (other.state === "authorized" ||
          (other.state === "captured" && !chargesParcels && !isSurplus(state, other.id))),
    ),
    isVoided: voided !== undefined,
    hasCard: payment.savedCustomer !== null,
  };
}

async function write(tx: Tx, { email }: LockedOrder, { id }: Payment, { snapshot, at }: Read, decision: Decision) {
  const amounts = {
    authorizedCents: snapshot.authorizedCents,
    capturedCents: snapshot.capturedCents,
    refundedCents: snapshot.refundedCents,
  };
  const isOpen = decision.state === "open";
  await tx
    .update(payments)
    .set({
      state: decision.state,
      problem: decision.problem,
      readAt: sql`${at}::timestamptz`,
      intentReference: snapshot.intentReference,
      dispute: snapshot.dispute?.state ?? null,
      disputedUntil: snapshot.dispute?.state === "open" ? snapshot.dispute.until : null,
      captureBefore: snapshot.captureBefore,
      // Anonymous orders stay anonymous.
      ...(email !== "" && { method: snapshot.method }),
      // Amounts of a mismatch would violate a check of the table.
      ...(decision.state !== "mismatch" && amounts),
      ...(decision.keepsCard && {
        savedCustomer: snapshot.saved?.customer ?? null,
        savedMethod: snapshot.saved?.method ?? null,
      }),
      ...(!isOpen && { url: null, holdLimits: null }),
    })
    .where(eq(payments.id, id));
}

/** Confirms an order with its payment, which is not written yet. */
async function confirm(
  tx: Tx,
  orderId: string,
  { paymentId, snapshot }: Read,
  { order: move, state: is }: Decision,
): Promise<"paid" | "sold-out" | null> {
  if (move === null || move === "expired") return null;
  try {
    // A savepoint: without units in stock the order stays expired.
    const confirmed = await tx.transaction((inner) =>
      decideOn(
        inner,
        orderId,
        (state, act) => {
          const was = state.facts.payments.find(({ id }) => id === paymentId)!;
          return confirmOrder(
            state,
            { payment: { ...was, state: is, authorizedCents: snapshot.authorizedCents } },
            act,
          );
        },
        { by: "provider" },
      ),
    );
    if (!confirmed.ok) throw new Error(`a paid order was not confirmed: ${confirmed.reason}`);
    return "paid";
  } catch (error) {
    if (!(error instanceof OutOfStock)) throw error;
    await enqueueEmail(tx, { template: "order-not-charged", orderId }, ORDER_STEP_PERMIT);
    return "sold-out";
  }
}

const release: typeof takeLinked = ({ facts }, { payment }, act) => decided(voidPayment(facts, payment, act));

/** Takes the money of a payment as it was written, books it, or releases it. */
const take = (tx: Tx, orderId: string, paymentId: string, how: typeof takeLinked) =>
  decideOn(
    tx,
    orderId,
    (state, act) => how(state, { payment: state.facts.payments.find(({ id }) => id === paymentId)! }, act),
    { by: "provider" },
  );

/**
 * Records refunds made in the provider's dashboard, and refunds that a bank refused later. Returns the actions that the
 * provider names.
 */
async function applyRefunds(
  tx: DatabaseOrTransaction,
  { id: orderId }: LockedOrder,
  payment: Payment,
  refunds: ProviderRefund[],
): Promise<string[]> {
  if (refunds.length === 0) return [];
  const actions = await tx.select().from(paymentActions).where(eq(paymentActions.paymentId, payment.id));
  const actionsOf = ({ reference, actionId }: ProviderRefund) =>
    actions.filter(({ id, providerReference }) => id === actionId || providerReference === reference);
  const named = refunds.flatMap((each) => actionsOf(each).map(({ id }) => id));
  for (const each of refunds) {
    const { reference, cents, state } = each;
    const known = actionsOf(each);
    // One that was overtaken, and made nonetheless, is another refund.
    const isBooked = known.some((action) => action.state !== "failed" || action.providerReference === reference);
    if (!isBooked && state !== "failed") {
      const seen = await decideOn(
        tx,
        orderId,
        (now, act) => refundSeen(now, { paymentId: payment.id, cents, named }, act),
        { by: "provider" },
      );
      const attempts = seen.ok ? (seen.change.attempts ?? []) : [];
      const ids = attempts.filter((attempt) => attempt.state === "sent").map(({ id }) => id);
      named.push(...ids);
      await tx.update(paymentActions).set({ providerReference: reference }).where(inArray(paymentActions.id, ids));
    }
    for (const action of known.filter((found) => found.state === "done" && state === "failed"))
      await decideOn(
        tx,
        orderId,
        (now, act) => {
          const read = now.facts.payments.find(({ id }) => id === payment.id)!;
          return moneyMoved(now, { attemptId: action.id, outcome: "failed", payment: read }, act);
        },
        { by: "provider" },
      );
  }
  return named;
}
