/**
 * What follows from the provider's answer stands in its transaction: the parcel that waited for the money ships or does
 * not, the order is accepted, and the customer is told, once.
 */
import { and, eq, sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { AfterAction } from "../payments/actions.server.ts";
import { paymentActions } from "../payments/payment.tables.ts";
import { isReason, REFUND_REASONS } from "./reasons.ts";
import { shipments } from "./shipment.tables.ts";
import { changeStatus, mail, note } from "./steps.server.ts";

type Tx = DatabaseOrTransaction;

/** Called once for an action, in the transaction that writes down what came of it. */
export const afterAction: AfterAction = async (tx, { id, orderId, kind, amountCents, outcome }) => {
  if (kind === "capture") await afterCapture(tx, orderId, id, outcome);
  if (kind === "refund" && outcome === "done") await afterRefund(tx, orderId, id, amountCents);
};

async function afterCapture(tx: Tx, orderId: string, captureId: string, outcome: "done" | "failed"): Promise<void> {
  const [shipment] = await tx
    .update(shipments)
    .set(outcome === "done" ? { state: "shipped", shippedAt: sql`now()` } : { state: "failed" })
    .where(and(eq(shipments.captureId, captureId), eq(shipments.state, "capturing")))
    .returning({ id: shipments.id, staffId: shipments.staffId });
  if (!shipment) return;
  if (outcome === "done") return recordFirstParcel(tx, orderId, shipment);
  await note(tx, orderId, "capture-failed", "provider", { shipmentId: shipment.id });
  await mail(tx, { template: "payment-request", orderId, why: "capture-failed" });
}

async function afterRefund(tx: Tx, orderId: string, actionId: string, cents: number): Promise<void> {
  const [action] = await tx
    .select({ reason: paymentActions.reason, askedBy: paymentActions.askedBy, staffId: paymentActions.staffId })
    .from(paymentActions)
    .where(eq(paymentActions.id, actionId));
  const word = action?.reason ?? undefined;
  const reason = isReason(REFUND_REASONS, word) ? word : null;
  const by = action?.askedBy === "staff" || action?.askedBy === "provider" ? action.askedBy : "system";
  await note(tx, orderId, "refunded", by, { cents, reason, actionId }, action?.staffId);
  await mail(tx, { template: "refund-issued", orderId, cents, reason });
}

export type Sent = { id: string; staffId: string | null };

/** Whether units of an order are neither canceled nor in a parcel. */
const hasRest = (orderId: string) => sql`(
  SELECT sum(quantity - canceled_quantity) FROM order_items WHERE order_id = ${orderId}::uuid) > (
  SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments AS sent ON sent.id = packed.shipment_id
  WHERE sent.order_id = ${orderId}::uuid AND sent.state <> 'failed')`;

/** The first parcel has shipped, and with it the order is accepted. */
export async function recordFirstParcel(tx: Tx, orderId: string, { id: shipmentId, staffId }: Sent): Promise<void> {
  const also = sql`accepted_at = now(), on_hold_since = NULL, rest_to_ship = ${hasRest(orderId)}`;
  await changeStatus(tx, orderId, "shipped", "staff", { also, data: { shipmentId }, staffId });
  await mail(tx, { template: "order-shipped", orderId, shipmentId });
}

/** Another parcel of an order that has shipped before. */
export async function recordLaterParcel(tx: Tx, orderId: string, { id: shipmentId, staffId }: Sent): Promise<void> {
  await tx.execute(sql`UPDATE orders SET rest_to_ship = ${hasRest(orderId)} WHERE id = ${orderId}::uuid`);
  await note(tx, orderId, "parcel-shipped", "staff", { shipmentId }, staffId);
  await mail(tx, { template: "parcel-shipped", orderId, shipmentId });
}
