/** Locked orders, and the audit rows and emails of their changes, in one transaction. */
import { and, asc, eq, getTableColumns, isNull, ne, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { amountsCharged, NO_SHIPPING, unitsKept } from "#shop/orders/order.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import { ITEMS_CANCELED } from "./order-actions.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";

export type LockedOrder = NonNullable<Awaited<ReturnType<typeof readOrder>>>;

/** Locks an order until the transaction ends. Null if there is none. */
export const lockOrder = (tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> =>
  readOrder(tx, orderId, { locks: true });

/**
 * Condition on shipments: the money of one was refunded since it shipped, other than for canceled units, or units of its
 * lines are in a return. A refund of items counts for the parcels that hold them. A mere amount counts for all; for a
 * parcel that was refused or lost, only if it was refunded since then, or with it everything that was charged. The
 * actions of one refund have the same time, and the first has its units.
 */
export const wasRefunded = sql<boolean>`EXISTS (
  SELECT FROM payment_actions JOIN payments ON payments.id = payment_id
  WHERE payments.order_id = shipments.order_id AND payment_actions.kind = 'refund' AND payment_actions.state <> 'failed'
    AND payment_actions.reason IS DISTINCT FROM ${ITEMS_CANCELED} AND return_id IS NULL
    AND payment_actions.created_at >= shipments.shipped_at
  GROUP BY payment_actions.created_at
  HAVING CASE WHEN count(units) > 0
    THEN bool_or(EXISTS (SELECT FROM shipment_items WHERE shipment_id = shipments.id AND units ? order_item_id::text))
    ELSE shipments.state NOT IN ('refused', 'lost') OR payment_actions.created_at >= coalesce(progress_at, shipped_at)
      OR NOT EXISTS (SELECT FROM payments WHERE payments.order_id = shipments.order_id AND captured > refunded) END) OR EXISTS (
  SELECT FROM return_items JOIN returns ON returns.id = return_id
  JOIN shipment_items ON shipment_items.order_item_id = return_items.order_item_id AND shipment_id = shipments.id
  WHERE returns.state NOT IN ('declined', 'withdrawn', 'expired'))`;

/**
 * Units by order line that were refunded and not canceled since, and times that `shipping` was, by the refunds in `which`. A
 * failed one does not count.
 */
export async function refundedUnits(
  tx: DatabaseOrTransaction,
  orderId: string,
  which = sql`true`,
): Promise<Map<string, number>> {
  const { rows } = await tx.execute<{ line: string; units: number }>(sql`
    SELECT line, sum(units)::int AS units FROM (
      SELECT key, value::int FROM payment_actions JOIN payments ON payments.id = payment_id,
        jsonb_each_text(payment_actions.units)
      WHERE order_id = ${orderId}::uuid AND payment_actions.kind = 'refund' AND payment_actions.state <> 'failed'
        AND ${which}
      UNION ALL SELECT data->>'itemId', -(data->>'unitsRefunded')::int FROM order_events
      WHERE order_id = ${orderId}::uuid AND type = 'line-canceled' AND data ? 'unitsRefunded'
    ) AS refunded (line, units) GROUP BY line`);
  return new Map(rows.map(({ line, units }) => [line, units]));
}

/**
 * Returns an order with its lines and parcels; `unitsLeft` are neither canceled nor in a parcel, `unitsRefunded` of those
 * kept, `shippingToRefund` was charged and is not refunded yet.
 */
export async function readOrder(tx: DatabaseOrTransaction, orderId: string, { locks = false } = {}) {
  const query = tx.select().from(orders).where(eq(orders.id, orderId));
  const [order] = await (locks ? query.for("update") : query);
  if (!order) return null;
  const lines = await tx
    .select()
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.name), asc(orderItems.id));
  const packed = await tx
    .select({ lineId: shipmentItems.orderItemId, units: sql<number>`sum(${shipmentItems.quantity})::int` })
    .from(shipmentItems)
    .innerJoin(shipments, eq(shipments.id, shipmentItems.shipmentId))
    .where(and(eq(shipments.orderId, orderId), ne(shipments.state, "failed"), isNull(shipments.resentAt)))
    .groupBy(shipmentItems.orderItemId);
  const sent = new Map(packed.map(({ lineId, units }) => [lineId, units]));
  const refunded = await refundedUnits(tx, orderId);
  const { shippingCents, shippingTaxCents } = order;
  const isShippingKept = !refunded.has("shipping") && amountsCharged(order, lines).shippingCents > 0;
  return {
    ...order,
    shippingToRefund: isShippingKept ? { shippingCents, shippingTaxCents } : NO_SHIPPING,
    lines: lines.map((line) => ({
      ...line,
      unitsLeft: unitsKept(line) - (sent.get(line.id) ?? 0),
      unitsRefunded: Math.min(Math.max(0, refunded.get(line.id) ?? 0), unitsKept(line)),
    })),
    shipments: await tx
      .select({ ...getTableColumns(shipments), wasRefunded })
      .from(shipments)
      .where(eq(shipments.orderId, orderId))
      .orderBy(asc(shipments.createdAt), asc(shipments.id)),
  };
}

export type Done = { ok: true; repeated: boolean };
type NotFound = { ok: false; reason: "not-found" };
export type NotNow = NotFound | ReturnType<typeof wrongStatus>;
export type Refused<Reason extends string = never> = NotNow | { ok: false; reason: Reason };
export type Result<Reason extends string = never> = Done | Refused<Reason>;

export const DONE: Done = { ok: true, repeated: false };
export const REPEATED: Done = { ok: true, repeated: true };
export const refused = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
export const wrongStatus = ({ status }: LockedOrder) => ({ ok: false, reason: "status", status }) as const;

/** Runs `change` on a locked order in one transaction, the caller's if `db` is one. */
export const withOrder = <Found>(
  db: DatabaseOrTransaction,
  orderId: string,
  change: (order: LockedOrder, tx: DatabaseOrTransaction) => Promise<Found>,
): Promise<Found | NotFound> =>
  db.transaction(async (tx): Promise<Found | NotFound> => {
    const order = await lockOrder(tx, orderId);
    return order ? change(order, tx) : { ok: false, reason: "not-found" };
  });

/** The parcel waiting for its capture. The order cannot change meanwhile. */
export const waitingShipment = ({ shipments: all }: LockedOrder) => all.find(({ state }) => state === "capturing");

/** Queues an email in the transaction of the change. */
export const mail = (tx: DatabaseOrTransaction, job: EmailJob): Promise<void> =>
  enqueueEmail(tx, job, ORDER_STEP_PERMIT);

type OrderAction<Action> = Action extends `order.${infer Name}` ? Name : never;

export const audit = (
  tx: DatabaseOrTransaction,
  by: Acting | null,
  action: OrderAction<AuditAction>,
  orderId: string,
  values: Pick<AuditEntry, "before" | "after"> = {},
): Promise<void> => writeAudit(tx, by, { action: `order.${action}`, subject: `order:${orderId}`, ...values });
