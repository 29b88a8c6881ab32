/** The end of a shipped order: with its last parcel, or once what did not arrive is lost or back, and refunded. */
import { sql } from "drizzle-orm";
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { statusAfter } from "#shop/orders/lifecycle.ts";
import { changeStatus } from "#shop/orders/order-events.server.ts";
import { lockOrder, mail, type LockedOrder } from "./locked-order.server.ts";

type Parcel = LockedOrder["shipments"][number];

const isSettled = ({ state, returnedAt, wasRefunded }: Parcel): boolean =>
  wasRefunded && (state === "lost" || returnedAt !== null);

/**
 * Ends an order of whose parcels none is on its way and nothing is left to ship: as delivered if any arrived, which opens
 * the return period; else as canceled, once everything that was charged is refunded. False if it goes on.
 */
export async function endOfParcels(
  tx: DatabaseOrTransaction,
  orderId: string,
  news: { shipmentId: string } | null = null,
): Promise<boolean> {
  const order = await lockOrder(tx, orderId);
  if (order?.status !== statusAfter("shipped") || order.lines.some(({ unitsLeft }) => unitsLeft > 0)) return false;
  const parcels = order.shipments.filter(({ state, resentAt }) => state !== "failed" && !resentAt);
  if (!parcels.every((parcel) => parcel.state === "delivered" || isSettled(parcel))) return false;
  const arrivals = parcels.flatMap(({ deliveredAt }) => deliveredAt?.getTime() ?? []);
  if (arrivals.length === 0) {
    if (await isOwed(tx, orderId)) return false;
    await changeStatus(tx, orderId, "undelivered", "system", { also: sql`rest_to_ship = false` });
    return true;
  }
  const at = new Date(Math.max(...arrivals));
  await changeStatus(tx, orderId, "delivered", news ? "carrier" : "system", {
    also: sql`delivered_at = ${at.toISOString()}::timestamptz, rest_to_ship = false`,
    ...(news && { data: { shipmentId: news.shipmentId } }),
  });
  await mail(tx, { template: "order-delivered", orderId });
  return true;
}

/** True if a charge of the order is not refunded in full. */
async function isOwed(tx: DatabaseOrTransaction, orderId: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`SELECT FROM payments WHERE order_id = ${orderId}::uuid GROUP BY order_id HAVING sum(captured) > sum(refunded)`,
  );
  return rows.length > 0;
}
