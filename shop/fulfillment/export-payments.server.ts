/** Money of orders for other programs: each charge and each refund, by the day it moved. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { dollarCell, orderCell, type Cells } from "#shop/csv-cell.ts";
import { midnight } from "#shop/new-york-time.sql.ts";
import { type Arrangement, arrangedWith } from "#shop/payments/arrangement.ts";
import { paidWith } from "#shop/payments/payment-method.ts";
import type { PaymentSource } from "#shop/payments/payment.tables.ts";
import type { PaymentMethod } from "#shop/payments/provider.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { auditExport } from "./export-orders.server.ts";
import { matching, type OrderFilter } from "./order-list.server.ts";

const PART = 1_000;
const PROVIDERS: Record<PaymentSource, string> = { stripe: "Stripe", paypal: "PayPal", manual: "Arranged with you" };

type Moved = {
  id: string;
  at: string;
  isRefund: boolean;
  cents: number;
  reference: string | null;
  orderId: string;
  provider: PaymentSource;
  method: PaymentMethod | null;
  arrangement: Arrangement | null;
};

const shown = (
  cents: SQL,
  at: SQL,
  isRefund: SQL,
) => sql`${at} AS at, ${isRefund} AS "isRefund", ${cents}::int AS cents,
  orders.id AS "orderId", provider, method, arrangement`;

/** In the order in which the money moved, after the row `last`. */
async function nextMoves(
  db: Database,
  where: SQL,
  { since, until }: OrderFilter,
  last: Moved | null,
): Promise<Moved[]> {
  const { rows } = await db.execute<Moved>(sql`
    SELECT a.id, ${shown(sql`a.amount`, sql`a.done_at::text`, sql`a.kind = 'refund'`)}, coalesce(a.provider_reference, intent_reference) AS reference
    FROM payment_actions AS a JOIN payments ON payments.id = payment_id JOIN orders ON orders.id = order_id
    WHERE a.kind <> 'void' AND a.state = 'done' AND a.amount > 0 AND ${where}
      ${since ? sql`AND done_at >= ${midnight(sql`${since}::date`)}` : sql``}
      ${until ? sql`AND done_at < ${midnight(sql`${until}::date + 1`)}` : sql``}
      ${last ? sql`AND (a.done_at, a.id) > (${last.at}::timestamptz, ${last.id}::uuid)` : sql``}
    ORDER BY a.done_at, a.id LIMIT ${PART}`);
  return rows;
}

/** Money charged past the shop, at the provider's own site; only the start of its payment is known. */
async function otherCharges(db: Database, where: SQL, { since, until }: OrderFilter): Promise<Moved[]> {
  const known = sql`(SELECT coalesce(sum(amount), 0) FROM payment_actions AS a
    WHERE payment_id = payments.id AND a.kind IN ('capture', 'charge') AND a.state = 'done')`;
  const { rows } = await db.execute<Moved>(sql`
    SELECT payments.id, ${shown(sql`captured - ${known}`, sql`payments.created_at::text`, sql`false`)}, intent_reference AS reference
    FROM payments JOIN orders ON orders.id = order_id WHERE captured > ${known} AND ${where}
      ${since ? sql`AND payments.created_at >= ${midnight(sql`${since}::date`)}` : sql``}
      ${until ? sql`AND payments.created_at < ${midnight(sql`${until}::date + 1`)}` : sql``}
    ORDER BY payments.created_at, payments.id`);
  return rows;
}

/** Refunds that staff sent another way than by the payment. */
async function sentOtherwise(db: Database, where: SQL, { since, until }: OrderFilter): Promise<Moved[]> {
  const { rows } = await db.execute<Moved>(sql`
    SELECT refunds.id, otherwise_at::text AS at, true AS "isRefund", otherwise AS cents, orders.id AS "orderId",
      'manual' AS provider, NULL AS method, NULL AS arrangement, NULL AS reference
    FROM refunds JOIN orders ON orders.id = order_id WHERE otherwise_at IS NOT NULL AND otherwise > 0 AND ${where}
      ${since ? sql`AND otherwise_at >= ${midnight(sql`${since}::date`)}` : sql``}
      ${until ? sql`AND otherwise_at < ${midnight(sql`${until}::date + 1`)}` : sql``}
    ORDER BY otherwise_at, refunds.id`);
  return rows;
}

const rowOf = ({ at, isRefund, cents, reference, orderId, provider, method, arrangement }: Moved): Cells => ({
  Date: new Date(at),
  Order: orderCell(orderId),
  Type: isRefund ? "Refund" : "Charge",
  Amount: dollarCell(isRefund ? -cents : cents),
  "Paid with": arrangement ? arrangedWith(arrangement) : method ? paidWith(method) : "",
  Through: PROVIDERS[provider],
  Reference: reference ?? "",
});

/**
 * Yields what was charged and refunded by column name, refunds as negative amounts. The days of the filter are those of the
 * money, the rest of it selects orders. A refund counts once the provider has made it, unless the bank sends it back. The
 * export is audited first.
 */
export async function* exportPayments(db: Database, filter: OrderFilter, by: Acting): AsyncGenerator<Cells> {
  await auditExport(db, by, "payments", filter);
  const ofOrders = { ...filter, since: undefined, until: undefined };
  const where = sql`orders.id IN (SELECT id FROM orders WHERE ${matching(ofOrders)})`;
  let last: Moved | null = null;
  do {
    const moves: Moved[] = await nextMoves(db, where, filter, last);
    for (const moved of moves) yield rowOf(moved);
    last = moves.length === PART ? moves.at(-1)! : null;
  } while (last);
  for (const charged of await otherCharges(db, where, filter)) yield rowOf(charged);
  for (const sent of await sentOtherwise(db, where, filter)) yield rowOf(sent);
}
