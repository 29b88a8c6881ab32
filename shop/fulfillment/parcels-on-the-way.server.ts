/** Parcels on their way, as the carrier or staff say. Each change happens once and has one email. */
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { writeOff as settle } from "#shop/orders/actions/cancel.ts";
import {
  parcelNews,
  parcelProgress,
  receiveBack as receive,
  sendAgain as resend,
} from "#shop/orders/actions/parcels.ts";
import { refused } from "#shop/orders/change.ts";
import type { LineReason } from "#shop/orders/reasons.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { audit, resultOf, staff, type Done } from "./locked-order.server.ts";
import type { SHIPMENT_REFUSALS } from "./order-actions.ts";
import { isProgress, type Tracking } from "./shipment.ts";

export type Result<Reason extends string = never> =
  | Done
  | { ok: false; reason: "not-found" | "unknown-shipment" | keyof typeof SHIPMENT_REFUSALS | Reason };

/** Carriers give local times as UTC where they do not know the place. */
const SLACK_MS = 24 * 3_600_000;

/**
 * Records where a parcel is, as the carrier says, or staff if `by` is a member. Its order may end with it. Late and repeated news change nothing: refused with 'not-in-transit', as is news
 * from before it shipped, of a parcel that had the number before. Other times outside its journey count as its ends.
 */
export async function recordTracking(
  db: Database,
  orderId: string,
  parcelId: string,
  { state: next, at: told }: Tracking,
  by: Acting | null = null,
): Promise<Result> {
  const decided = await withOrder(
    db,
    orderId,
    (state, act) => {
      const parcel = state.parcels.find(({ id }) => id === parcelId);
      const at = parcel && timeOf(parcel, told);
      if (parcel && !at && parcel.state !== next) return refused("not-in-transit");
      return isProgress(next)
        ? parcelProgress(state, { parcelId, progress: next, at: at ?? act.at })
        : parcelNews(state, { parcelId, state: next, at: at ?? act.at }, act);
    },
    by ? staff(by) : { by: "carrier" },
    async (tx) => {
      if (by && !isProgress(next)) await audit(tx, by, next, orderId, { after: { shipmentId: parcelId } });
    },
  );
  return resultOf(decided) as Result;
}

/** The time of news within the journey of a parcel. Null if it is from before it shipped. */
function timeOf({ shippedAt }: { shippedAt: Date | null }, told: Date): Date | null {
  const since = shippedAt?.getTime() ?? 0;
  if (told.getTime() < since - SLACK_MS) return null;
  return new Date(Math.min(Math.max(told.getTime(), since), clock.now().getTime()));
}

/**
 * Records that a refused or lost parcel is back, and returns its units to stock unless they are written off. Refused with
 * 'not-refused'.
 */
export const receiveBack = async (
  db: Database,
  orderId: string,
  shipmentId: string,
  { returnsStock }: { returnsStock: boolean },
  by: Acting | null,
): Promise<Result> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => receive(state, { parcelId: shipmentId, restocks: returnsStock }, act),
      staff(by),
      (tx) => audit(tx, by, "returned", orderId, { after: { shipmentId, returnsStock } }),
    ),
  ) as Result;

/**
 * Has the units of a lost parcel, or of a refused one that is back, ship again, without another charge: they leave the
 * stock and are the rest of the order. A rest that waited before keeps its days and an open question, which then cover
 * these units too. Refusals: 'not-lost', 'refunded', 'out-of-stock'.
 */
export const sendAgain = async (
  db: Database,
  orderId: string,
  shipmentId: string,
  by: Acting | null,
): Promise<Result<"out-of-stock">> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => {
        const day = act.shipBy(state.facts.order);
        return resend(state, { parcelId: shipmentId, shipBy: day }, act);
      },
      staff(by),
      (tx) => audit(tx, by, "send-again", orderId, { after: { shipmentId } }),
    ),
  ) as Result<"out-of-stock">;

/**
 * Writes off what cost nothing of a parcel that is lost or back, with a reason for the customer. Refusals: 'not-lost',
 * 'paid-for'.
 */
export const writeOff = async (
  db: Database,
  orderId: string,
  { shipmentId, reason }: { shipmentId: string; reason: LineReason },
  by: Acting | null,
): Promise<Result> =>
  resultOf(
    await withOrder(
      db,
      orderId,
      (state, act) => settle(state, { parcelId: shipmentId, reason }, act),
      staff(by),
      (tx) => audit(tx, by, "write-off", orderId, { after: { shipmentId } }),
    ),
  ) as Result;
