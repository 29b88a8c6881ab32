/** Saved cards are deleted at the provider once nothing more is charged to them. */
import { and, eq, sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import { isOver } from "#shop/orders/stage.sql.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { lockPayments, moneyUnderWay } from "./locked-payments.server.ts";
import { payments } from "./payment.tables.ts";
import { providerFor, type PaymentProviders } from "./provider.ts";

/**
 * Condition on a payment with a saved card and its order: the order has ended or shipped, or another card replaces it.
 * Authorized money and charges under way still need it.
 */
export const isCardOver = sql`payments.state <> 'authorized'
  AND (${isOver}
    OR EXISTS (SELECT FROM payments AS newer WHERE newer.order_id = orders.id
      AND newer.saved_customer IS NOT NULL AND newer.created_at > payments.created_at))
  AND NOT ${moneyUnderWay(sql`orders.id`)}`;

/** Deletes a saved card at the provider, then here. Repeated calls change nothing. Throws a ProviderError without an answer. */
export async function forgetCard(db: Database, providers: PaymentProviders, paymentId: string): Promise<void> {
  const [found] = await db
    .select({ orderId: payments.orderId, provider: payments.provider, customer: payments.savedCustomer })
    .from(payments)
    .where(eq(payments.id, paymentId));
  if (!found?.customer) return;
  const { orderId, customer } = found;
  await providerFor(providers, found).forget(customer);
  await transaction(db, async (tx) => {
    await lockPayments(tx, orderId);
    await tx
      .update(payments)
      .set({
        savedCustomer: null,
        savedMethod: null,
        state: sql`CASE WHEN state = 'saved' THEN 'forgotten' ELSE state END`,
      })
      .where(and(eq(payments.id, paymentId), eq(payments.savedCustomer, customer)));
    await writeSummary(tx, orderId);
  });
}
