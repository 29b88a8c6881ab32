/** Invariants of a shop's books. */
import { expect } from "vitest";
import { ORDER_NOTES, ORDER_TRANSITIONS, type OrderEvent, type OrderStatus } from "#shop/orders/lifecycle.ts";
import { RETURN_NOTES, RETURN_TRANSITIONS, type ReturnEvent, type ReturnState } from "#shop/returns/lifecycle.ts";

type Query = <Row extends object>(text: string) => Promise<Row[]>;

/**
 * Shipped orders are paid for everything not canceled, also those whose shipment was undone. What was canceled after the
 * charge is refunded, unless the bank fails the refund; if staff had refunded a part before, up to what was charged.
 */
export async function checkPayments(query: Query): Promise<void> {
  const wrong = await query(
    `SELECT o.id, o.status, paid.captured, paid.left, charge.cents, canceled.cents AS canceled, asked.cents AS asked FROM orders o
     CROSS JOIN LATERAL (SELECT coalesce(sum(captured), 0) AS captured, coalesce(sum(captured - refunded), 0) AS left
       FROM payments WHERE order_id = o.id) AS paid
     CROSS JOIN LATERAL (SELECT sum(price * (quantity - canceled_quantity)
           + round(tax::numeric * (quantity - canceled_quantity) / quantity))
         + CASE WHEN sum(quantity - canceled_quantity) > 0 THEN o.shipping + o.shipping_tax ELSE 0 END AS cents
       FROM order_items WHERE order_id = o.id) AS charge
     CROSS JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_actions a JOIN payments p ON p.id = payment_id
       WHERE p.order_id = o.id AND a.kind = 'refund' AND reason = 'items-canceled') AS canceled
     CROSS JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_actions a JOIN payments p ON p.id = payment_id
       WHERE p.order_id = o.id AND a.kind = 'refund') AS asked
     CROSS JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_actions a JOIN payments p ON p.id = payment_id
       WHERE p.order_id = o.id AND a.kind = 'refund' AND a.state = 'failed') AS failed
     WHERE CASE WHEN o.status IN ('shipped', 'delivered') OR o.status = 'processing' AND paid.captured > 0
       THEN paid.captured < charge.cents + canceled.cents
         OR paid.captured > charge.cents + canceled.cents AND asked.cents < paid.captured
       ELSE paid.left > failed.cents END`,
  );
  expect(wrong).toEqual([]);
  const kept = await query(
    `SELECT o.id, o.status, p.state FROM orders o JOIN payments p ON p.order_id = o.id
     WHERE o.status IN ('canceled', 'declined', 'expired') AND p.state NOT IN ('closed', 'failed', 'captured')`,
  );
  expect(kept).toEqual([]);
}

/**
 * Of each order, the sales and tax that the provider keeps are what was charged and not refunded, and nothing of an order
 * without tax; by state, its sums are those of the books. What a refund reversed stays so if it fails at the bank.
 */
export async function checkTax(query: Query): Promise<void> {
  const wrong = await query(
    `SELECT o.id, o.status, kept.cents AS kept, paid.cents AS paid, failed.cents AS failed FROM orders o
     CROSS JOIN LATERAL (SELECT coalesce(sum(CASE kind WHEN 'record' THEN amount + tax ELSE -amount - tax END), 0) AS cents
       FROM tax_records WHERE order_id = o.id AND state = 'done') AS kept
     CROSS JOIN LATERAL (SELECT coalesce(sum(captured - refunded), 0) AS cents FROM payments WHERE order_id = o.id) AS paid
     CROSS JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_actions a JOIN payments p ON p.id = payment_id
       WHERE p.order_id = o.id AND a.kind = 'refund' AND a.state = 'failed') AS failed
     WHERE CASE WHEN o.tax_reference IS NULL THEN kept.cents <> 0
       ELSE kept.cents NOT BETWEEN paid.cents - failed.cents AND paid.cents END`,
  );
  expect(wrong).toEqual([]);
  const states = await query<{ state: string; ours: number; theirs: number }>(
    `SELECT shipping_state AS state, sum(CASE kind WHEN 'record' THEN tax_records.tax ELSE -tax_records.tax END)::int AS ours,
       coalesce(sum(made.tax), 0)::int AS theirs
     FROM tax_records JOIN orders ON orders.id = order_id
     LEFT JOIN payment_sandbox.tax_transactions AS made ON made.reference = tax_records.id::text
     GROUP BY shipping_state ORDER BY 1`,
  );
  expect(states.map(({ state, theirs }) => ({ state, tax: theirs }))).toEqual(
    states.map(({ state, ours }) => ({ state, tax: ours })),
  );
  expect(states).not.toEqual([]);
}

