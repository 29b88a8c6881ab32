/** Refund of a return, read from its order's payments and other returns. */
import { sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { readOrder, refundedUnits, type LockedOrder } from "#shop/fulfillment/locked-order.server.ts";
import { capturedOf } from "#shop/payments/actions.server.ts";
import { unitsKept, type UnitsBack } from "#shop/orders/order.ts";
import { exchangeRefund, paidFor, refundOf } from "./amounts.ts";
import type { Found } from "./locked-return.server.ts";
import { reasonOf, type ReturnReason } from "./return.ts";

/**
 * Units by line that earlier returns and refunds of items gave back: `before` this return, and `ever` with the later
 * refunds by staff; whether one gave back the shipping. An exchange whose replacement was canceled keeps its place among
 * them, and so its part of the tax.
 */
async function refundedBefore(tx: DatabaseOrTransaction, { id: returnId, orderId, kind, resolvedAt }: Priced["rma"]) {
  const place = kind === "exchange" && resolvedAt ? resolvedAt.toISOString() : "infinity";
  const { rows } = await tx.execute<{ line: string; units: number; shipping: number }>(sql`
    SELECT order_item_id AS line, sum(shipping_refund)::int AS shipping,
      coalesce(sum(quantity) FILTER (WHERE resolved_at < ${place}::timestamptz), 0)::int AS units
    FROM return_items JOIN returns ON returns.id = return_id
    WHERE order_id = ${orderId}::uuid AND returns.id <> ${returnId}::uuid AND resolved_at IS NOT NULL
      AND (outcome = 'refund' OR kind = 'exchange' AND outcome IS DISTINCT FROM 'sent-back') GROUP BY order_item_id`);
  const byHand = sql`return_id IS NULL`;
  const earlier = sql`${byHand} AND payment_actions.created_at < ${place}::timestamptz`;
  const before = await refundedUnits(tx, orderId, earlier);
  const ever = await refundedUnits(tx, orderId, byHand);
  const hasShipping = ever.has("shipping") || rows.some(({ shipping }) => shipping > 0);
  for (const { line, units: returned } of rows)
    for (const units of [before, ever]) units.set(line, returned + (units.get(line) ?? 0));
  return { before, ever, hasShipping };
}

export type ReturnMoney = {
  /** Paid for the units with their tax; for an exchange, what the wanted product costs less. */
  linesCents: number;
  /** The order's shipping with its tax, if the return is the shop's fault. */
  shippingCents: number;
  deductionCents: number;
  /** By this return before, for an exchange that has ended. */
  refundedCents: number;
  refundCents: number;
  /** Captured of the order, and not refunded yet. */
  leftCents: number;
};

type Priced = {
  items: (Omit<UnitsBack, "unitsBefore"> & { id: string })[];
  rma: Pick<
    Found["rma"],
    "id" | "orderId" | "kind" | "reason" | "differenceCents" | "deductionCents" | "refundCents" | "resolvedAt"
  >;
  order: Pick<LockedOrder, "id" | "shippingCents" | "shippingTaxCents">;
};

/** The refund of a return with an outcome, in cents. Read under the lock of its order to be acted upon. */
export async function moneyOf(
  tx: DatabaseOrTransaction,
  { rma, order, items }: Priced,
  outcome: "refund" | "replacement",
): Promise<ReturnMoney> {
  const { before, ever, hasShipping } = await refundedBefore(tx, rma);
  const lines = items.map((item) => {
    const unitsBefore = Math.max(0, before.get(item.id) ?? 0);
    // Nothing is paid for a unit that staff have refunded, whenever they did.
    const units = Math.min(item.units, Math.max(0, unitsKept(item) - Math.max(unitsBefore, ever.get(item.id) ?? 0)));
    return { ...item, unitsBefore, units, wantedCents: item.priceCents + (rma.differenceCents ?? 0) / item.units };
  });
  const cents = lines.map((line) => (outcome === "refund" ? paidFor(line) : exchangeRefund(line, line.wantedCents)));
  const amounts = {
    linesCents: cents.reduce((sum, each) => sum + each, 0),
    shippingCents:
      outcome === "refund" && reasonOf(rma.reason).isOurFault && !hasShipping
        ? order.shippingCents + order.shippingTaxCents
        : 0,
    deductionCents: rma.deductionCents,
    refundedCents: rma.refundCents,
    leftCents: (await capturedOf(tx, order.id)).leftCents,
  };
  return { ...amounts, refundCents: refundOf(amounts) };
}

const NO_RETURN = "00000000-0000-0000-0000-000000000000";

/**
 * Returns what units of an order's lines would be refunded, in cents with tax, if they come back as they should. The
 * caller has checked ownership.
 */
export async function previewRefund(
  db: Database,
  orderId: string,
  units: Record<string, number>,
  reason: ReturnReason,
): Promise<number> {
  const order = await readOrder(db, orderId);
  if (!order) return 0;
  const items = order.lines.flatMap((line) =>
    units[line.id] ? [{ ...line, units: units[line.id]!, isRestocked: false }] : [],
  );
  const none = { differenceCents: null, deductionCents: 0, refundCents: 0, resolvedAt: null };
  const rma = { id: NO_RETURN, orderId, kind: "return", reason, ...none } as const;
  return (await moneyOf(db, { rma, order, items }, "refund")).refundCents;
}
