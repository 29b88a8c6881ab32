/** Packing slips, and units still to ship. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { shipsLater } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { readStates } from "#shop/orders/facts.server.ts";
import { byLine } from "#shop/orders/lines.ts";
import { addressLines, isEnded } from "#shop/orders/order.ts";
import { waits } from "#shop/orders/situation.ts";
import { isUnpaid, isUnsent } from "#shop/orders/stage.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { fastMethod } from "#shop/shipping/methods.ts";
import { stockLeft } from "#shop/orders/units.sql.ts";

type Slip = {
  id: string;
  orderId: string;
  placedAt: Date;
  /** Its name when the order was placed. */
  methodName: string;
  isFast: boolean;
  address: string[];
  giftMessage: string | null;
  /** Why nothing of it is packed. */
  stop: "on-hold" | "canceled" | null;
  /** The parcel has a label to print. */
  hasLabel: boolean;
  lines: {
    name: string;
    units: number;
    /** The day, YYYY-MM-DD, before which a pre-ordered line of an order does not ship; null if it may. */
    shipsFrom: string | null;
  }[];
};

/** Packing slips of orders, with the units that are to be sent, or of single parcels. */
export async function listSlips(db: Database, ids: string[]): Promise<Slip[]> {
  const { rows } = await db.execute<Pick<Slip, "id" | "orderId" | "giftMessage" | "hasLabel">>(sql`
    SELECT asked.id, orders.id AS "orderId", gift_message AS "giftMessage", coalesce(labels.state = 'used', false) AS "hasLabel"
    FROM unnest(${`{${ids.join(",")}}`}::uuid[]) WITH ORDINALITY AS asked (id, place)
      LEFT JOIN shipments AS parcel ON parcel.id = asked.id LEFT JOIN labels ON labels.id = parcel.label_id
      JOIN orders ON orders.id = coalesce(parcel.order_id, asked.id)
    ORDER BY place`);
  const states = await readStates(
    db,
    rows.map(({ orderId }) => orderId),
  );
  return rows.map((row) => {
    const state = states.get(row.orderId)!;
    const { placedAt, shippingMethod, onHoldSince, ...order } = state.facts.order;
    const parcel = state.parcels.find(({ id }) => id === row.id);
    const methodName = settingsAt(placedAt).shipping[shippingMethod].name;
    return {
      ...row,
      placedAt,
      methodName,
      isFast: fastMethod(shippingMethod, methodName) !== null,
      address: addressLines(order),
      stop: isEnded(state) ? "canceled" : onHoldSince ? "on-hold" : null,
      lines: byLine(state, parcel?.units ?? state.units.filter(waits)).map(({ line, units }) => ({
        name: line.name,
        units,
        shipsFrom: !parcel && shipsLater(line, clock.now()) ? line.shipsFrom : null,
      })),
    };
  });
}

/** SELECT of the committed units of a product: sold or set aside but not shipped, so still on the shelf. */
export const unsentUnits = (productId: string): SQL => sql`
  SELECT coalesce(sum(${stockLeft}), 0) + (SELECT count(*) FROM order_units AS unit JOIN order_items ON order_items.id = order_item_id
    WHERE unit.reserved AND unit.canceled_at IS NULL AND product_id = ${productId}::uuid)
  FROM orders JOIN order_items AS line ON line.order_id = orders.id
  WHERE (${isUnpaid} OR ${isUnsent}) AND line.product_id = ${productId}::uuid`;

export async function countUnsent(db: Database, productId: string): Promise<number> {
  const { rows } = await db.execute<{ units: number }>(sql`SELECT (${unsentUnits(productId)})::int AS units`);
  return rows[0]?.units ?? 0;
}
