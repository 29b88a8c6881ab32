/** Corrections of shipments, and their undoing. Each succeeds whole or is refused, and is idempotent. */
import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { changeStatus, noteOrder } from "#shop/orders/order-events.server.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { audit, DONE, mail, REPEATED } from "./locked-order.server.ts";
import { refuses, withParcel, type Result } from "./parcels-on-the-way.server.ts";
import { readTrackingNumber } from "./shipment.ts";
import { shipments } from "./shipment.tables.ts";
import { releaseLabel, updateRest, type Parcel } from "./ship.server.ts";

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
  withParcel<"tracking-number">(db, orderId, shipmentId, async (tx, _order, was) => {
    const trackingNumber = readTrackingNumber(carrier, typed);
    if (!trackingNumber) return { ok: false, reason: "tracking-number" };
    const refusal = refuses("tracking", was);
    if (refusal) return refusal;
    if (was.carrier === carrier && was.trackingNumber === trackingNumber) return REPEATED;
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
    return DONE;
  });

/**
 * Undoes a shipment that has not left, and tells the customer: its units are to ship again, and an order without another
 * parcel is processing again. An open question about a delay can be answered until the end of the next day. A captured
 * payment stays and is not captured again when they ship. Refusals:
 * 'unknown-shipment', 'under-way', 'not-in-transit' once it has arrived, 'refunded' if money was refunded since.
 */
export const undoShipment = (db: Database, orderId: string, shipmentId: string, by: Acting | null): Promise<Result> =>
  withParcel(db, orderId, shipmentId, async (tx, { shipments: all }, shipment) => {
    if (shipment.state === "failed") return REPEATED;
    const refusal = refuses("undo-shipment", shipment);
    if (refusal) return refusal;
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
    return DONE;
  });
