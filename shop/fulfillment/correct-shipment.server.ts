/** Corrections of shipments, and their undoing. Each succeeds whole or is refused, and is idempotent. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { undoShipment as undo } from "#shop/orders/actions/parcels.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { withOrder as decide } from "#shop/orders/run.server.ts";
import { audit, DONE, mail, REPEATED, resultOf, staff } from "./locked-order.server.ts";
import { refuses, withParcel, type Result } from "./parcels-on-the-way.server.ts";
import { readTrackingNumber } from "./shipment.ts";
import { shipments } from "./shipment.tables.ts";
import type { Parcel } from "./ship.server.ts";

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
export const undoShipment = async (
  db: Database,
  orderId: string,
  shipmentId: string,
  by: Acting | null,
): Promise<Result> =>
  resultOf(
    await decide(
      db,
      orderId,
      (state, act) => undo(state, { parcelId: shipmentId }, act),
      staff(by),
      (tx) => audit(tx, by, "undo-shipment", orderId, { after: { shipmentId } }),
    ),
  ) as Result;
