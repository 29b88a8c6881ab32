/** Jobs of returns: reminders, the end of an authorization, the fee of a repair, and the end of a return. */
import { eq, sql, type SQL } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { DONE, mail } from "#shop/fulfillment/locked-order.server.ts";
import { changeStatus } from "#shop/orders/order-events.server.ts";
import { requestCapture } from "#shop/payments/actions.server.ts";
import { returnPolicy } from "#shop/policies.ts";
import type { Report } from "#shop/report.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { stateAfter, type ReturnState } from "./lifecycle.ts";
import { recordChange, withReturn, type Found } from "./locked-return.server.ts";
import { endReplacements } from "./replacement.server.ts";
import { resolveLocked } from "./resolve.server.ts";
import { returns } from "./return.tables.ts";

const MAX_DUE = 200;
const { shipBackDays, reminderAfterDays, expiresAfterDays } = returnPolicy;

const ENDED: ReturnState[] = ["declined", "withdrawn", "expired"];

type Chore = {
  event: "replacement-canceled" | "reminded" | "expired" | "closed";
  /** Condition on `returns`, read again under the lock. */
  isDue: SQL;
  carryOut(found: Found, tx: DatabaseOrTransaction): Promise<void>;
};

const CHORES: Chore[] = [
  {
    event: "replacement-canceled",
    isDue: sql`state IN ('resolved', 'closed') AND outcome IN ('replacement', 'repair', 'sent-back') AND EXISTS (
      SELECT FROM orders WHERE orders.id = replacement_order_id AND status IN ('canceled', 'declined'))`,
    async carryOut(found, tx) {
      const { outcome } = found.rma;
      const isRefunded = outcome === "replacement";
      // The price of a repair is agreed to again.
      const undecided = !isRefunded && { resolvedAt: null, quoteAcceptedAt: null };
      const again = { outcome: null, closedAt: null, ...undecided };
      await recordChange(tx, found.rma, "replacement-canceled", null, { set: again });
      if (!isRefunded || (await isForStaff(tx, found))) return;
      const rma = { ...found.rma, ...again, state: stateAfter("replacement-canceled") };
      await resolveLocked(tx, { ...found, rma }, { outcome: "refund" }, null);
    },
  },
  {
    event: "expired",
    isDue: sql`state = 'authorized' AND ship_by + ${expiresAfterDays}::int < ${today}`,
    async carryOut({ rma, order }, tx) {
      await recordChange(tx, rma, "expired", null);
      await endReplacements(tx, rma, null);
      await mail(tx, { template: "return-expired", orderId: order.id, returnId: rma.id });
    },
  },
  {
    event: "reminded",
    isDue: sql`state = 'authorized' AND reminded_at IS NULL AND ship_by - ${shipBackDays - reminderAfterDays}::int <= ${today}`,
    async carryOut({ rma, order }, tx) {
      await recordChange(tx, rma, "reminded", null, { set: { remindedAt: sql`now()` } });
      await mail(tx, { template: "return-reminder", orderId: order.id, returnId: rma.id });
    },
  },
  {
    event: "closed",
    isDue: sql`state = 'resolved'
      AND NOT EXISTS (SELECT FROM payment_actions WHERE return_id = returns.id
        AND (payment_actions.state IN ('asked', 'sent') OR payment_actions.state = 'failed' AND resolved_at IS NULL))
      AND NOT EXISTS (SELECT FROM orders WHERE orders.id = replacement_order_id AND status = 'processing')`,
    carryOut: ({ rma }, tx) => recordChange(tx, rma, "closed", null, { set: { closedAt: sql`now()` } }),
  },
];

/**
 * True if staff decide about a return whose replacement was canceled: they canceled it, so that a refund keeps to the limit
 * of a role, the price was paid with another order, they send its payment back themselves, or have refunded something
 * since.
 */
async function isForStaff(tx: DatabaseOrTransaction, { rma, order }: Found): Promise<boolean> {
  if (order.replacesReturnId !== null) return true;
  const { rowCount } = await tx.execute(sql`
    SELECT FROM order_events
    WHERE order_id = ${rma.replacementOrderId}::uuid AND type IN ('canceled', 'declined') AND actor = 'staff'
    UNION ALL
    SELECT FROM payments LEFT JOIN payment_actions AS refund ON payment_id = payments.id AND refund.kind = 'refund'
      AND refund.state <> 'failed' AND return_id IS NULL AND refund.created_at > ${rma.resolvedAt!.toISOString()}::timestamptz
    WHERE order_id = ${order.id}::uuid AND (provider = 'manual' OR refund.id IS NOT NULL)`);
  return rowCount !== 0;
}

/**
 * Refunds returns whose replacement was canceled, gives staff those whose own product stays here, reminds customers on the
 * fifth day after an authorization, ends those that were not sent in time, charges the fee of repairs, and closes returns
 * whose money and parcel have left. Repeated and concurrent runs do each once; one that fails is reported and tried again by
 * the next.
 */
export async function carryOutReturns(db: Database, report: Report): Promise<void> {
  for (const { event, isDue, carryOut } of CHORES) {
    const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM returns WHERE ${isDue} LIMIT ${MAX_DUE}`);
    for (const { id } of rows) {
      await withReturn(db, id, event, async (found, tx) => {
        const { rowCount } = await tx.execute(sql`SELECT FROM returns WHERE id = ${id}::uuid AND ${isDue}`);
        if (rowCount !== 0) await carryOut(found, tx);
        return DONE;
      }).catch((error: unknown) => report(error, `a return was not ${event}`, { id }));
    }
  }
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT orders.id FROM returns JOIN orders ON orders.id = fee_order_id
    WHERE orders.status = 'processing' AND payment_status IN ('authorized', 'captured') LIMIT ${MAX_DUE}`);
  for (const { id } of rows) {
    await chargeFee(db, id).catch((error: unknown) => report(error, "a fee was not charged", { id }));
  }
}

/** Nothing of a fee ships: it is captured once it is authorized, and then its order is done. */
const chargeFee = (db: Database, orderId: string): Promise<void> =>
  transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ status: string; payment_status: string; total: number }>(
      sql`SELECT status, payment_status, total FROM orders WHERE id = ${orderId}::uuid FOR UPDATE`,
    );
    const [order] = rows;
    if (order?.status !== "processing") return;
    if (order.payment_status === "authorized") await requestCapture(tx, orderId, order.total, "system");
    if (order.payment_status === "captured") {
      await changeStatus(tx, orderId, "fee-charged", "system", {
        also: sql`delivered_at = now(), on_hold_since = NULL`,
      });
      const [rma] = await tx.select().from(returns).where(eq(returns.feeOrderId, orderId));
      // The fee was on its way when its return ended.
      if (rma && ENDED.includes(rma.state)) await endReplacements(tx, rma, null);
    }
  });
