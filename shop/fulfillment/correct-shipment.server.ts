/** Corrections of shipments, and their undoing. Each succeeds whole or is refused, and is idempotent. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { correctTracking as correct, undoShipment as undo } from "#shop/orders/actions/parcels.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { audit, resultOf, staff } from "./locked-order.server.ts";
import type { Result } from "./parcels-on-the-way.server.ts";
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
export async function correctTracking(
  db: Database,
  orderId: string,
  shipmentId: string,
  { carrier, trackingNumber: typed }: Pick<Parcel, "carrier" | "trackingNumber">,
  by: Acting | null,
): Promise<Result<"tracking-number">> {
  const trackingNumber = readTrackingNumber(carrier, typed);
  if (!trackingNumber) return { ok: false, reason: "tracking-number" };
  const corrected = await withOrder(
    db,
    orderId,
    (state) => correct(state, { parcelId: shipmentId, carrier, trackingNumber }),
    staff(by),
    async (tx, { before }) => {
      const was = before.parcels.find(({ id }) => id === shipmentId)!;
      // The carrier is asked at once.
      await tx.update(shipments).set({ trackedAt: null }).where(eq(shipments.id, shipmentId));
      await audit(tx, by, "tracking", orderId, {
        before: { carrier: was.carrier, trackingNumber: masked(was.trackingNumber) },
        after: { shipmentId, carrier, trackingNumber: masked(trackingNumber) },
      });
    },
  );
  return resultOf(corrected) as Result<"tracking-number">;
}

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
    await withOrder(
      db,
      orderId,
      (state, act) => undo(state, { parcelId: shipmentId }, act),
      staff(by),
      (tx) => audit(tx, by, "undo-shipment", orderId, { after: { shipmentId } }),
    ),
  ) as Result;
