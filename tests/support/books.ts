/** Invariants of a shop's books. */
import { expect } from "vitest";
import type { Database } from "#db/connection.server.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { ORDER_NOTES, ORDER_TRANSITIONS, type OrderEvent, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { RETURN_NOTES, RETURN_TRANSITIONS, type ReturnEvent, type ReturnState } from "#shop/returns/lifecycle.ts";

type Query = <Row extends object>(text: string) => Promise<Row[]>;

/** The books of each order add up, and the money of those that have ended is taken, released, or never came. */
export async function checkPayments(db: Database, query: Query): Promise<void> {
  expect((await checkOrders(db)).differences).toEqual([]);
  const kept = await query(
    `SELECT o.id, o.status, p.state FROM orders o JOIN payments p ON p.order_id = o.id
     WHERE o.status IN ('canceled', 'declined', 'expired') AND p.state NOT IN ('closed', 'failed', 'captured')`,
  );
  expect(kept).toEqual([]);
}

/**
 * The provider keeps of each order the sales and the tax of the items that were charged and not given back, to
 * the cent, and nothing of an order without tax. What a refund took back stays so if it fails at the bank.
 */
export async function checkTax(query: Query): Promise<void> {
  const books = await query<{ id: string; sold: number; sold_tax: number; kept: number; kept_tax: number }>(
    `SELECT o.id, sold.cents AS sold, sold.tax AS sold_tax, kept.cents AS kept, kept.tax AS kept_tax FROM orders o
     CROSS JOIN LATERAL (SELECT coalesce(sum(cents - tax), 0)::int AS cents, coalesce(sum(tax), 0)::int AS tax FROM (
       SELECT cents, item.tax FROM charge_items item JOIN charges ON charges.id = charge_id
         WHERE item.order_id = o.id AND state = 'paid' AND released_at IS NULL
       UNION ALL SELECT -cents, -item.tax FROM refund_items item JOIN refunds ON refunds.id = refund_id
         WHERE item.order_id = o.id AND (EXISTS (SELECT FROM tax_records WHERE tax_records.refund_id = refunds.id)
           OR applied + otherwise + (SELECT coalesce(sum(amount), 0) FROM payment_actions WHERE refund_id = refunds.id AND payment_actions.state = 'done')
             = (SELECT sum(cents) FROM refund_items WHERE refund_id = refunds.id))
     ) AS items (cents, tax) WHERE o.tax_reference IS NOT NULL) AS sold
     CROSS JOIN LATERAL (SELECT coalesce(sum(coalesce(items.amount, 0) + coalesce((body->'shipping_cost'->>'amount')::int, 0)), 0)::int AS cents,
         coalesce(sum(made.tax), 0)::int AS tax
       FROM payment_sandbox.tax_transactions made JOIN tax_records ON tax_records.id = left(reference, 36)::uuid
       CROSS JOIN LATERAL (SELECT sum((item->>'amount')::int) AS amount FROM jsonb_array_elements(body->'items') AS item) AS items
       WHERE tax_records.order_id = o.id) AS kept`,
  );
  expect(books.filter(({ sold, sold_tax, kept, kept_tax }) => sold !== kept || sold_tax !== kept_tax)).toEqual([]);
}

export type Written = {
  order_id: string;
  type: OrderEvent;
  from_status: OrderStatus | null;
  to_status: OrderStatus;
  status: string;
  actor: string;
  data: Record<string, unknown> | null;
  /** Events of one act have the same time. */
  at: string;
};

/** True if an order may go from one status to the other by an event. */
export const isInTable = (type: string, from: OrderStatus | null, to: OrderStatus): boolean =>
  ORDER_TRANSITIONS.some((row) => row.event === type && row.from === from && row.to === to) ||
  ORDER_NOTES.some(
    ({ event, in: statuses }) => event === type && from === to && (statuses as readonly string[]).includes(to),
  );

