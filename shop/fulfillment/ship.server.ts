/**
 * Nothing ships before its money is there, and nothing twice: lines and units left are counted under the order's lock, the
 * first parcel waits for the capture of all that is not canceled, and the order is accepted as it ships.
 */
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { Acting } from "../staff/audit.server.ts";
import { amountsCharged } from "../orders/charge.ts";
import { isAllowed, type OrderStatus } from "../orders/lifecycle.ts";
import { requestCapture, runAction } from "../payments/actions.server.ts";
import { payments } from "../payments/payment.tables.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { afterAction, recordFirstParcel, recordLaterParcel, type Sent } from "./after-action.server.ts";
import { lockOrder, waitingShipment, type LockedOrder } from "./locked-order.server.ts";
import { readTrackingNumber, type CarrierCode } from "./shipment.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";
import { audit } from "./steps.server.ts";

export type Parcel = {
  carrier: CarrierCode;
  trackingNumber: string;
  /** Units by line of the order; without it, all that is left. */
  units?: Record<string, number>;
};

export type ShipResult =
  | {
      ok: true;
      shipmentId: string;
      /** `waiting`: the provider has not said yet whether the money is there. It is asked again until it does. */
      state: "shipped" | "waiting";
      /** This parcel was recorded before; nothing has changed. */
      repeated: boolean;
    }
  | {
      ok: false;
      reason:
        | "not-found"
        | "tracking-number"
        | "on-hold"
        | "under-way"
        | "nothing-left"
        | "not-paid"
        | "capture-failed";
    }
  | { ok: false; reason: "status"; status: OrderStatus }
  | { ok: false; reason: "units"; name: string; unitsLeft: number };

type Refusal = Extract<ShipResult, { ok: false }>;
type Written = { shipmentId: string; captureId: string | null; repeated: boolean };

/**
 * Ships a parcel of an order. The first asks the provider for the money, and has shipped once that is there; later ones
 * ship at once. An order without any payment, placed while there was no provider, ships as it is. The same parcel again is
 * no error and changes nothing. Refusals: 'tracking-number' where the carrier has none such, 'status', 'on-hold', 'under-way' while
 * another parcel waits for the money, 'nothing-left', 'units' where a line has fewer left, 'not-paid' where it was
 * to be paid and its money cannot be had, 'capture-failed' where it was asked for and did not come.
 */
export async function shipOrder(
  db: Database,
  provider: PaymentProvider | null,
  orderId: string,
  parcel: Parcel,
  by: Acting | null,
): Promise<ShipResult> {
  const trackingNumber = readTrackingNumber(parcel.carrier, parcel.trackingNumber);
  if (!trackingNumber) return { ok: false, reason: "tracking-number" };
  const written = await db.transaction((tx) => write(tx, orderId, { ...parcel, trackingNumber }, by));
  if ("ok" in written) return written;
  const { shipmentId, captureId, repeated } = written;
  if (captureId && provider) await runAction(db, provider, captureId, afterAction);
  const [now] = await db.select({ state: shipments.state }).from(shipments).where(eq(shipments.id, shipmentId));
  if (now?.state === "failed") return { ok: false, reason: "capture-failed" };
  return { ok: true, shipmentId, state: now?.state === "capturing" ? "waiting" : "shipped", repeated };
}

async function write(
  tx: DatabaseOrTransaction,
  orderId: string,
  parcel: Parcel,
  by: Acting | null,
): Promise<Refusal | Written> {
  const order = await lockOrder(tx, orderId);
  if (!order) return { ok: false, reason: "not-found" };
  const same = order.shipments.find(
    ({ carrier, trackingNumber, state }) =>
      carrier === parcel.carrier && trackingNumber === parcel.trackingNumber && state !== "failed",
  );
  if (same) return { shipmentId: same.id, captureId: same.captureId, repeated: true };
  const isFirst = isAllowed("shipped", order.status);
  if (!isFirst && !isAllowed("parcel-shipped", order.status)) {
    return { ok: false, reason: "status", status: order.status };
  }
  if (order.onHoldSince) return { ok: false, reason: "on-hold" };
  if (waitingShipment(order)) return { ok: false, reason: "under-way" };
  const packed = pack(order, parcel.units);
  if ("ok" in packed) return packed;
  if (!isFirst) {
    const sent = await insertShipment(tx, order, parcel, packed, null, by);
    await recordLaterParcel(tx, orderId, sent);
    return { shipmentId: sent.id, captureId: null, repeated: false };
  }
  const money = await moneyFor(tx, order, by);
  if (!money) return { ok: false, reason: "not-paid" };
  const sent = await insertShipment(tx, order, parcel, packed, money.captureId, by);
  if (!money.captureId) await recordFirstParcel(tx, orderId, sent);
  return { shipmentId: sent.id, captureId: money.captureId, repeated: false };
}

type Packed = { lineId: string; quantity: number }[];

/** What goes into a parcel: `units` of the lines, where they are left, or else all that is left. */
function pack({ lines }: LockedOrder, units?: Record<string, number>): Packed | Refusal {
  const packed: Packed = [];
  for (const { id, name, unitsLeft } of lines) {
    const quantity = units ? (units[id] ?? 0) : unitsLeft;
    if (quantity > unitsLeft || quantity < 0) return { ok: false, reason: "units", name, unitsLeft };
    if (quantity > 0) packed.push({ lineId: id, quantity });
  }
  return packed.length > 0 ? packed : { ok: false, reason: "nothing-left" };
}

/** The capture that the first parcel waits for, if it waits for one. Null where it was to be paid and is not. */
async function moneyFor(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  by: Acting | null,
): Promise<{ captureId: string | null } | null> {
  const { totalCents } = amountsCharged(order, order.lines);
  if (totalCents === 0) return { captureId: null };
  const capture = await requestCapture(tx, order.id, totalCents, "staff", by?.staffId);
  if (capture) return { captureId: capture.actionId };
  const [paid] = await tx
    .select({
      wasAsked: sql<boolean>`count(*) > 0 OR EXISTS (
        SELECT FROM order_events WHERE order_id = ${order.id}::uuid AND type = 'payment-requested')`,
      cents: sql<number>`coalesce(sum(${payments.capturedCents} - ${payments.refundedCents}), 0)::int`,
    })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  return !paid?.wasAsked || paid.cents >= totalCents ? { captureId: null } : null;
}

async function insertShipment(
  tx: DatabaseOrTransaction,
  { id: orderId }: LockedOrder,
  { carrier, trackingNumber }: Parcel,
  packed: Packed,
  captureId: string | null,
  by: Acting | null,
): Promise<Sent> {
  const [shipment] = await tx
    .insert(shipments)
    .values({
      orderId,
      carrier,
      trackingNumber,
      captureId,
      staffId: by?.staffId,
      state: captureId ? "capturing" : "shipped",
      shippedAt: captureId ? null : sql`now()`,
    })
    .returning({ id: shipments.id, staffId: shipments.staffId });
  const shipmentId = shipment!.id;
  await tx
    .insert(shipmentItems)
    .values(packed.map(({ lineId, quantity }) => ({ shipmentId, orderItemId: lineId, quantity })));
  await audit(tx, by, "ship", orderId, { after: { carrier, shipmentId } });
  return shipment!;
}
