/** Random moves of parcels, and orders at no charge, each asked for twice at once. */
import { randomInt as random, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { receiveBack, recordTracking, sendAgain } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { sendAtNoCharge } from "#shop/fulfillment/shop-order.server.ts";
import { policy } from "#shop/policies.ts";

type Shop = { db: Database; pool: Pool };

const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

/** A parcel of an order arrives, is lost or refused, comes back or is sent again. */
export async function moveParcel({ db, pool }: Shop, orderId: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM shipments WHERE order_id = $1", [orderId]);
  if (rows.length === 0) return;
  const parcel = pick(rows).id;
  const state = pick(["in-transit", "delivered", "refused", "lost", "lost"] as const);
  const move = pick([
    () => recordTracking(db, orderId, parcel, { state, at: new Date() }),
    () => receiveBack(db, orderId, parcel, { returnsStock: random(2) === 0 }, null),
    () => sendAgain(db, orderId, parcel, null),
  ]);
  await Promise.all([move(), move()]);
}

export async function sendGift({ db, pool }: Shop, slug: string, by: Acting): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]);
  const gift = {
    formKey: randomUUID(),
    fromOrderId: null,
    reason: "gift",
    units: { [rows[0]!.id]: 1 + random(3) },
    recipient: {
      email: `traffic-gift-${randomUUID()}@example.com`,
      phone: "",
      termsVersion: policy.effectiveDate,
      shippingFirstName: "Ada",
      shippingLastName: "Lovelace",
      shippingAddressLine1: "12 Analytical Ave",
      shippingCity: "New York",
      shippingState: "NY",
      shippingPostalCode: "10001",
    },
  } as const;
  await Promise.all([1, 2].map(() => sendAtNoCharge(db, gift, by)));
}
