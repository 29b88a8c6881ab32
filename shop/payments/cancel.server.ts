/** The only way to cancel or decline an order: what was paid for it goes back, asked for in the same transaction. */
import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { transaction, type DatabaseOrTransaction } from "../../db/connection.server.ts";
import { cancelResult, endOrders, type CancelResult, type EndedOrder } from "../orders/cancel.server.ts";
import { isAllowed, type ActorOf } from "../orders/lifecycle.ts";
import { orders } from "../orders/order.tables.ts";
import { requestVoids } from "./settle/give-back.server.ts";

/** A parcel that waits for its money is as good as shipped; what did not come counts no more. */
const isNotCaptured = sql`NOT EXISTS (
  SELECT 1 FROM payment_actions JOIN payments ON payments.id = payment_id
  WHERE payments.order_id = orders.id AND kind = 'capture' AND payment_actions.state <> 'failed')`;

async function end<Event extends "canceled" | "declined">(
  db: DatabaseOrTransaction,
  event: Event,
  which: SQL,
  actor: ActorOf<Event>,
  { reason, staffId = null }: { reason?: string; staffId?: string | null } = {},
): Promise<EndedOrder[]> {
  return transaction(db, async (tx) => {
    const found = await tx
      .select({ id: orders.id, before: orders.status })
      .from(orders)
      .where(which)
      .orderBy(orders.id)
      .for("update");
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return [];
    // A statement of its own: it sees the captures that were asked for while this one waited for the locks.
    const capturable = and(inArray(orders.id, ids), isNotCaptured) as SQL;
    const asked = await endOrders(tx, event, actor, capturable, reason ? { reason } : undefined, staffId);
    const ended = asked.filter(({ before }) => isAllowed(event, before)).map(({ id }) => id);
    await requestVoids(tx, ended, actor);
    return found.map((order) =>
      ended.includes(order.id) || !isAllowed(event, order.before) ? order : { ...order, before: "shipped" as const },
    );
  });
}

/**
 * Cancels those of the orders `which` that have not shipped: their stock returns and their payments are given back. Returns
 * every order that `which` selects with its status before; one whose payment is being charged counts as shipped.
 */
export const cancelOrders = (
  db: DatabaseOrTransaction,
  which: SQL,
  actor: ActorOf<"canceled">,
): Promise<EndedOrder[]> => end(db, "canceled", which, actor);

/**
 * Cancels one order, in the caller's transaction where `db` is one. Whose order it is has been asked before. Refusals:
 * 'too-late' where it has shipped or is being charged, 'not-found'. Canceling again is no error and changes nothing.
 */
export const cancelOrder = async (
  db: DatabaseOrTransaction,
  orderId: string,
  actor: ActorOf<"canceled">,
  staffId: string | null = null,
): Promise<CancelResult> => cancelResult(await end(db, "canceled", eq(orders.id, orderId), actor, { staffId }));

/** As cancelOrder, for the shop: nothing is accepted and nothing charged. `reason` is a word of a list, none of a person. */
export async function declineOrder(
  db: DatabaseOrTransaction,
  orderId: string,
  { reason, staffId = null }: { reason: string; staffId?: string | null },
): Promise<CancelResult> {
  const [found] = await end(db, "declined", eq(orders.id, orderId), "staff", { reason, staffId });
  if (!found) return { ok: false, reason: "not-found" };
  if (isAllowed("declined", found.before)) return { ok: true, repeated: false };
  if (found.before === "declined") return { ok: true, repeated: true };
  return { ok: false, reason: "too-late", status: found.before };
}
