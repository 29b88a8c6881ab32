/** The outcome of a return: what is refunded, and what is sent. */
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { mail, refused } from "#shop/fulfillment/locked-order.server.ts";
import { isReason, REFUND_REASONS } from "#shop/fulfillment/order-actions.ts";
import {
  requestByStaff,
  runRefunds,
  unitsOf,
  type RefundRefusal,
  type RefundState,
} from "#shop/fulfillment/refund.server.ts";
import type { SentLine } from "#shop/fulfillment/shop-order.server.ts";
import { requestRefund } from "#shop/payments/actions.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { outcomesOf, type Outcome } from "./lifecycle.ts";
import { recordChange, withReturn, type Found, type ReturnResult } from "./locked-return.server.ts";
import { moneyOf } from "./money.server.ts";
import { cancelUnpaid, endReplacements, placeReplacement, releaseReplacement, service } from "./replacement.server.ts";

type Resolution = {
  outcome: Outcome;
  /** Product of the catalog that is sent as a part. */
  partId?: string | null;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

type ResolveRefusal =
  | Extract<ReturnResult<"outcome" | "sold-out" | "no-part" | "no-replacement" | "quote">, { ok: false }>
  | RefundRefusal;
export type ResolveResult =
  | { ok: true; refund: { cents: number; state: RefundState } | null; replacementOrderId: string | null }
  | ResolveRefusal;

type Sent = { ok: true; orderId: string | null } | ResolveRefusal;
type Decided = { ok: true; cents: number; actionIds: string[] | null; orderId: string | null } | ResolveRefusal;

/**
 * Resolves a return with one of outcomesOf, once: of two members, the second is refused with the state. The refund is what
 * was paid, less the reduction of the inspection; the order of what is sent ships as every order does. Refusals: 'outcome',
 * 'sold-out', 'no-part' without the product, 'no-replacement' if the customer canceled the order of an exchange, 'quote'
 * before the customer agreed to the price of a repair, and those of a refund by staff.
 */
export async function resolveReturn(
  db: Database,
  providers: PaymentProviders | null,
  returnId: string,
  resolution: Resolution,
  by: Acting | null,
): Promise<ResolveResult> {
  const decided = await withReturn(db, returnId, "resolved", (found, tx) =>
    resolveLocked(tx, found, resolution, by),
  ).catch((error: unknown) => {
    if (error instanceof Refused) return error.refusal;
    throw error;
  });
  if (!decided.ok) return decided;
  if (!("cents" in decided)) throw new Error("a return is resolved once");
  const { cents, actionIds, orderId: replacementOrderId } = decided;
  const refund = actionIds && { cents, state: await runRefunds(db, providers, actionIds) };
  return { ok: true, refund, replacementOrderId };
}

/** Resolves a locked return as resolveReturn does, for the shop itself if `by` is null; the refund is to be run. */
export async function resolveLocked(
  tx: DatabaseOrTransaction,
  found: Found,
  resolution: Resolution,
  by: Acting | null,
): Promise<Decided> {
  const { rma, order } = found;
  const { id: returnId } = rma;
  const { outcome, isVerified = false } = resolution;
  if (!outcomesOf(rma.kind, rma.state).includes(outcome)) return refused("outcome");
  const refunds = outcome === "refund" || (outcome === "replacement" && rma.kind === "exchange");
  const money = refunds ? await moneyOf(tx, found, outcome) : null;
  const cents = money?.refundCents ?? 0;
  const reason = isReason(REFUND_REASONS, rma.reason) || !rma.receivedAt ? rma.reason : "returned";
  // The lower price of an exchange gives no unit back.
  const units = Object.fromEntries(found.items.map((item) => [item.id, item.units]));
  const given = outcome === "refund" ? unitsOf({ units, hasShipping: money!.shippingCents > 0 }) : null;
  const refund = () =>
    by
      ? requestByStaff(tx, order.id, { cents, reason, isVerified, returnId, units: given }, by)
      : requestRefund(tx, order.id, cents, { reason, askedBy: "system", returnId, units: given });
  const asked = cents > 0 ? await refund() : null;
  if (asked && !asked.ok) return asked;
  const sent = outcome === "refund" ? await endFirst(tx, found, by) : await send(tx, found, resolution, by);
  if (!sent.ok) throw new Refused(sent);
  const refundCents = rma.refundCents + cents;
  const shippingRefundCents = Math.min(money?.shippingCents ?? 0, cents);
  const set = { outcome, refundCents, shippingRefundCents, replacementOrderId: sent.orderId, resolvedAt: sql`now()` };
  await recordChange(tx, rma, "resolved", by, { set, data: { outcome, cents } });
  // A refund has an email of its own once it is done.
  if (outcome !== "refund" || cents === 0) await mail(tx, { template: "return-resolved", orderId: order.id, returnId });
  return { ok: true, cents, actionIds: asked && asked.actionIds, orderId: sent.orderId };
}

/** Rolls back a refund that was asked for before the refusal. */
class Refused extends Error {
  readonly refusal: ResolveRefusal;
  constructor(refusal: ResolveRefusal) {
    super("a return was not resolved");
    this.refusal = refusal;
  }
}

async function endFirst(tx: DatabaseOrTransaction, { rma }: Found, by: Acting | null): Promise<Sent> {
  await endReplacements(tx, rma, by);
  return { ok: true, orderId: rma.replacementOrderId };
}

async function send(
  tx: DatabaseOrTransaction,
  { rma, order, items }: Found,
  { outcome, partId }: Resolution,
  by: Acting | null,
): Promise<Sent> {
  const isReserved =
    (rma.kind === "exchange" && outcome === "replacement") || (rma.kind === "repair" && outcome === "repair");
  if (isReserved) {
    const isReleased = await releaseReplacement(tx, rma, by);
    if (isReleased) return { ok: true, orderId: rma.replacementOrderId };
    return refused(rma.kind === "repair" ? "quote" : "no-replacement");
  }
  if (rma.replacementOrderId) await endReplacements(tx, rma, by);
  // A fee that was never paid is waived.
  else await cancelUnpaid(tx, rma.feeOrderId, by);
  const lines = await linesFor(tx, { rma, items, order }, outcome, partId ?? null);
  if (!lines) return refused("no-part");
  const orderId = await placeReplacement(tx, order, rma, { lines }, by);
  return orderId ? { ok: true, orderId } : refused("sold-out");
}

/** At no charge. Null without the part. */
async function linesFor(
  tx: DatabaseOrTransaction,
  { items }: Found,
  outcome: Outcome,
  partId: string | null,
): Promise<SentLine[] | null> {
  const goods = items.map(({ productId, name, warrantyYears, units }) => ({
    productId,
    name,
    priceCents: 0,
    quantity: units,
    warrantyYears,
  }));
  if (outcome === "replacement") return goods;
  if (outcome === "repair") return [service("Repaired", items)];
  if (outcome === "part") {
    const { id, name } = products;
    const [part] = partId ? await tx.select({ id, name }).from(products).where(eq(id, partId)) : [];
    return part ? [{ productId: part.id, name: part.name, priceCents: 0, quantity: 1 }] : null;
  }
  // Restocked units are taken from the shelf again.
  const taken = goods.filter((_, place) => items[place]!.isRestocked);
  const others = items.filter(({ isRestocked }) => !isRestocked);
  return others.length > 0 ? [...taken, service("Sent back", others)] : taken;
}
