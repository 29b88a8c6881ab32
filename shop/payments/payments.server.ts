/**
 * Payments of orders, and the end of unpaid ones: they expire after 30 minutes, and are changed or canceled by their
 * buyer. The payment page closes first, so that nobody pays for sold units.
 */
import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import { ownerId } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { isAllowed } from "#shop/orders/lifecycle.ts";
import { hasHad, noteOrder } from "#shop/orders/order-events.server.ts";
import { isEnded, isUnpaid } from "#shop/orders/order.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { isHeldForLink } from "#shop/orders/stage.sql.ts";
import { cancelOrder } from "./cancel.server.ts";
import { alertStaff, closeUnopened, expireLocked, lockPayments, refillFrom } from "./locked-payments.server.ts";
import { type ActionKind, paymentActions, payments } from "./payment.tables.ts";
import { ProviderError, type PaymentProviders } from "./provider.ts";
import { closePage } from "./reconcile.server.ts";

const EXTENSION_MINUTES = 5;

/**
 * Closes every payment page of the order and reconciles it, since it may have been paid meanwhile. Throws a
 * ProviderError if there is no answer.
 */
async function closePages(db: Database, providers: PaymentProviders, orderId: string): Promise<void> {
  const all = await db
    .select({ id: payments.id, state: payments.state })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  for (const { id, state } of all) {
    if (state === "open" || state === "mismatch") await closePage(db, providers, id);
  }
}

/** Expires an order whose reservation has ended, unless it was paid after all. Ignores any other order. */
export async function expireOrder(db: Database, providers: PaymentProviders, orderId: string): Promise<void> {
  try {
    await closePages(db, providers, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await extendReservation(db, orderId);
    return;
  }
  await transaction(db, async (tx) => {
    const order = await lockPayments(tx, orderId);
    if (!order?.isReservationOver || !isAllowed("expired", order.status)) return;
    // Pages opened at this moment are closed by the next job.
    if (order.payments.some(({ state }) => state === "open" || state === "mismatch")) return;
    await expireLocked(tx, order);
  });
}

/** Staff are alerted only the first time. */
async function extendReservation(db: Database, orderId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const order = await lockPayments(tx, orderId);
    if (!order?.isReservationOver || !isAllowed("expired", order.status)) return;
    await tx.execute(sql`
      UPDATE orders SET hold_until = now() + ${EXTENSION_MINUTES} * interval '1 minute' WHERE id = ${orderId}::uuid`);
    if (await hasHad(tx, orderId, "hold-extended")) return;
    await noteOrder(tx, orderId, "hold-extended", "system");
    await alertStaff(tx, orderId, "hold-extended");
  });
}

type ChangeResult =
  | { ok: true }
  | {
      ok: false;
      /**
       * `paid`: paid in the meantime, so the order stays. `over`: it has ended. `away`: the provider does not answer.
       */
      reason: "paid" | "over" | "away";
    };

/**
 * Cancels an unpaid order once its pages are closed, and refills the cart of `buyer` with its lines. The caller has
 * checked ownership.
 */
export async function changeOrder(
  db: Database,
  providers: PaymentProviders,
  buyer: Buyer,
  orderId: string,
  { refillsCart } = { refillsCart: true },
): Promise<ChangeResult> {
  try {
    await closePages(db, providers, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, reason: "away" };
  }
  return transaction(db, async (tx): Promise<ChangeResult> => {
    const order = await lockPayments(tx, orderId);
    if (!order || isEnded(order)) return { ok: false, reason: "over" };
    if (!isUnpaid(order)) return { ok: false, reason: "paid" };
    // A page was opened concurrently.
    if (order.payments.some(({ state }) => state === "open")) return { ok: false, reason: "away" };
    await closeUnopened(tx, [orderId]);
    if (refillsCart) await refillFrom(tx, buyer, orderId);
    await cancelOrder(tx, orderId, "customerId" in buyer ? "customer" : "guest");
    return { ok: true };
  });
}

export async function findUnpaid(db: Database, buyer: Buyer): Promise<{ id: string; linkVersion: number } | null> {
  const { id, linkVersion } = orders;
  const [found] = await db.select({ id, linkVersion }).from(orders).where(unpaidOf(buyer)).limit(1);
  return found ?? null;
}

/** Those of the checkout: one that staff placed is held for days, and waits for its own link. */
const unpaidOf = (buyer: Buyer) =>
  and(
    eq("customerId" in buyer ? orders.userId : orders.sessionId, ownerId(buyer)),
    eq(orders.status, "unpaid"),
    sql`hold_until > now() AND NOT ${isHeldForLink}`,
  );

async function cancelUnpaid(db: Database, providers: PaymentProviders, buyer: Buyer, which: SQL): Promise<void> {
  const unpaid = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(unpaidOf(buyer), which));
  for (const { id } of unpaid) await changeOrder(db, providers, buyer, id, { refillsCart: false });
}

/** Cancels the other unpaid orders of a buyer, who may have one at a time. */
export const cancelOtherUnpaid = (db: Database, providers: PaymentProviders, buyer: Buyer, orderId: string) =>
  cancelUnpaid(db, providers, buyer, ne(orders.id, orderId));

/** Cancels the unpaid orders of a buyer that use a code, so that the next one may; what has been paid meanwhile keeps it. */
export const cancelUnpaidWith = (db: Database, providers: PaymentProviders, buyer: Buyer, code: string) =>
  cancelUnpaid(db, providers, buyer, sql`discount_id = (SELECT id FROM discounts WHERE code = ${code})`);

const { id, kind, state, amountCents, authorizedCents, capturedCents, refundedCents } = payments;
const { method, arrangement, problem, expiresAt, refusedAt } = payments;
const amounts = { amountCents, authorizedCents, capturedCents, refundedCents };
const shown = { id, kind, state, ...amounts, method, arrangement, problem, expiresAt, refusedAt };
/** The card itself, as the provider knows it, never leaves the server. */
const hasCard = sql<boolean>`${payments.savedCustomer} IS NOT NULL`;

const { createdAt, doneAt } = paymentActions;
const moved = {
  paymentId: paymentActions.paymentId,
  kind: paymentActions.kind,
  amountCents: paymentActions.amountCents,
};

/** Money that has moved; a refund may still be pending. */
type Moved = { kind: ActionKind; amountCents: number; isDone: boolean; at: Date };
export type OrderPayment = Pick<typeof payments.$inferSelect, keyof typeof shown> & {
  /** Its card is kept for later charges. */
  hasCard: boolean;
  moved: Moved[];
};

/**
 * Returns the payments of one order, oldest first, with their captures and refunds. The caller has checked ownership.
 */
export async function listPayments(db: Database, orderId: string): Promise<OrderPayment[]> {
  const [found, actions] = await Promise.all([
    db
      .select({ ...shown, hasCard })
      .from(payments)
      .where(eq(payments.orderId, orderId))
      .orderBy(asc(payments.createdAt)),
    db
      .select({ ...moved, state: paymentActions.state, createdAt, doneAt })
      .from(paymentActions)
      .innerJoin(payments, eq(payments.id, paymentActions.paymentId))
      .where(and(eq(payments.orderId, orderId), ne(paymentActions.state, "failed")))
      .orderBy(asc(createdAt)),
  ]);
  return found.map((payment) => ({
    ...payment,
    moved: actions
      .filter(({ paymentId }) => paymentId === payment.id)
      .map((action) => ({
        kind: action.kind,
        amountCents: action.amountCents,
        isDone: action.state === "done",
        at: action.doneAt ?? action.createdAt,
      })),
  }));
}