/** Nothing was sent twice. */
export async function checkParcels(query: Query): Promise<void> {
  const sentTwice = await query(
    `SELECT order_items.id FROM order_items JOIN shipment_items ON order_item_id = order_items.id
     JOIN shipments ON shipments.id = shipment_id AND state <> 'failed' AND resent_at IS NULL
     GROUP BY order_items.id HAVING sum(shipment_items.quantity) > order_items.quantity - canceled_quantity`,
  );
  expect(sentTwice).toEqual([]);
}

export type Written = {
  order_id: string;
  type: OrderEvent;
  from_status: OrderStatus | null;
  to_status: OrderStatus;
  status: string;
  data: Record<string, unknown> | null;
  /** Events of one act have the same time. */
  at: string;
};

const isInTable = ({ type, from_status: from, to_status: to }: Written): boolean =>
  ORDER_TRANSITIONS.some((row) => row.event === type && row.from === from && row.to === to) ||
  ORDER_NOTES.some(
    ({ event, in: statuses }) => event === type && from === to && (statuses as readonly string[]).includes(to),
  );

/** Every event is of the table, follows from the one before, and the last is where the order stands. */
export async function checkStories(query: Query): Promise<Written[]> {
  const events = await query<Written>(
    "SELECT order_id, type, from_status, to_status, status, data, at::text FROM order_events e JOIN orders o ON o.id = order_id ORDER BY order_id, e.id",
  );
  expect(events.filter((event) => !isInTable(event))).toEqual([]);
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
  const money = await query(
    `SELECT r.id, r.refund, asked.cents FROM returns r
     CROSS JOIN LATERAL (SELECT coalesce(sum(a.amount), 0) AS cents FROM payment_actions a JOIN payments p ON p.id = payment_id
       WHERE a.return_id = r.id AND p.order_id = r.order_id) AS asked WHERE asked.cents <> r.refund`,
  );
  expect(money).toEqual([]);
  const units = await query(
    `SELECT i.id FROM order_items i JOIN return_items ri ON ri.order_item_id = i.id JOIN returns r ON r.id = return_id
     WHERE r.state NOT IN ('declined', 'withdrawn', 'expired') AND NOT (r.state = 'closed' AND r.outcome IN ('repair', 'part', 'sent-back'))
     GROUP BY i.id HAVING sum(ri.quantity) > (SELECT coalesce(sum(packed.quantity), 0) FROM shipment_items packed
       JOIN shipments s ON s.id = packed.shipment_id WHERE packed.order_item_id = i.id AND s.state NOT IN ('failed', 'capturing') AND s.resent_at IS NULL)`,
  );
  expect(units).toEqual([]);
  const restocked = await query(
    `SELECT ri.return_id FROM return_items ri JOIN order_items i ON i.id = order_item_id LEFT JOIN stock_moves m
       ON m.return_id = ri.return_id AND m.product_id = i.product_id
     WHERE coalesce(m.delta, 0) <> CASE WHEN ri.restocked AND EXISTS (SELECT FROM stock WHERE stock.product_id = i.product_id) THEN ri.quantity ELSE 0 END`,
  );
  expect(restocked).toEqual([]);
  // An order ends with its last parcel, unless a charge of it is still to be refunded.
  const unended = await query(
    `SELECT o.id FROM orders o WHERE status = 'shipped' AND NOT rest_to_ship AND NOT EXISTS (
       SELECT FROM shipments WHERE order_id = o.id AND state <> 'failed' AND resent_at IS NULL AND state <> 'delivered')
       AND (EXISTS (SELECT FROM shipments WHERE order_id = o.id AND state = 'delivered')
         OR NOT EXISTS (SELECT FROM payments WHERE order_id = o.id AND captured > refunded))`,
  );
  expect(unended).toEqual([]);
  // What was reserved for an exchange is taken while it is open, and only then.
  const reserved = await query(
    `SELECT r.id, r.state, o.status FROM returns r JOIN orders o ON o.id = r.replacement_order_id
     WHERE r.state IN ('declined', 'withdrawn', 'expired') AND o.status NOT IN ('canceled', 'declined')`,
  );
  expect(reserved).toEqual([]);
}
