/** Locks are always taken on the order first, then on its payments, until the transaction ends. */
import { and, asc, eq, inArray, ne, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { refillCart } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { endOrder } from "#shop/orders/actions/cancel.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { decideOn } from "#shop/orders/run.server.ts";
import { isHeldForLink } from "#shop/orders/stage.sql.ts";
import { canceledUnits } from "#shop/orders/units.sql.ts";
import { payments } from "./payment.tables.ts";
import type { SavedMethod } from "./provider.ts";
import type { Alert } from "./reconcile.ts";

export type Payment = typeof payments.$inferSelect;
export type LockedOrder = Pick<
  typeof orders.$inferSelect,
  "id" | "status" | "stage" | "email" | "userId" | "sessionId"
> & {
  /** The reservation has ended, or there is none. */
  isReservationOver: boolean;
  isHeldForLink: boolean;
  payments: Payment[];
};

export async function lockPayments(tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> {
  const { id, status, stage, email, userId, sessionId } = orders;
  const [order] = await tx
    .select({
      id,
      status,
      stage,
      email,
      userId,
      sessionId,
      isReservationOver: sql<boolean>`coalesce(${orders.holdUntil} <= now(), true)`,
      isHeldForLink: sql<boolean>`coalesce(${isHeldForLink}, false)`,
    })
    .from(orders)
    .where(eq(id, orderId))
    .for("update");
  if (!order) return null;
  const found = await tx
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .for("update");
  return { ...order, payments: found };
}

/** Null if the customer has deleted the account, or the order came from no cart. */
function buyerOf({ userId, sessionId, isHeldForLink: isByLink }: LockedOrder): Buyer | null {
  if (isByLink) return null;
  if (userId) return { customerId: userId };
  return sessionId ? { guestId: sessionId } : null;
}

/** True if the parcels of the order are charged one by one, on a card that its first page has kept. */
export const isChargedByParcel = (all: readonly Pick<Payment, "kind">[]): boolean =>
  all.some(({ kind }) => kind === "setup");

/** The card for the next charge of an order: the latest that a page has kept. Null if there is none. */
export const latestCard = (order: Pick<LockedOrder, "payments">): Payment | null =>
  order.payments.findLast(({ savedCustomer }) => savedCustomer !== null) ?? null;

/** The saved card refused a charge, and no payment replaces it yet. */
export const isRefused = (order: Pick<LockedOrder, "payments">): boolean =>
  Boolean(latestCard(order)?.refusedAt) && !order.payments.some(({ state }) => state === "authorized");

/** Condition: an order waits for the outcome of a capture or a charge. */
export const moneyUnderWay = (orderId: SQL): SQL => sql`EXISTS (
  SELECT FROM payment_actions JOIN payments AS charge ON charge.id = payment_id
  WHERE charge.order_id = ${orderId} AND payment_actions.kind IN ('capture', 'charge')
    AND payment_actions.state IN ('asked', 'sent'))`;

export const isMoneyUnderWay = async (tx: DatabaseOrTransaction, orderId: string): Promise<boolean> =>
  (await tx.execute(sql`SELECT WHERE ${moneyUnderWay(sql`${orderId}::uuid`)}`)).rowCount !== 0;

/** `at` is the database's time to the microsecond, which orders snapshots. */
export type OpenedPayment = Payment & { reference: string; at: string };

/** Returns a payment that was opened at the provider. Null if it was not: then nobody can have paid it. */
export async function findOpened(db: DatabaseOrTransaction, paymentId: string): Promise<OpenedPayment | null> {
  const [found] = await db
    .select({ payment: payments, at: sql<string>`clock_timestamp()::text` })
    .from(payments)
    .where(eq(payments.id, paymentId));
  const reference = found?.payment.reference;
  return found && reference ? { ...found.payment, reference, at: found.at } : null;
}

export type ActionPayment = Payment & {
  at: string;
  /** The saved card of a charge. */
  card: SavedMethod | null;
};

/** Returns a payment for an action: one that was opened, or a charge, which has no reference before its first answer. */
export async function findForAction(db: DatabaseOrTransaction, paymentId: string): Promise<ActionPayment | null> {
  const keeper = alias(payments, "keeper");
  const [found] = await db
    .select({
      payment: payments,
      at: sql<string>`clock_timestamp()::text`,
      customer: keeper.savedCustomer,
      method: keeper.savedMethod,
    })
    .from(payments)
    .leftJoin(keeper, eq(keeper.id, payments.savedPaymentId))
    .where(eq(payments.id, paymentId));
  if (!found) return null;
  const { payment, at, customer, method } = found;
  const card = customer && method ? { customer, method } : null;
  return payment.reference || card ? { ...payment, at, card } : null;
}

export const refillFrom = (tx: DatabaseOrTransaction, buyer: Buyer, orderId: string): Promise<void> =>
  refillCart(
    tx,
    buyer,
    sql`(SELECT product_id, quantity - ${canceledUnits} AS quantity FROM order_items WHERE order_id = ${orderId}::uuid)`,
  );

/** Expires a locked, unpaid order: its units return to stock and its lines to the cart. */
export async function expireLocked(tx: DatabaseOrTransaction, order: LockedOrder): Promise<void> {
  await closeUnopened(tx, [order.id]);
  const buyer = buyerOf(order);
  if (buyer) await refillFrom(tx, buyer, order.id);
  await decideOn(tx, order.id, (state, act) => endOrder(state, { as: "expired" }, act), { by: "system" });
}

/** Closes payments whose page was never opened, without a call: nobody can have paid them. */
export async function closeUnopened(tx: DatabaseOrTransaction, orderIds: string[]): Promise<void> {
  await tx
    .update(payments)
    .set({ state: "closed", holdLimits: null })
    .where(and(inArray(payments.orderId, orderIds), eq(payments.state, "opening"), ne(payments.kind, "charge")));
}

export const alertStaff = (tx: DatabaseOrTransaction, orderId: string, about: Alert): Promise<void> =>
  enqueueEmail(tx, { template: "payment-alert", orderId, about }, ORDER_STEP_PERMIT);
