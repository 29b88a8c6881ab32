/** Writes a decided change: its rows, and what follows from them. */
import { eq, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { moveUnits, returnStock, takeAll } from "#shop/inventory/stock.server.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { readFacts, writeTables } from "./facts.server.ts";
import { apply, type Change, type DecidedBy, type StockMove } from "./change.ts";
import type { Facts, Parcel } from "./facts.ts";
import { statusEvents } from "./follow.ts";
import { statusOf } from "./lifecycle.ts";
import { orderEvents, orders } from "./order.tables.ts";
import { addressOf } from "./order.ts";
import { storedOf, summaryOf, type Summary } from "./summary.ts";

/** The stock is too low: the transaction is rolled back, and nothing was decided. */
export class OutOfStock extends Error {
  readonly productId: string;
  constructor(productId: string) {
    super("the stock is too low");
    this.productId = productId;
  }
}

/** Writes a change of locked facts, and returns the facts after it. Throws OutOfStock. */
export async function writeChange(
  tx: DatabaseOrTransaction,
  before: Facts,
  change: Change,
  act: DecidedBy,
): Promise<Facts> {
  const after = apply(before, change);
  const [was, is] = [summaryOf(before), summaryOf(after)];
  await writeTables(tx, before, change, act);
  await writeOrder(tx, after, was, is);
  if (change.order?.shippingState !== undefined) await writeAddress(tx, after);
  await moveStock(tx, change.stock ?? [], act);
  for (const { labelId, state } of change.parcels ?? []) if (labelId) await keepLabel(tx, labelId, state);
  const orderId = before.order.id;
  for (const event of statusEvents(change, statusOf(was.stage), statusOf(is.stage))) {
    await tx.insert(orderEvents).values({ orderId, ...event, actor: act.by, staffId: act.staffId ?? null });
  }
  for (const email of change.emails ?? []) await enqueueEmail(tx, { orderId, ...email }, ORDER_STEP_PERMIT);
  return after;
}

async function writeOrder(tx: DatabaseOrTransaction, { order }: Facts, was: Summary, is: Summary): Promise<void> {
  await tx
    .update(orders)
    .set({
      holdUntil: order.holdUntil,
      acceptedAt: order.acceptedAt,
      onHoldSince: order.onHoldSince,
      promisedAt: order.promisedAt,
      shipBy: order.shipBy,
      ...storedOf(is),
      ...(is.stage !== was.stage && { deliveredAt: is.deliveredAt }),
    })
    .where(eq(orders.id, order.id));
}

/** Writes a new address, and the amounts with its tax. */
async function writeAddress(tx: DatabaseOrTransaction, { order, lines }: Facts): Promise<void> {
  const { id, taxReference, shippingTaxCents, shippingWaivedCents } = order;
  const taxCents = lines.reduce((sum, line) => sum + (line.returnId ? 0 : line.taxCents), shippingTaxCents);
  await tx
    .update(orders)
    .set({
      ...addressOf(order),
      taxReference,
      shippingTaxCents,
      shippingWaivedCents,
      taxCents,
      totalCents: sql`subtotal - discount + shipping + ${taxCents}`,
    })
    .where(eq(orders.id, id));
}

/** Writes what lists read of a locked order whose payments were written as their provider says. */
export async function writeSummary(tx: DatabaseOrTransaction, orderId: string): Promise<void> {
  const facts = await readFacts(tx, orderId);
  if (!facts) return;
  await tx
    .update(orders)
    .set(storedOf(summaryOf(facts)))
    .where(eq(orders.id, orderId));
}

/** The label of a parcel is used, or refunded by the jobs if the parcel does not leave. */
const keepLabel = (tx: DatabaseOrTransaction, labelId: string, parcel: Parcel["state"]) =>
  tx.execute(sql`UPDATE labels SET state = ${parcel === "failed" ? "voiding" : "used"}
    WHERE id = ${labelId}::uuid AND state IN ('bought', 'used')`);

/** Stock of orders that end or are confirmed again is a count; what comes back from a customer or goes out again is a move. */
async function moveStock(tx: DatabaseOrTransaction, moves: readonly StockMove[], act: DecidedBy): Promise<void> {
  const sums = new Map<string, Omit<StockMove, "delta"> & { quantity: number }>();
  for (const { delta, ...move } of moves) {
    const key = `${move.reason} ${move.productId} ${move.returnId}`;
    const quantity = (sums.get(key)?.quantity ?? 0) + Math.abs(delta);
    sums.set(key, { ...move, quantity });
  }
  const of = (reason: StockMove["reason"]) => [...sums.values()].filter((each) => each.reason === reason);
  const short = await takeAll(tx, of("placed"));
  if (short !== null) throw new OutOfStock(short);
  const canceled = of("canceled");
  if (canceled.length > 0) {
    const ids = sql.param(canceled.map(({ productId }) => productId));
    const units = sql.param(canceled.map(({ quantity }) => quantity));
    await tx.execute(
      returnStock(sql`(SELECT * FROM unnest(${ids}::uuid[], ${units}::int[]) AS units (product_id, quantity))`),
    );
  }
  const by = act.staffId ? { staffId: act.staffId } : null;
  for (const reason of ["returned", "resent"] as const) {
    const lines = of(reason);
    const [{ returnId, note } = {}] = lines;
    if (!(await moveUnits(tx, lines, reason, by, { ...(returnId && { returnId }), ...(note && { note }) })))
      throw new OutOfStock(lines[0]!.productId);
  }
}
