/** The provider's word is the truth about money: it is read afresh, and applied once. Whoever hears anything calls this. */
import { sql } from "drizzle-orm";
import { transaction, type Database } from "../../../db/connection.server.ts";
import { applySnapshot, type Read } from "./apply-snapshot.server.ts";
import { findOpened, referenceOf } from "./locked-payments.server.ts";
import type { PaymentProvider } from "../provider.ts";

/**
 * Asks the provider about a payment, with no lock held, and brings payment and order to where they belong. Any number of
 * calls at once, in any order, come to the same. Does nothing for a payment that was never opened. Throws a ProviderError
 * where the provider did not say.
 */
export async function settlePayment(db: Database, provider: PaymentProvider, paymentId: string): Promise<void> {
  const payment = await findOpened(db, paymentId);
  if (!payment) return;
  const snapshot = await provider.read(referenceOf(payment));
  await applyRead(db, payment.orderId, { paymentId, snapshot, at: payment.at });
}

/** The same for every payment of an order that has not come to its end. */
export async function settleOrder(db: Database, provider: PaymentProvider, orderId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM payments WHERE order_id = ${orderId}::uuid AND state NOT IN ('opening', 'closed')`,
  );
  for (const { id } of rows) await settlePayment(db, provider, id);
}

/** Applies what was read, in a transaction of its own. */
export async function applyRead(db: Database, orderId: string, read: Read): Promise<void> {
  const { paidHoldKey } = await transaction(db, (tx) => applySnapshot(tx, orderId, read));
  // After the transaction: placing an order locks its limits first, and nothing else may wait for them while it holds stock.
  if (paidHoldKey) await db.execute(sql`SELECT refund_rate_limits(ARRAY[${paidHoldKey}]::text[], ARRAY[1])`);
}
