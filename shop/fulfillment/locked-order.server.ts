/** An order as it stands while nobody else can change it: whoever ships, cancels or delays reads it here first. */
import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import { unitsKept, type Amounts } from "../orders/charge.ts";
import type { OrderStatus } from "../orders/lifecycle.ts";
import { orderItems, orders } from "../orders/order.tables.ts";
import { shipmentItems, shipments } from "./shipment.tables.ts";

export type Line = {
  id: string;
  productId: string;
  name: string;
  priceCents: number;
  quantity: number;
  canceledQuantity: number;
  /** Neither canceled nor in a parcel. */
  unitsLeft: number;
};
export type Shipment = typeof shipments.$inferSelect;
export type LockedOrder = Amounts & {
  id: string;
  status: OrderStatus;
  shipsBy: string | null;
  onHoldSince: Date | null;
  lines: Line[];
  shipments: Shipment[];
};

/** Locks an order until the transaction ends. Null where there is none. */
export const lockOrder = (tx: DatabaseOrTransaction, orderId: string): Promise<LockedOrder | null> =>
  readOrder(tx, orderId, { locks: true });

/** The same, as it is in this moment where it does not lock. */
export async function readOrder(
  tx: DatabaseOrTransaction,
  orderId: string,
  { locks = false } = {},
): Promise<LockedOrder | null> {
  const asked = tx
    .select({
      id: orders.id,
      status: orders.status,
      shipsBy: orders.shipsBy,
      onHoldSince: orders.onHoldSince,
      subtotalCents: orders.subtotalCents,
      shippingCents: orders.shippingCents,
      taxCents: orders.taxCents,
      totalCents: orders.totalCents,
    })
    .from(orders)
    .where(eq(orders.id, orderId));
  const [order] = await (locks ? asked.for("update") : asked);
  if (!order) return null;
  const lines = await tx
    .select({
      id: orderItems.id,
      productId: orderItems.productId,
      name: orderItems.name,
      priceCents: orderItems.priceCents,
      quantity: orderItems.quantity,
      canceledQuantity: orderItems.canceledQuantity,
    })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.name), asc(orderItems.id));
  const packed = await tx
    .select({ lineId: shipmentItems.orderItemId, units: sql<number>`sum(${shipmentItems.quantity})::int` })
    .from(shipmentItems)
    .innerJoin(shipments, eq(shipments.id, shipmentItems.shipmentId))
    .where(and(eq(shipments.orderId, orderId), ne(shipments.state, "failed")))
    .groupBy(shipmentItems.orderItemId);
  const sent = new Map(packed.map(({ lineId, units }) => [lineId, units]));
  return {
    ...order,
    lines: lines.map((line) => ({ ...line, unitsLeft: unitsKept(line) - (sent.get(line.id) ?? 0) })),
    shipments: await tx
      .select()
      .from(shipments)
      .where(eq(shipments.orderId, orderId))
      .orderBy(asc(shipments.createdAt), asc(shipments.id)),
  };
}

type NotFound = { ok: false; reason: "not-found" };

/** Does something with an order while nobody else can change it. */
export const withOrder = <Found>(
  db: Database,
  orderId: string,
  act: (order: LockedOrder, tx: DatabaseOrTransaction) => Promise<Found>,
): Promise<Found | NotFound> =>
  db.transaction(async (tx): Promise<Found | NotFound> => {
    const order = await lockOrder(tx, orderId);
    return order ? act(order, tx) : { ok: false, reason: "not-found" };
  });

/** The parcel that waits for the money, if there is one: until that is known the order stays as it is. */
export const waitingShipment = ({ shipments: all }: LockedOrder): Shipment | undefined =>
  all.find(({ state }) => state === "capturing");
