/** The one way to change a return: its order is locked, then it is decided, and both are written. */
import { eq } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { lockFacts } from "#shop/orders/facts.server.ts";
import { staff as staffBy } from "#shop/fulfillment/locked-order.server.ts";
import type { Member } from "#shop/fulfillment/limit.ts";
import type { Change, DecidedBy, Refusal } from "#shop/orders/change.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { follow } from "#shop/orders/follow.ts";
import { decidedBy, type By as OrderBy } from "#shop/orders/run.server.ts";
import { orderState } from "#shop/orders/state.ts";
import { OutOfStock, writeChange } from "#shop/orders/write-change.server.ts";
import type { ReturnCase, ReturnDecision, ReturnRow } from "./facts.ts";
import type { ReturnState } from "./lifecycle.ts";
import { returns } from "./return.tables.ts";

/** The customer of the order, or a member of the staff. */
export type Requester = "customer" | "guest" | Member;
/** Null is the shop itself. */
export type By = Requester | null;

export const staffOf = (by: By): Acting | null => (by === null || typeof by === "string" ? null : by);
const actorOf = (by: By): OrderBy => (by === null || typeof by === "string" ? { by: by ?? "system" } : staffBy(by));
export const deciderOf = (by: By): DecidedBy => decidedBy(actorOf(by));

export type ReturnResult<Reason extends string = never> =
  | { ok: true; repeated: boolean }
  | { ok: false; reason: "not-found" | "under-way" | Reason }
  | { ok: false; reason: "state"; state: ReturnState };

/** A result with what was written, for who goes on with it. */
type Decided = ReturnResult<string> & { change?: Change };

type Which = string | { returnId: string; orderId: string };

const { id, number, kind, state, reason, labelBy, labelUrl, createdAt, authorizedAt } = returns;
const { exchangeProductId, exchangePriceCents, exchangeTaxCents } = returns;
const { shipBy, remindedAt, receivedAt, dueOn, inspectedAt, deductionCents, deductionReason } = returns;
const { refuseReason, quoteCents, quoteAcceptedAt, outcome, resolvedAt, closedAt } = returns;
const exchange = { exchangeProductId, exchangePriceCents, exchangeTaxCents };
const identity = { id, number, kind, state, reason, ...exchange, labelBy, labelUrl, createdAt };
const arrival = { authorizedAt, shipBy, remindedAt, receivedAt, dueOn, inspectedAt };
const decision = { deductionCents, deductionReason, refuseReason, quoteCents, quoteAcceptedAt };

/** Columns of a return that decisions read. */
export const rowColumns = { ...identity, ...arrival, ...decision, outcome, resolvedAt, closedAt };

/**
 * Decides on a return under the lock of its order, in the caller's transaction; with an order's id, only on a return of
 * that order. Writes what is decided, and an audit row of each event that staff cause. Refused also above their limit. Throws OutOfStock.
 */
export async function decideOnReturn(
  tx: DatabaseOrTransaction,
  which: Which,
  decide: (given: ReturnCase, act: DecidedBy) => ReturnDecision,
  by: By,
): Promise<Decided> {
  const { returnId, orderId = null } = typeof which === "string" ? { returnId: which } : which;
  const [known] = await tx.select({ orderId: returns.orderId }).from(returns).where(eq(returns.id, returnId));
  if (!known || (orderId !== null && known.orderId !== orderId)) return { ok: false, reason: "not-found" };
  const facts = await lockFacts(tx, known.orderId);
  const [row] = await tx.select(rowColumns).from(returns).where(eq(returns.id, returnId));
  if (!facts || !row) return { ok: false, reason: "not-found" };
  const act = deciderOf(by);
  const order = orderState(facts);
  const decided = decide({ order, row }, act);
  if (!decided.ok) return refusalOf(decided, row);
  const above = actorOf(by).limit?.(order, decided.change, act);
  if (above) return above;
  const isRepeated = Object.keys(decided.change).length + Object.keys(decided.row).length === 0;
  if (isRepeated) return { ok: true, repeated: true };
  return { ok: true, repeated: false, change: await writeReturn(tx, { facts, row }, decided, by, act) };
}

function refusalOf(decided: Refusal, row: ReturnRow): Extract<ReturnResult<string>, { ok: false }> {
  if (decided.reason === "state") return { ok: false, reason: "state", state: row.state };
  return { ...decided, reason: decided.reason };
}

/** Writes the change of a return and of its locked order. */
export async function writeReturn(
  tx: DatabaseOrTransaction,
  { facts, row }: { facts: Facts; row: ReturnRow },
  { change: decided, row: set }: Extract<ReturnDecision, { ok: true }>,
  by: By,
  act: DecidedBy,
): Promise<Change> {
  const change = follow(orderState(facts), decided, act);
  const staff = staffOf(by);
  const columns = { ...set, ...(staff && { staffId: staff.staffId }) };
  if (Object.keys(columns).length > 0) await tx.update(returns).set(columns).where(eq(returns.id, row.id));
  await writeChange(tx, facts, change, act);
  for (const { type, data } of staff ? (change.events ?? []) : []) {
    if (type !== "return-changed" || !data) continue;
    const { returnId, number: _number, event, ...after } = data;
    await writeAudit(tx, staff!, { action: `return.${event}` as AuditAction, subject: `return:${returnId}`, after });
  }
  return change;
}

/** Decides on a return in a transaction of its own. Refused with 'sold-out' if what is sent is out of stock. */
export async function withReturn<Reason extends string = never>(
  db: Database,
  which: Which,
  decide: (given: ReturnCase, act: DecidedBy) => ReturnDecision,
  by: By,
  also: (tx: DatabaseOrTransaction, change: Change) => Promise<void> = () => Promise.resolve(),
): Promise<ReturnResult<Reason>> {
  try {
    return await transaction(db, async (tx) => {
      const { change, ...result } = await decideOnReturn(tx, which, decide, by);
      if (change) await also(tx, change);
      return result as ReturnResult<Reason>;
    });
  } catch (error) {
    if (error instanceof OutOfStock) return { ok: false, reason: "sold-out" as Reason };
    throw error;
  }
}
