/** Locked orders, and the audit rows and emails of their changes, in one transaction. */
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import type { AuditAction } from "#shop/audit/actions.ts";
import { writeAudit, type Acting, type AuditEntry } from "#shop/audit/audit.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { enqueueEmail, ORDER_STEP_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { NO_SHIPPING } from "#shop/orders/order.ts";
import { asOrdered, orderItems, orders } from "#shop/orders/order.tables.ts";
import type { By, Decided } from "#shop/orders/run.server.ts";
import { lineColumns, unitsLeft } from "#shop/orders/units.sql.ts";
import { shipments } from "./shipment.tables.ts";

export type LockedOrder = NonNullable<Awaited<ReturnType<typeof readOrder>>>;

/** Locks an order until the transaction ends. Null if there is none. */
export const lockOrder = (tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> =>
  readOrder(tx, orderId, { locks: true });

/** Condition on shipments: units that it holds are refunded, or in a return. */
export const wasRefunded = sql<boolean>`(EXISTS (
  SELECT FROM shipment_units AS packed WHERE packed.shipment_id = shipments.id AND packed.released_at IS NULL AND (
    EXISTS (SELECT FROM refund_items WHERE refund_items.order_id = packed.order_id AND refund_items.unit = packed.unit)
    OR EXISTS (SELECT FROM return_units WHERE return_units.order_id = packed.order_id AND return_units.unit = packed.unit
      AND ended_at IS NULL)))
  OR EXISTS (SELECT FROM charges WHERE charges.order_id = shipments.order_id AND state = 'paid')
    AND (SELECT sum(cents) FROM charge_items JOIN charges ON charges.id = charge_id
      WHERE charges.order_id = shipments.order_id AND state = 'paid')
    = (SELECT coalesce(sum(cents), 0) FROM refund_items WHERE refund_items.order_id = shipments.order_id))`;

/** Units by order line that are refunded and not canceled, and times that `shipping` was. */
async function refundedUnits(tx: DatabaseOrTransaction, orderId: string): Promise<Map<string, number>> {
  const { rows } = await tx.execute<{ line: string; units: number }>(sql`
    SELECT coalesce(order_item_id::text, 'shipping') AS line, count(*)::int AS units FROM refund_items
    LEFT JOIN order_units AS unit ON unit.order_id = refund_items.order_id AND unit.number = refund_items.unit
    WHERE refund_items.order_id = ${orderId}::uuid AND kind IN ('unit', 'shipping') AND canceled_at IS NULL GROUP BY 1`);
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
    .select({
      ...lineColumns,
      unitsLeft: sql<number>`(SELECT ${unitsLeft} FROM order_items AS line WHERE line.id = order_items.id)`,
    })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(...asOrdered);
  const refunded = await refundedUnits(tx, orderId);
  const { shippingCents, shippingTaxCents } = order;
  const { rows: charged } = await tx.execute(sql`
    SELECT FROM charge_items JOIN charges ON charges.id = charge_id
    WHERE charge_items.order_id = ${orderId}::uuid AND kind = 'shipping' AND released_at IS NULL AND state = 'paid'`);
  const isShippingKept = !refunded.has("shipping") && charged.length > 0;
  return {
    ...order,
    shippingToRefund: isShippingKept ? { shippingCents, shippingTaxCents } : NO_SHIPPING,
    lines: lines.map((line) => ({
      ...line,
      unitsRefunded: refunded.get(line.id) ?? 0,
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
export const waitingShipment = ({ shipments: all }: LockedOrder) => all.find(({ state }) => state === "packing");

export const staff = (by: Acting | null): By => ({ by: "staff", staffId: by?.staffId ?? null });

/** A decision, as forms read it. */
export function resultOf<Reason extends string>(decided: Decided): Result<Reason> {
  if (decided.ok) return { ok: true, repeated: decided.repeated };
  const { reason, status } = decided;
  return { ok: false, reason, ...(reason === "status" && { status }) } as Refused<Reason>;
}

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
