/** Parcels on their way, as the carrier or staff say. Each change happens once and has one email. */
import { eq } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { parcelNews, receiveBack as receive, sendAgain as resend } from "#shop/orders/actions/parcels.ts";
import { withOrder as decide } from "#shop/orders/run.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { orderDay, shipBy } from "#shop/shipping/methods.ts";
import { audit, DONE, resultOf, staff, withOrder, type Done, type LockedOrder } from "./locked-order.server.ts";
import { shipmentRefusal, type SHIPMENT_REFUSALS, type ShipmentAction } from "./order-actions.ts";
import { isNews, isProgress, type Progress, type Tracking } from "./shipment.ts";
import { shipments } from "./shipment.tables.ts";

export type Result<Reason extends string = never> =
  | Done
  | { ok: false; reason: "not-found" | "unknown-shipment" | keyof typeof SHIPMENT_REFUSALS | Reason };

/** Carriers give local times as UTC where they do not know the place. */
const SLACK_MS = 24 * 3_600_000;

type Parcel = LockedOrder["shipments"][number];
type Work<Reason extends string> = (
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  parcel: Parcel,
) => Promise<Result<Reason>>;

/** Runs `work` on a parcel of a locked order. */
export const withParcel = <Reason extends string = never>(
  db: Database,
  orderId: string,
  shipmentId: string,
  work: Work<Reason>,
): Promise<Result<Reason>> =>
  withOrder(db, orderId, async (order, tx): Promise<Result<Reason>> => {
    const parcel = order.shipments.find(({ id }) => id === shipmentId);
    return parcel ? work(tx, order, parcel) : { ok: false, reason: "unknown-shipment" };
  });

/**
 * Records where a parcel is, as the carrier says, or staff if `by` is a member. Its order may end with it. Late and repeated news change nothing: refused with 'not-in-transit', as is news
 * from before it shipped, of a parcel that had the number before. Other times outside its journey count as its ends.
 */
export async function recordTracking(
  db: Database,
  orderId: string,
  shipmentId: string,
  { state: next, at: told }: Tracking,
  by: Acting | null = null,
): Promise<Result> {
  if (isProgress(next)) return recordProgress(db, orderId, shipmentId, { state: next, at: told });
  const decided = await decide(
    db,
    orderId,
    (state, act) => {
      const parcel = state.facts.parcels.find(({ id }) => id === shipmentId);
      const at = parcel && timeOf(parcel, told);
      if (parcel && !at && parcel.state !== next) return notInTransit;
      return parcelNews(state, { parcelId: shipmentId, state: next, at: at ?? act.at }, act);
    },
    by ? staff(by) : { by: "carrier" },
    async (tx) => {
      if (by && next !== "delivered") await audit(tx, by, next, orderId, { after: { shipmentId } });
    },
  );
  return resultOf(decided) as Result;
}

const notInTransit = { ok: false, reason: "not-in-transit" } as const;

/** The time of news within the journey of a parcel. Null if it is from before it shipped. */
function timeOf({ shippedAt }: { shippedAt: Date | null }, told: Date): Date | null {
  const since = shippedAt?.getTime() ?? 0;
  if (told.getTime() < since - SLACK_MS) return null;
  return new Date(Math.min(Math.max(told.getTime(), since), clock.now().getTime()));
}

const recordProgress = (
  db: Database,
  orderId: string,
  shipmentId: string,
  { state, at: told }: { state: Progress; at: Date },
): Promise<Result> =>
  withParcel(db, orderId, shipmentId, async (tx, order, parcel) => {
    const at = timeOf(parcel, told);
    if (order.status !== "shipped" || !isNews(parcel, state) || !at) return notInTransit;
    await tx.update(shipments).set({ progress: state, progressAt: at }).where(eq(shipments.id, shipmentId));
    return DONE;
  });

/** Refusal of an action on a parcel. Null if it is allowed. */
export const refuses = (act: ShipmentAction, parcel: Parcel) => {
  const reason = shipmentRefusal(act, parcel);
  return reason && ({ ok: false, reason } as const);
};

/**
 * Records that a refused parcel is back, and returns its units to stock unless they are written off. Refused with
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
    await decide(
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
    await decide(
      db,
      orderId,
      (state, act) => {
        const { placedAt, shippingMethod } = state.facts.order;
        const day = shipBy(settingsAt(placedAt).shipping, shippingMethod, orderDay(act.at));
        return resend(state, { parcelId: shipmentId, shipBy: day }, act);
      },
      staff(by),
      (tx) => audit(tx, by, "send-again", orderId, { after: { shipmentId } }),
    ),
  ) as Result<"out-of-stock">;
