/** Parcels on their way, as the carrier or staff say. Each change happens once and has one email. */
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { moveUnits } from "#shop/inventory/stock.server.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { shippingPolicy } from "#shop/policies.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { endOfParcels } from "./end-of-parcels.server.ts";
import { audit, DONE, mail, REPEATED, withOrder, type Done, type LockedOrder } from "./locked-order.server.ts";
import { shipmentRefusal, type SHIPMENT_REFUSALS, type ShipmentAction } from "./order-actions.ts";
import { isNews, isProgress, type Tracking } from "./shipment.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";
import { updateRest } from "./ship.server.ts";

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
export const recordTracking = (
  db: Database,
  orderId: string,
  shipmentId: string,
  { state, at: told }: Tracking,
  by: Acting | null = null,
): Promise<Result> =>
  withParcel(db, orderId, shipmentId, async (tx, order, parcel) => {
    if (parcel.state === state) return REPEATED;
    if (order.status !== "shipped" || !isNews(parcel, state)) return { ok: false, reason: "not-in-transit" };
    const shippedAt = parcel.shippedAt?.getTime() ?? 0;
    if (told.getTime() < shippedAt - SLACK_MS) return { ok: false, reason: "not-in-transit" };
    const at = new Date(Math.min(Math.max(told.getTime(), shippedAt), clock.now().getTime()));
    const change = isProgress(state)
      ? { progress: state, progressAt: at }
      : { state, ...(state === "delivered" ? { deliveredAt: at } : { progressAt: at }) };
    await tx.update(shipments).set(change).where(eq(shipments.id, shipmentId));
    if (isProgress(state)) return DONE;
    const actor = by ? ("staff" as const) : ("carrier" as const);
    if (by) await audit(tx, by, state, orderId, { after: { shipmentId } });
    if (state === "delivered") {
      if (!(await endOfParcels(tx, orderId, { shipmentId })))
        await noteOrder(tx, orderId, "parcel-delivered", "carrier", { shipmentId });
      return DONE;
    }
    const isRefused = state === "refused";
    await noteOrder(tx, orderId, isRefused ? "parcel-refused" : "parcel-lost", actor, { shipmentId }, by?.staffId);
    await mail(tx, { template: isRefused ? "parcel-refused" : "parcel-lost", orderId, shipmentId });
    await endOfParcels(tx, orderId);
    return DONE;
  });

/** Refusal of an action on a parcel. Null if it is allowed. */
export const refuses = (act: ShipmentAction, parcel: Parcel) => {
  const reason = shipmentRefusal(act, parcel);
  return reason && ({ ok: false, reason } as const);
};

async function unitsIn(tx: DatabaseOrTransaction, { lines }: LockedOrder, shipmentId: string) {
  const items = await tx.select().from(shipmentItems).where(eq(shipmentItems.shipmentId, shipmentId));
  return items.flatMap(({ orderItemId, quantity }) => {
    const line = lines.find(({ id }) => id === orderItemId);
    return line ? [{ productId: line.productId, quantity }] : [];
  });
}

/**
 * Records that a refused parcel is back, and returns its units to stock unless they are written off. Refused with
 * 'not-refused'.
 */
export const receiveBack = (
  db: Database,
  orderId: string,
  shipmentId: string,
  { returnsStock }: { returnsStock: boolean },
  by: Acting | null,
): Promise<Result> =>
  withParcel(db, orderId, shipmentId, async (tx, order, parcel) => {
    if (parcel.returnedAt) return REPEATED;
    const refusal = refuses("returned", parcel);
    if (refusal) return refusal;
    await tx
      .update(shipments)
      .set({ returnedAt: sql`now()` })
      .where(eq(shipments.id, shipmentId));
    if (returnsStock) await moveUnits(tx, await unitsIn(tx, order, shipmentId), "returned", by);
    await noteOrder(tx, orderId, "parcel-returned", "staff", { shipmentId, returnsStock }, by?.staffId);
    await audit(tx, by, "returned", orderId, { after: { shipmentId, returnsStock } });
    await endOfParcels(tx, orderId);
    return DONE;
  });

/** Days of a locked order of which everything had shipped; a question about a former delay is over. */
const startAnew = (tx: DatabaseOrTransaction, { id, createdAt, shippingMethod }: LockedOrder) =>
  tx
    .update(orders)
    .set({
      promisedOn: sql`greatest(promised_on, ${today} + ${shippingPolicy.shipWithinDays}::int)`,
      shipBy: sql`greatest(ship_by, ${shipBy(settingsAt(createdAt).shipping, shippingMethod, newYorkDay(clock.now()))}::date)`,
      isDayUnknown: false,
      delayAnswerBy: null,
    })
    .where(eq(orders.id, id));

/**
 * Has the units of a lost parcel, or of a refused one that is back, ship again, without another charge: they leave the
 * stock and are the rest of the order. A rest that waited before keeps its days and an open question, which then cover
 * these units too. Refusals: 'not-lost', 'refunded', 'out-of-stock'.
 */
export const sendAgain = (
  db: Database,
  orderId: string,
  shipmentId: string,
  by: Acting | null,
): Promise<Result<"out-of-stock">> =>
  withParcel<"out-of-stock">(db, orderId, shipmentId, async (tx, order, parcel) => {
    if (parcel.resentAt) return REPEATED;
    const refusal = refuses("send-again", parcel);
    if (refusal) return refusal;
    if (!(await moveUnits(tx, await unitsIn(tx, order, shipmentId), "resent", by)))
      return { ok: false, reason: "out-of-stock" };
    await tx
      .update(shipments)
      .set({ resentAt: sql`now()` })
      .where(eq(shipments.id, shipmentId));
    const startsAnew = !order.restToShip;
    if (startsAnew) await startAnew(tx, order);
    await updateRest(tx, orderId);
    await noteOrder(tx, orderId, "parcel-resent", "staff", { shipmentId, startsAnew }, by?.staffId);
    await audit(tx, by, "send-again", orderId, { after: { shipmentId } });
    return DONE;
  });
