/** The only way to cancel or decline an order: voids and refunds are requested in the same transaction. */
import { and, eq, inArray, ne, sql, type SQL } from "drizzle-orm";
import { transaction, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { endOrders, type EndedOrder } from "#shop/orders/cancel.server.ts";
import { isAllowed, statusAfter, type ActorOf, type OrderActor, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { requestReturn } from "./actions.server.ts";
import { closeUnopened, moneyUnderWay } from "./locked-payments.server.ts";
import { payments } from "./payment.tables.ts";

export type CancelResult =
  | { ok: true; repeated: boolean }
  | { ok: false; reason: "not-found" }
  | { ok: false; reason: "too-late"; status: OrderStatus };

type EndEvent = "canceled" | "declined";

/** An order that is being captured counts as shipped. After the capture it has shipped, or its shipment was undone. */
const isNotCapturing = sql`NOT ${moneyUnderWay(sql`orders.id`)}`;

async function end<Event extends EndEvent>(
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
    // A separate statement sees captures that were requested while the locks were awaited.
    const capturable = and(inArray(orders.id, ids), isNotCapturing) as SQL;
    const selected = await endOrders(tx, event, actor, capturable, reason ? { reason } : undefined, staffId);
    const ended = selected.filter(({ before }) => isAllowed(event, before)).map(({ id }) => id);
    if (ended.length > 0) await requestReturns(tx, ended, actor);
    return found.map((order) =>
      ended.includes(order.id) || !isAllowed(event, order.before) ? order : { ...order, before: "shipped" as const },
    );
  });
}

/** Closes unopened pages of locked orders, and requests voids and refunds of their other payments. */
async function requestReturns(tx: DatabaseOrTransaction, orderIds: string[], requestedBy: OrderActor): Promise<void> {
  await closeUnopened(tx, orderIds);
  const open = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.orderId, orderIds), ne(payments.state, "closed")))
    .orderBy(payments.id)
    .for("update");
  await requestReturn(tx, open, requestedBy);
}

function resultOf(event: EndEvent, [found]: EndedOrder[]): CancelResult {
  if (!found) return { ok: false, reason: "not-found" };
  if (isAllowed(event, found.before)) return { ok: true, repeated: false };
  if (found.before === statusAfter(event)) return { ok: true, repeated: true };
  return { ok: false, reason: "too-late", status: found.before };
}

/**
 * Cancels the orders in `which` that have not shipped, returns their stock and requests voids and refunds. Returns
 * every selected order with its former status; one that is being captured counts as shipped.
 */
export const cancelOrders = (
  db: DatabaseOrTransaction,
  which: SQL,
  actor: ActorOf<"canceled">,
): Promise<EndedOrder[]> => end(db, "canceled", which, actor);

/**
 * Cancels one order, in the caller's transaction if `db` is one. The caller has checked ownership. Refusals:
 * 'not-found', 'too-late' if it has shipped or is being captured. Canceling again is no error and changes nothing.
 */
export const cancelOrder = async (
  db: DatabaseOrTransaction,
  orderId: string,
  actor: ActorOf<"canceled">,
  by: { reason?: string; staffId?: string | null } = {},
): Promise<CancelResult> => resultOf("canceled", await end(db, "canceled", eq(orders.id, orderId), actor, by));

/** Declines one order for the shop, with the refusals of cancelOrder. `reason` comes from a list and names nobody. */
export const declineOrder = async (
  db: DatabaseOrTransaction,
  orderId: string,
  by: { reason: string; staffId?: string | null },
): Promise<CancelResult> => resultOf("declined", await end(db, "declined", eq(orders.id, orderId), "staff", by));
