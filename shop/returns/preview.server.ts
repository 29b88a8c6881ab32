import type { Database } from "#db/connection.server.ts";
import { readOrder } from "#shop/fulfillment/locked-order.server.ts";
import { moneyOf } from "./money.server.ts";
import type { ReturnReason } from "./return.ts";

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
