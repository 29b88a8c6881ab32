/** The end of orders that have not shipped: canceled or declined, with voids and refunds in the same transaction. */
import type { SQL } from "drizzle-orm";
import { transaction, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { endOrder } from "#shop/orders/actions/cancel.ts";
import { statusOf, type ActorOf, type OrderStatus, type Stage } from "#shop/orders/lifecycle.ts";
import { orders } from "#shop/orders/order.tables.ts";
import type { LimitRefusal } from "#shop/orders/change.ts";
import { decideOn, type By } from "#shop/orders/run.server.ts";

export type CancelResult =
  | { ok: true; repeated: boolean }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: "accepted" | "disputed" }
  | { ok: false; reason: "too-late"; status: OrderStatus }
  | LimitRefusal;

/** `isTold`: the buyer of a confirmed order gets an email. */
type Ending = Omit<By, "by"> & { reason?: string | null; isTold?: boolean };

async function end(
  db: DatabaseOrTransaction,
  orderId: string,
  as: "canceled" | "declined",
  { reason = null, isTold = false, ...by }: By & Ending,
): Promise<CancelResult> {
  let status: OrderStatus = "shipped";
  const decided = await transaction(db, (tx) =>
    decideOn(
      tx,
      orderId,
      (state, act) => {
        // One that is being captured counts as shipped.
        status = state.packing ? "shipped" : statusOf(state.stage);
        return endOrder(state, { as, reason, isTold }, act);
      },
      by,
    ),
  );
  if (decided.ok) return { ok: true, repeated: decided.repeated };
  const { status: _status, ...refusal } = decided;
  const isLate = refusal.reason === "too-late" || refusal.reason === "under-way";
  return isLate ? { ok: false, reason: "too-late", status } : (refusal as CancelResult);
}

/** Cancels the orders in `which` that have not shipped, returns their stock and requests voids and refunds. */
export async function cancelOrders(
  db: DatabaseOrTransaction,
  which: SQL,
  actor: ActorOf<"canceled">,
): Promise<{ id: string; stage: Stage }[]> {
  const { id, stage } = orders;
  const found = await db.select({ id, stage }).from(orders).where(which).orderBy(id).for("update");
  for (const order of found) await end(db, order.id, "canceled", { by: actor });
  return found;
}

/**
 * Cancels one order, in the caller's transaction if `db` is one. The caller has checked ownership. Refusals:
 * 'not-found', 'too-late' if it has shipped or is being captured, 'disputed' where money is to be refunded, and for staff those of their limit.
 * Canceling again is no error and changes nothing.
 */
export const cancelOrder = (
  db: DatabaseOrTransaction,
  orderId: string,
  actor: ActorOf<"canceled">,
  more: Ending = {},
): Promise<CancelResult> => end(db, orderId, "canceled", { ...more, by: actor });

/** Declines one order for the shop, with the refusals of cancelOrder and 'accepted'. `reason` names nobody. */
export const declineOrder = (
  db: DatabaseOrTransaction,
  orderId: string,
  more: Ending & { reason: string },
): Promise<CancelResult> => end(db, orderId, "declined", { ...more, by: "staff" });