/** Every event is of the table, follows from the one before, and the last is where the order stands. */
export async function checkStories(query: Query): Promise<Written[]> {
  const events = await query<Written>(
    "SELECT order_id, type, from_status, to_status, status, actor, data, at::text FROM order_events e JOIN orders o ON o.id = order_id ORDER BY order_id, e.id",
  );
  expect(events.filter(({ type, from_status, to_status }) => !isInTable(type, from_status, to_status))).toEqual([]);
  const wrong = events.filter(({ order_id, from_status, to_status, status }, i) => {
    const [before, after] = [events[i - 1], events[i + 1]];
    const former = before?.order_id === order_id ? before.to_status : null;
    return from_status !== former || (after?.order_id !== order_id && to_status !== status);
  });
  expect(wrong).toEqual([]);
  return events;
}

type ReturnWritten = { id: string; state: ReturnState; event: ReturnEvent };

/** The events of each return follow the table to where it stands, and its money and units are those of its outcome. */
export async function checkReturns(query: Query): Promise<void> {
  const events = await query<ReturnWritten>(
    `SELECT returns.id, returns.state, data->>'event' AS event FROM order_events
     JOIN returns ON returns.id = (data->>'returnId')::uuid WHERE type = 'return-changed' ORDER BY returns.id, order_events.id`,
  );
  const states = new Map<string, ReturnState | null>();
  for (const { id, event } of events) {
    const from = states.get(id) ?? null;
    const to = RETURN_TRANSITIONS.find((row) => row.event === event && row.from === from)?.to;
    const isNoted = RETURN_NOTES.some(
      (row) => row.event === event && (row.in as readonly (ReturnState | null)[]).includes(from),
    );
    expect([id, event, from, to !== undefined || isNoted]).toEqual([id, event, from, true]);
    if (to) states.set(id, to);
  }
  for (const { id, state } of await query<ReturnWritten>("SELECT id, state FROM returns")) {
    expect([id, states.get(id)]).toEqual([id, state]);
  }
  // The units of a return that is over may be in another one.
  const units = await query(
    `SELECT r.id FROM returns r JOIN return_units ON return_id = r.id
     WHERE (r.state IN ('declined', 'withdrawn', 'expired', 'closed')) AND ended_at IS NULL`,
  );
  expect(units).toEqual([]);
  const restocked = await query(
    `SELECT return_id, units, (SELECT json_agg(move) FROM stock_moves AS move WHERE move.return_id = back.return_id) AS moves,
       (SELECT json_agg(ru) FROM return_units ru WHERE ru.return_id = back.return_id) AS rows,
       (SELECT json_agg(e ORDER BY e.id) FROM order_events e WHERE order_id = (SELECT order_id FROM returns WHERE id = back.return_id)) AS events,
       (SELECT row_to_json(r) FROM returns r WHERE r.id = back.return_id) AS ret
     FROM (
       SELECT ri.return_id, product_id, sum(CASE WHEN restocked THEN ri.quantity ELSE 0 END)::int AS units
       FROM return_items ri JOIN order_items ON order_items.id = order_item_id GROUP BY 1, 2) AS back
     WHERE (SELECT coalesce(sum(delta), 0) FROM stock_moves AS move WHERE move.return_id = back.return_id
         AND move.product_id = back.product_id)
       <> CASE WHEN EXISTS (SELECT FROM stock WHERE stock.product_id = back.product_id) THEN units ELSE 0 END`,
  );
  expect(restocked).toEqual([]);
  // An order ends with its last parcel, unless a charge of it is still to be refunded.
  const unended = await query(
    `SELECT o.id FROM orders o WHERE stage = 'shipped' AND NOT EXISTS (
       SELECT FROM shipments WHERE order_id = o.id AND state <> 'failed' AND state <> 'delivered'
         AND (state NOT IN ('refused', 'lost') OR EXISTS (
           SELECT FROM shipment_units WHERE shipment_id = shipments.id AND released_at IS NULL)))
       AND (EXISTS (SELECT FROM shipments WHERE order_id = o.id AND state = 'delivered')
         OR NOT EXISTS (SELECT FROM payments WHERE order_id = o.id AND captured > refunded))`,
  );
  expect(unended).toEqual([]);
  // Stock for an exchange is taken while it is open, and only then.
  const reserved = await query(
    `SELECT returns.id, returns.state FROM returns JOIN order_units ON order_units.return_id = returns.id
     WHERE returns.state IN ('declined', 'withdrawn', 'expired', 'closed') AND reserved AND canceled_at IS NULL`,
  );
  expect(reserved).toEqual([]);
}
