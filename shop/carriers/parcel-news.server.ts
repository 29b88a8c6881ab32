/** News of parcels by webhook: nothing but the tracking number is believed, and the state is read from the carrier. */
import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { shipments } from "#shop/fulfillment/shipment.tables.ts";

/** Marks the parcels on their way with a tracking number, so that the jobs read them next. */
export async function noteNews(db: Database, trackingNumber: string): Promise<void> {
  await db
    .update(shipments)
    .set({ trackedAt: null })
    .where(and(eq(shipments.trackingNumber, trackingNumber), inArray(shipments.state, ["shipped", "lost"])));
}
