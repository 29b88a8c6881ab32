/** What whoever runs the shop looks at: one order with all that happened to it, and the events that belong to none. */
import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { amountsCharged, type Amounts } from "../orders/charge.ts";
import { orderEvents, orderNotes, orders } from "../orders/order.tables.ts";
import { paymentActions, payments } from "../payments/payment.tables.ts";
import { readOrder, type Line, type Shipment } from "./locked-order.server.ts";

/** The ids that begin with what was typed: an order's number, or more of its id. At most two are looked for. */
export async function findOrderIds(db: Database, typed: string): Promise<string[]> {
  const digits = typed.trim().toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return [];
  const [from, to] = [digits.padEnd(32, "0"), digits.padEnd(32, "f")];
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM orders WHERE id BETWEEN ${from}::uuid AND ${to}::uuid ORDER BY id LIMIT 2`,
  );
  return rows.map(({ id }) => id);
}

export type DeskOrder = {
  order: typeof orders.$inferSelect;
  lines: Line[];
  charged: Amounts;
  shipments: Shipment[];
  payments: (typeof payments.$inferSelect)[];
  /** What the provider was asked to do. */
  actions: (typeof paymentActions.$inferSelect)[];
  events: (typeof orderEvents.$inferSelect)[];
  notes: (typeof orderNotes.$inferSelect)[];
};

/** One order as it stands now. */
export const openOrder = (db: Database, orderId: string): Promise<DeskOrder | null> =>
  db.transaction(async (tx) => {
    const found = await readOrder(tx, orderId);
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId));
    if (!found || !order) return null;
    return {
      order,
      lines: found.lines,
      charged: amountsCharged(found, found.lines),
      shipments: found.shipments,
      payments: await tx.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.createdAt)),
      actions: await tx
        .select()
        .from(paymentActions)
        .where(
          inArray(
            paymentActions.paymentId,
            tx.select({ id: payments.id }).from(payments).where(eq(payments.orderId, orderId)),
          ),
        )
        .orderBy(asc(paymentActions.createdAt)),
      notes: await tx
        .select()
        .from(orderNotes)
        .where(eq(orderNotes.orderId, orderId))
        .orderBy(asc(orderNotes.at), asc(orderNotes.id)),
      events: await tx.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)).orderBy(asc(orderEvents.id)),
    };
  });

const LISTED = 100;

export type Unmatched = { eventId: string; type: string; reference: string; receivedAt: Date };

/** Events of the provider about payments that the shop does not know, from ten minutes after they came in. */
export async function listUnmatchedEvents(db: Database): Promise<Unmatched[]> {
  const { rows } = await db.execute<Record<keyof Unmatched, string>>(sql`
    SELECT event_id AS "eventId", type, reference, received_at AS "receivedAt" FROM payment_inbox
    WHERE handled_at IS NULL AND received_at < now() - interval '10 minutes' ORDER BY received_at LIMIT ${LISTED}`);
  return rows.map((row) => ({ ...row, receivedAt: new Date(row.receivedAt) }));
}
