/** The one way to change an order: lock, read, decide, write; then the money moves, after the commit. */
import { transaction, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import { lockFacts } from "./facts.server.ts";
import type { Change, Decision, DecidedBy, LimitRefusal, Refusal } from "./change.ts";
import type { Facts } from "./facts.ts";
import { follow } from "./follow.ts";
import { statusOf, type OrderActor, type OrderStatus } from "./lifecycle.ts";
import { orderState, type OrderState } from "./state.ts";
import { OutOfStock, writeChange } from "./write-change.server.ts";

/** `limit` is asked about every change that the actor decides. */
export type By = {
  by: OrderActor;
  staffId?: string | null;
  limit?: (state: OrderState, change: Change, act: DecidedBy) => LimitRefusal | null;
};

export const decidedBy = ({ by, staffId = null }: By): DecidedBy => {
  const at = clock.now();
  return {
    at,
    today: newYorkDay(at),
    shipBy: ({ placedAt, shippingMethod }) => shipBy(settingsAt(placedAt).shipping, shippingMethod, at),
    by,
    staffId,
    newId: () => crypto.randomUUID(),
  };
};

type Decide = (state: OrderState, act: DecidedBy) => Decision;
export type Done = { ok: true; repeated: boolean; before: Facts; after: Facts; change: Change };
/** `status` is the order's, which a refusal may name. */
export type Decided = Done | (Refusal & { status?: OrderStatus });

/**
 * Decides on a locked order in the caller's transaction, and writes what is decided. `repeated` if that is nothing. The
 * caller runs the attempts of the change after the commit. Throws OutOfStock.
 */
export async function decideOn(tx: DatabaseOrTransaction, orderId: string, decide: Decide, by: By): Promise<Decided> {
  const before = await lockFacts(tx, orderId);
  if (!before) return { ok: false, reason: "not-found" };
  const act = decidedBy(by);
  const state = orderState(before);
  const decision = decide(state, act);
  const refusal = decision.ok ? by.limit?.(state, decision.change, act) : decision;
  if (!decision.ok || refusal) return { ...refusal!, status: statusOf(state.stage) };
  const change = follow(state, decision.change, act);
  if (Object.keys(change).length === 0) return { ok: true, repeated: true, before, after: before, change };
  return { ok: true, repeated: false, before, after: await writeChange(tx, before, change, act), change };
}

/**
 * Decides on an order in a transaction of its own; `also` is what the caller writes with it, such as an audit row. Refused
 * with 'out-of-stock' if the stock is too low.
 */
export async function withOrder(
  db: DatabaseOrTransaction,
  orderId: string,
  decide: Decide,
  by: By,
  also: (tx: DatabaseOrTransaction, done: Done) => Promise<void> = () => Promise.resolve(),
): Promise<Decided> {
  try {
    return await transaction(db, async (tx) => {
      const decided = await decideOn(tx, orderId, decide, by);
      if (decided.ok && !decided.repeated) await also(tx, decided);
      return decided;
    });
  } catch (error) {
    if (error instanceof OutOfStock) return { ok: false, reason: "out-of-stock", name: error.productId };
    throw error;
  }
}
