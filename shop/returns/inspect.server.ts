/** Returns that have arrived: inspection, and the price of a repair. */
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { DONE, mail, refused } from "#shop/fulfillment/locked-order.server.ts";
import { moveUnits } from "#shop/inventory/stock.server.ts";
import { businessDaysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { returnPolicy, warrantyPolicy } from "#shop/policies.ts";
import type { ReturnKind } from "./lifecycle.ts";
import { recordChange, withReturn, type ReturnResult } from "./locked-return.server.ts";
import { moneyOf } from "./money.server.ts";
import { askToPay, cancelUnpaid, isPaid, lockReplacement, placeReplacement, service } from "./replacement.server.ts";
import { returnItems } from "./return.tables.ts";
import { refundBy, type Condition, type DeductionReason } from "./return.ts";

const isRepairing = (kind: ReturnKind): boolean => kind === "warranty" || kind === "repair";

/** The last day of the promise, counted from the arrival. */
export const dueDay = (kind: ReturnKind, receivedOn: string): string =>
  businessDaysAfter(
    receivedOn,
    (isRepairing(kind) ? warrantyPolicy.repairBusinessDays : returnPolicy.refundBusinessDays).max,
  );

/** Records that a return has arrived, from which its promised days count. */
export const receiveReturn = (db: Database, returnId: string, by: Acting | null): Promise<ReturnResult> =>
  withReturn(db, returnId, "received", async ({ rma }, tx): Promise<ReturnResult> => {
    const dueOn = dueDay(rma.kind, newYorkDay(clock.now()));
    await recordChange(tx, rma, "received", by, { set: { dueOn, receivedAt: sql`now()` } });
    await mail(tx, { template: "return-received", orderId: rma.orderId, returnId });
    return DONE;
  });

export type Inspection = {
  /** Condition of each line; units that go back on the shelf are restocked, the others written off. */
  lines: Record<string, { condition: Condition; isRestocked: boolean }>;
  /** Loss in value in cents, with the reason. */
  deduction: { cents: number; reason: DeductionReason } | null;
};

/**
 * Records an inspection once, and restocks what can be sold again. Refusals: 'lines' if a line is left out, or the product
 * stays the customer's and cannot be restocked, 'deduction' if it is not between a cent and what would be refunded.
 */
export const inspectReturn = (
  db: Database,
  returnId: string,
  { lines, deduction }: Inspection,
  by: Acting | null,
): Promise<ReturnResult<"lines" | "deduction">> =>
  withReturn(db, returnId, "inspected", async (found, tx): Promise<ReturnResult<"lines" | "deduction">> => {
    const { rma, items } = found;
    const findings = items.flatMap((item) => (lines[item.id] ? [{ ...item, ...lines[item.id]! }] : []));
    const restocked = findings.filter(({ isRestocked }) => isRestocked);
    if (findings.length !== items.length) return refused("lines");
    if (isRepairing(rma.kind) && restocked.length > 0) return refused("lines");
    const replacement = await lockReplacement(tx, rma.replacementOrderId);
    const { linesCents } = await moneyOf(tx, found, refundBy({ ...rma, replacement }));
    const cents = deduction?.cents ?? 0;
    const isSensible = Number.isInteger(cents) && cents > 0 && cents <= linesCents && !isRepairing(rma.kind);
    if (deduction && !isSensible) return refused("deduction");
    for (const { id, condition, isRestocked } of findings) {
      const ofLine = and(eq(returnItems.returnId, returnId), eq(returnItems.orderItemId, id));
      await tx.update(returnItems).set({ condition, isRestocked }).where(ofLine);
    }
    const back = restocked.map(({ productId, units }) => ({ productId, quantity: units }));
    await moveUnits(tx, back, "returned", by, { note: rma.number, returnId });
    const set = { deductionCents: cents, deductionReason: deduction?.reason ?? null, inspectedAt: sql`now()` };
    await recordChange(tx, rma, "inspected", by, { set, data: { deductionCents: cents } });
    await mail(tx, { template: "return-inspected", orderId: rma.orderId, returnId });
    return DONE;
  });

type FeeOrder = Awaited<ReturnType<typeof lockReplacement>>;
const feePaid = (fee: FeeOrder): number => (fee && isPaid(fee) ? fee.totalCents : 0);

/** Tells the customer the price of a repair. Refusals: 'not-a-repair', 'price' below the fee that is paid already. */
export const quoteRepair = (
  db: Database,
  returnId: string,
  cents: number,
  by: Acting,
): Promise<ReturnResult<"not-a-repair" | "price">> =>
  withReturn(db, returnId, "quoted", async ({ rma }, tx): Promise<ReturnResult<"not-a-repair" | "price">> => {
    if (rma.kind !== "repair" || rma.quoteAcceptedAt) return refused("not-a-repair");
    const fee = feePaid(await lockReplacement(tx, rma.feeOrderId));
    if (!Number.isInteger(cents) || cents < Math.max(1, fee)) return refused("price");
    await recordChange(tx, rma, "quoted", by, { set: { quoteCents: cents }, data: { cents } });
    await mail(tx, { template: "return-quoted", orderId: rma.orderId, returnId });
    return DONE;
  });

/**
 * The customer's answer to the price of a repair. With a yes, what the paid fee does not cover is asked for once it is
 * repaired, because an authorization would end before; with a no, the product goes back and the fee stays due. The caller
 * has checked ownership.
 */
export const answerQuote = (
  db: Database,
  orderId: string,
  returnId: string,
  isYes: boolean,
  by: "customer" | "guest",
): Promise<ReturnResult> => {
  const event = isYes ? "quote-accepted" : "quote-refused";
  return withReturn(db, returnId, { event, orderId }, async (found, tx): Promise<ReturnResult> => {
    const { rma, order, items } = found;
    const fee = await lockReplacement(tx, rma.feeOrderId);
    const paidCents = feePaid(fee);
    const dueCents = isYes ? rma.quoteCents! - paidCents : (fee?.totalCents ?? 0) - paidCents;
    await cancelUnpaid(tx, rma.feeOrderId, by);
    const lines = [service(isYes ? "Repair" : "Sent back", items, dueCents)];
    const replacementOrderId = await placeReplacement(tx, order, rma, { lines, isOnHold: isYes }, by);
    const answer = isYes ? { quoteAcceptedAt: sql`now()` } : { outcome: "sent-back" as const, resolvedAt: sql`now()` };
    await recordChange(tx, rma, event, by, { set: { ...answer, replacementOrderId } });
    if (isYes) return DONE;
    if (dueCents > 0) await askToPay(tx, rma, replacementOrderId!, by);
    await mail(tx, { template: "return-resolved", orderId, returnId });
    return DONE;
  });
};
