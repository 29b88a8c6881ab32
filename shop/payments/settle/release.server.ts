/**
 * When the hold of an unpaid order is over, its page is closed first and its units return then: nobody can have paid for
 * what was sold to somebody else. Where the provider cannot be asked, the hold stays.
 */
import { eq, sql } from "drizzle-orm";
import { transaction, type Database } from "../../../db/connection.server.ts";
import { noteOrder } from "../../orders/pay-order.server.ts";
import { lapse } from "./lapse.server.ts";
import { findOpened, lockPayments, referenceOf } from "./locked-payments.server.ts";
import { payments } from "../payment.tables.ts";
import { ProviderError, type PaymentProvider } from "../provider.ts";
import { settlePayment } from "./settle.server.ts";
import { tellStaff } from "./tell-staff.server.ts";

/** How much longer a hold stays where nobody can say whether it was paid. */
const EXTENSION_MINUTES = 5;

/** Closes every page on which the order could be paid, and applies what that shows: it may have been paid meanwhile. */
export async function closePages(db: Database, provider: PaymentProvider, orderId: string): Promise<void> {
  const all = await db
    .select({ id: payments.id, state: payments.state })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  for (const { id, state } of all) {
    if (state !== "open" && state !== "mismatch") continue;
    const payment = await findOpened(db, id);
    if (!payment) continue;
    await provider.close(referenceOf(payment), { givesBack: state === "mismatch" });
    // Read once more: what others have read while it was being closed may be older and newer.
    await settlePayment(db, provider, id);
  }
}

/** Ends an order whose hold is over: paid after all, or lapsed. Does nothing to any other order. */
export async function releaseOrder(db: Database, provider: PaymentProvider, orderId: string): Promise<void> {
  try {
    await closePages(db, provider, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await extendHold(db, orderId);
    return;
  }
  await transaction(db, async (tx) => {
    const order = await lockPayments(tx, orderId);
    if (order?.status !== "unpaid" || !order.isHoldOver) return;
    // Opened again in this moment: the next round closes that one, too.
    if (order.payments.some(({ state }) => state === "open" || state === "mismatch")) return;
    await lapse(tx, order);
  });
}

/** The units stay held. The staff are told the first time. */
async function extendHold(db: Database, orderId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const order = await lockPayments(tx, orderId);
    if (order?.status !== "unpaid" || !order.isHoldOver) return;
    await tx.execute(sql`
      UPDATE orders SET hold_until = now() + ${EXTENSION_MINUTES} * interval '1 minute' WHERE id = ${orderId}::uuid`);
    const { rowCount } = await tx.execute(
      sql`SELECT FROM order_events WHERE order_id = ${orderId}::uuid AND type = 'hold-extended'`,
    );
    if (rowCount !== 0) return;
    await noteOrder(tx, orderId, "hold-extended", "system");
    await tellStaff(tx, orderId, "hold-extended");
  });
}
