/** Locked returns, and the events, audit rows and emails of their changes, in one transaction. */
import { and, asc, eq } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { lockOrder, refused, REPEATED, type Done, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import type { OrderEventData } from "#shop/orders/order.tables.ts";
import { isAllowed, stateAfter, type ReturnEvent, type ReturnState, type ReturnTransition } from "./lifecycle.ts";
import { returnItems, returns } from "./return.tables.ts";

export type Return = typeof returns.$inferSelect;
/** The customer of the order, or a member of the staff. */
export type Requester = "customer" | "guest" | Acting;
/** Null is the shop itself. */
export type By = Requester | null;

export type ReturnResult<Reason extends string = never> =
  | Done
  | { ok: false; reason: "not-found" | Reason }
  | { ok: false; reason: "state"; state: ReturnState };

export const staffOf = (by: By): Acting | null => (typeof by === "string" ? null : by);
export const actorOf = (by: By) => (typeof by === "string" ? by : by ? "staff" : "system");

type Line = LockedOrder["lines"][number];
export type Found = {
  rma: Return;
  order: LockedOrder;
  /** Lines of the order in the return, with their units. */
  items: (Line & { units: number; isRestocked: boolean })[];
};

/** Locks the order, then the return. Null if there is none. */
async function lockReturn(tx: DatabaseOrTransaction, returnId: string): Promise<Found | null> {
  const [known] = await tx.select({ orderId: returns.orderId }).from(returns).where(eq(returns.id, returnId));
  const order = known && (await lockOrder(tx, known.orderId));
  if (!order) return null;
  const [rma] = await tx.select().from(returns).where(eq(returns.id, returnId)).for("update");
  if (!rma) return null;
  const inReturn = await tx
    .select()
    .from(returnItems)
    .where(eq(returnItems.returnId, returnId))
    .orderBy(asc(returnItems.orderItemId));
  const items = inReturn.map(({ orderItemId, quantity, isRestocked }) => ({
    ...order.lines.find(({ id }) => id === orderItemId)!,
    units: quantity,
    isRestocked,
  }));
  return { rma, order, items };
}

type Wanted = ReturnEvent | { event: ReturnEvent; orderId: string };
type Refused = Extract<ReturnResult, { ok: false }>;

/**
 * Runs `change` on a locked return if `event` may happen to it now; with an order's id, only on a return of that order.
 */
export const withReturn = <Result extends { ok: boolean }>(
  db: Database,
  returnId: string,
  wanted: Wanted,
  change: (found: Found, tx: DatabaseOrTransaction) => Promise<Result>,
): Promise<Result | Refused | Done> =>
  transaction(db, async (tx): Promise<Result | Refused | Done> => {
    const { event, orderId } = typeof wanted === "string" ? { event: wanted, orderId: null } : wanted;
    const found = await lockReturn(tx, returnId);
    if (!found || (orderId !== null && found.order.id !== orderId)) return refused("not-found");
    const { state } = found.rma;
    if (isAllowed(event, state)) return change(found, tx);
    return isRepeated(event, state) ? REPEATED : { ok: false, reason: "state", state };
  });

/** Acts that say nothing but themselves: pressed twice, they are no conflict between two people. */
const isRepeated = (event: ReturnEvent, state: ReturnState): boolean =>
  (event === "reopened" || event === "withdrawn" || event === "received") && stateAfter(event) === state;

const isTransition = (event: ReturnEvent): event is ReturnTransition =>
  event !== "checks-sent" && event !== "fee-asked" && event !== "reminded";

/** Writes a change of a locked return: its columns, the order's event, and the audit row of staff. */
export async function recordChange(
  tx: DatabaseOrTransaction,
  { id: returnId, number, orderId, state }: Pick<Return, "id" | "number" | "orderId" | "state">,
  event: ReturnEvent,
  by: By,
  { set = {}, data = {} }: { set?: PgUpdateSetSource<typeof returns>; data?: OrderEventData } = {},
): Promise<void> {
  const staffId = staffOf(by)?.staffId;
  const isSame = and(eq(returns.id, returnId), eq(returns.state, state));
  const change = { ...set, ...(isTransition(event) && { state: stateAfter(event) }), ...(staffId && { staffId }) };
  if (Object.keys(change).length > 0) {
    const { rowCount } = await tx.update(returns).set(change).where(isSame);
    if (rowCount !== 1) throw new Error("a return was changed without its lock");
  }
  await noteOrder(tx, orderId, "return-changed", actorOf(by), { returnId, number, event, ...data }, staffId);
  if (typeof by === "string" || by === null) return;
  // Staff cause no other events.
  await writeAudit(tx, by, { action: `return.${event}` as AuditAction, subject: `return:${returnId}`, after: data });
}
