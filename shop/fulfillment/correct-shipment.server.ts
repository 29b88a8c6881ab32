/** Corrections of shipments, and their undoing. Each succeeds whole or is refused, and is idempotent. */
import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { changeStatus, noteOrder } from "#shop/orders/order-events.server.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { audit, mail, withOrder } from "./locked-order.server.ts";
import { shipmentRefusal, type SHIPMENT_REFUSALS } from "./order-actions.ts";
import { readTrackingNumber } from "./shipment.ts";
import { shipments } from "./shipment.tables.ts";
import { releaseLabel, updateRest, type Parcel } from "./ship.server.ts";

type Result<Reason extends string = never> =
  | { ok: true; repeated: boolean }
  | { ok: false; reason: "not-found" | "unknown-shipment" | keyof typeof SHIPMENT_REFUSALS | Reason };

/** "•••6784": the audit log outlives the customer's data. */
const masked = (trackingNumber: string) => `•••${trackingNumber.slice(-4)}`;

/**
 * Corrects the carrier and tracking number of a shipment in transit, and emails the customer the new link. Refusals:
 * 'unknown-shipment', 'tracking-number' if it does not match the carrier, 'under-way' while the shipment waits for its
 * capture, 'not-in-transit' once it has arrived.
 */
export const correctTracking = (
  db: Database,
  orderId: string,
  shipmentId: string,
  { carrier, trackingNumber: typed }: Pick<Parcel, "carrier" | "trackingNumber">,
  by: Acting | null,
): Promise<Result<"tracking-number">> =>
  withOrder(db, orderId, async (order, tx): Promise<Result<"tracking-number">> => {
    const trackingNumber = readTrackingNumber(carrier, typed);
    if (!trackingNumber) return { ok: false, reason: "tracking-number" };
    const was = order.shipments.find(({ id }) => id === shipmentId);
    if (!was) return { ok: false, reason: "unknown-shipment" };
    const refusal = shipmentRefusal("tracking", was);
    if (refusal) return { ok: false, reason: refusal };
    if (was.carrier === carrier && was.trackingNumber === trackingNumber) return { ok: true, repeated: true };
    await tx
      .update(shipments)
      .set({ carrier, trackingNumber, progress: null, progressAt: null, trackedAt: null })
      .where(eq(shipments.id, shipmentId));
    await noteOrder(tx, orderId, "tracking-corrected", "staff", { shipmentId }, by?.staffId);
    await audit(tx, by, "tracking", orderId, {
      before: { carrier: was.carrier, trackingNumber: masked(was.trackingNumber) },
      after: { shipmentId, carrier, trackingNumber: masked(trackingNumber) },
    });
    await mail(tx, { template: "tracking-corrected", orderId, shipmentId });
    return { ok: true, repeated: false };
  });

/**
 * Undoes a shipment that has not left, and tells the customer: its units are to ship again, and an order without another
 * parcel is processing again. An open question about a delay can be answered until the end of the next day. A captured
 * payment stays and is not captured again when they ship. Refusals:
 * 'unknown-shipment', 'under-way', 'not-in-transit' once it has arrived, 'refunded' if money was refunded since.
 */
export const undoShipment = (db: Database, orderId: string, shipmentId: string, by: Acting | null): Promise<Result> =>
  withOrder(db, orderId, async ({ shipments: all }, tx): Promise<Result> => {
    const shipment = all.find(({ id }) => id === shipmentId);
    if (!shipment) return { ok: false, reason: "unknown-shipment" };
    if (shipment.state === "failed") return { ok: true, repeated: true };
    const refusal = shipmentRefusal("undo-shipment", shipment);
    if (refusal) return { ok: false, reason: refusal };
    await tx.update(shipments).set({ state: "failed", shippedAt: null }).where(eq(shipments.id, shipmentId));
    await releaseLabel(tx, shipment);
    const staffId = by?.staffId ?? null;
    if (all.every(({ id, state }) => id === shipmentId || state === "failed")) {
      const also = sql`rest_to_ship = false`;
      await changeStatus(tx, orderId, "shipment-undone", "staff", { also, data: { shipmentId }, staffId });
    } else {
      await updateRest(tx, orderId);
      await noteOrder(tx, orderId, "parcel-undone", "staff", { shipmentId }, staffId);
    }
    await tx.execute(sql`UPDATE orders SET delay_answer_by = greatest(delay_answer_by, ${today} + 1)
      WHERE id = ${orderId}::uuid AND delay_answer_by IS NOT NULL`);
    await audit(tx, by, "undo-shipment", orderId, { after: { shipmentId } });
    await mail(tx, { template: "shipment-undone", orderId, shipmentId });
    return { ok: true, repeated: false };
  });
