/** Locks are always taken on the order first, then on its payments, until the transaction ends. */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { refillCart } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { endOrders } from "#shop/orders/cancel.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { payments } from "./payment.tables.ts";
import type { Alert } from "./reconcile.ts";

export type Payment = typeof payments.$inferSelect;
export type LockedOrder = Pick<typeof orders.$inferSelect, "id" | "status" | "email" | "userId" | "sessionId"> & {
  /** The reservation has ended, or there is none. */
  isReservationOver: boolean;
  payments: Payment[];
};

export async function lockPayments(tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> {
  const { id, status, email, userId, sessionId } = orders;
  const [order] = await tx
    .select({
      id,
      status,
      email,
      userId,
      sessionId,
      isReservationOver: sql<boolean>`coalesce(${orders.holdUntil} <= now(), true)`,
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

/** Null if the customer has deleted the account. */
function buyerOf({ userId, sessionId }: Pick<LockedOrder, "userId" | "sessionId">): Buyer | null {
  if (userId) return { customerId: userId };
  return sessionId ? { guestId: sessionId } : null;
}

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

export const refillFrom = (tx: DatabaseOrTransaction, buyer: Buyer, orderId: string): Promise<void> =>
  refillCart(
    tx,
    buyer,
    sql`(SELECT product_id, quantity - canceled_quantity AS quantity FROM order_items WHERE order_id = ${orderId}::uuid)`,
  );

/** Expires a locked, unpaid order: its units return to stock and its lines to the cart. */
export async function expireLocked(tx: DatabaseOrTransaction, order: LockedOrder): Promise<void> {
  await closeUnopened(tx, [order.id]);
  const buyer = buyerOf(order);
  if (buyer) await refillFrom(tx, buyer, order.id);
  await endOrders(tx, "expired", "system", eq(orders.id, order.id));
}

/** Closes payments whose page was never opened, without a call: nobody can have paid them. */
export async function closeUnopened(tx: DatabaseOrTransaction, orderIds: string[]): Promise<void> {
  await tx
    .update(payments)
    .set({ state: "closed", holdLimits: null })
    .where(and(inArray(payments.orderId, orderIds), eq(payments.state, "opening")));
}

/** Records a failed refund for staff. `isPromised`: the customer was told of the refund, so they hear that it failed. */
export async function recordFailedRefund(
  tx: DatabaseOrTransaction,
  orderId: string,
  { actionId, cents, isPromised }: { actionId: string; cents: number; isPromised: boolean },
): Promise<void> {
  await noteOrder(tx, orderId, "refund-failed", "provider", { cents, actionId });
  await alertStaff(tx, orderId, "refund-failed");
  if (isPromised) await enqueueEmail(tx, { template: "refund-failed", orderId, cents }, ORDER_STEP_PERMIT);
}

export const alertStaff = (tx: DatabaseOrTransaction, orderId: string, about: Alert): Promise<void> =>
  enqueueEmail(tx, { template: "payment-alert", orderId, about }, ORDER_STEP_PERMIT);
