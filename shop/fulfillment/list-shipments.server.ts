/** The parcels of an order that are or were on their way, as its page shows them. It does not ask whose order it is. */
import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";

const { id, carrier, trackingNumber, state, shippedAt, deliveredAt } = shipments;
const shown = { id, carrier, trackingNumber, state, shippedAt, deliveredAt };

export type OrderShipment = Omit<Pick<typeof shipments.$inferSelect, keyof typeof shown>, "shippedAt"> & {
  shippedAt: Date;
  items: { orderItemId: string; quantity: number }[];
};

/** Each parcel that was handed over, the first one first, with what is in it. */
export async function listShipments(db: Database, orderId: string): Promise<OrderShipment[]> {
  const sent = and(eq(shipments.orderId, orderId), isNotNull(shipments.shippedAt));
  const [found, items] = await Promise.all([
    db.select(shown).from(shipments).where(sent).orderBy(asc(shipments.shippedAt), asc(shipments.createdAt)),
    db
      .select({
        shipmentId: shipmentItems.shipmentId,
        orderItemId: shipmentItems.orderItemId,
        quantity: shipmentItems.quantity,
      })
      .from(shipmentItems)
      .innerJoin(shipments, eq(shipments.id, shipmentItems.shipmentId))
      .where(sent),
  ]);
  return found.flatMap((shipment) => {
    const { shippedAt: at } = shipment;
    if (!at) return [];
    const inIt = items.filter(({ shipmentId }) => shipmentId === shipment.id);
    return [
      { ...shipment, shippedAt: at, items: inIt.map(({ orderItemId, quantity }) => ({ orderItemId, quantity })) },
    ];
  });
}
