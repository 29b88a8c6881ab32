/** Parcels on their way: news marks a row, the state is read from the carrier, and parcels without news are asked about. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { recordTracking } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import type { CarrierCode } from "#shop/fulfillment/shipment.ts";
import { shipments } from "#shop/fulfillment/shipment.tables.ts";
import type { Report } from "#shop/report.ts";
import { CarrierError, type CarrierProvider } from "./carrier-provider.ts";
import { listDueLabels, type Providers, runLabel, voidLabel } from "./labels.server.ts";
import { sweepQuotes } from "./quotes.server.ts";

const ASK_HOURS = 3;
/** Carriers forget parcels, and use their numbers again. */
const MAX_DAYS = 60;
const AT_ONCE = 5;
const CLAIMED = 50;

/**
 * Marks the parcels on their way with a tracking number, so that the jobs read them next. Nothing else that a webhook says
 * is believed.
 */
export async function noteNews(db: Database, trackingNumber: string): Promise<void> {
  await db
    .update(shipments)
    .set({ trackedAt: null })
    .where(and(eq(shipments.trackingNumber, trackingNumber), inArray(shipments.state, ["shipped", "lost"])));
}

type Claimed = { id: string; orderId: string; carrier: CarrierCode; trackingNumber: string };

/** Parcels that are due, also lost ones, which may turn up after their refund; claimed from other processes. News that arrives from now on makes them due again. */
async function claim(db: Database): Promise<Claimed[]> {
  const { rows } = await db.execute<Claimed>(sql`
    UPDATE shipments SET tracked_at = now() WHERE id IN (
      SELECT id FROM shipments
      WHERE state IN ('shipped', 'lost') AND tracking_number <> ''
        AND shipped_at > now() - ${MAX_DAYS} * interval '1 day'
        AND (tracked_at IS NULL OR tracked_at < now() - ${ASK_HOURS} * interval '1 hour')
      ORDER BY tracked_at NULLS FIRST LIMIT ${CLAIMED} FOR UPDATE SKIP LOCKED)
    RETURNING id, order_id AS "orderId", carrier, tracking_number AS "trackingNumber"`);
  return rows;
}

/** True if the carriers answer. */
async function readParcel(db: Database, carrier: CarrierProvider, parcel: Claimed, report: Report): Promise<boolean> {
  try {
    const tracking = await carrier.track(parcel.carrier, parcel.trackingNumber);
    if (tracking) await recordTracking(db, parcel.orderId, parcel.id, tracking);
    return true;
  } catch (error) {
    report(error, "a parcel was not tracked", { shipmentId: parcel.id });
    // A parcel that fails otherwise waits like those without news.
    if (!(error instanceof CarrierError)) return true;
    await release(db, parcel);
    return false;
  }
}

const release = (db: Database, { id }: Claimed) =>
  db.update(shipments).set({ trackedAt: null }).where(eq(shipments.id, id));

/** Reads all parcels that are due from the carrier and records what has become of them. Ends early if it is away. */
export async function trackParcels(db: Database, carrier: CarrierProvider, report: Report): Promise<void> {
  let isAnswering = true;
  const lane = async (queue: Iterable<Claimed>) => {
    for (const parcel of queue) {
      if (isAnswering) isAnswering = await readParcel(db, carrier, parcel, report);
      else await release(db, parcel);
    }
  };
  for (let due = await claim(db); due.length > 0 && isAnswering; due = await claim(db)) {
    const queue = due.values();
    await Promise.all(Array.from({ length: AT_ONCE }, () => lane(queue)));
  }
}

/** Carries labels on whose purchase or refund has no answer yet. */
export async function finishLabels(db: Database, providers: Providers, report: Report): Promise<void> {
  await sweepQuotes(db);
  for (const { id, state } of await listDueLabels(db)) {
    await (state === "voiding" ? voidLabel(db, providers.carrier, id) : runLabel(db, providers, id)).catch(
      (error: unknown) => report(error, "a label was not finished", { labelId: id }),
    );
  }
}
