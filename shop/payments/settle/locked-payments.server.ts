/** An order with its payments while nobody else can change them: locked order first, then payments, always. */
import { asc, eq, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../../db/connection.server.ts";
import type { Buyer } from "../../cart/cart.ts";
import { orders } from "../../orders/order.tables.ts";
import { payments } from "../payment.tables.ts";

export type Payment = typeof payments.$inferSelect;
export type LockedOrder = Pick<typeof orders.$inferSelect, "id" | "status" | "email" | "userId" | "sessionId"> & {
  /** Its units are no longer held for it. */
  isHoldOver: boolean;
  payments: Payment[];
};

/** Locks an order and its payments until the transaction ends. Null where there is none. */
export async function lockPayments(tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> {
  const { id, status, email, userId, sessionId } = orders;
  const [order] = await tx
    .select({
      id,
      status,
      email,
      userId,
      sessionId,
      isHoldOver: sql<boolean>`coalesce(${orders.holdUntil} <= now(), true)`,
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

/** Whose cart an order came from. Null where the customer has deleted the account. */
export function buyerOf({ userId, sessionId }: Pick<LockedOrder, "userId" | "sessionId">): Buyer | null {
  if (userId) return { customerId: userId };
  return sessionId ? { guestId: sessionId } : null;
}

/** A payment with the database's time to the microsecond, by which older words of the provider are told from newer ones. */
export type AskedPayment = Payment & { reference: string; at: string };

/** A payment that was opened at the provider. Null where it was not, and nobody can have paid it. */
export async function findOpened(db: DatabaseOrTransaction, paymentId: string): Promise<AskedPayment | null> {
  const [found] = await db
    .select({ payment: payments, at: sql<string>`clock_timestamp()::text` })
    .from(payments)
    .where(eq(payments.id, paymentId));
  const reference = found?.payment.reference;
  return found && reference ? { ...found.payment, reference, at: found.at } : null;
}

/** As the provider knows a payment. */
export const referenceOf = ({ id, reference, intentReference }: Payment & { reference: string }) => ({
  paymentId: id,
  reference,
  intentReference,
});
