/** Random moves of parcels, and orders at no charge, each asked for twice at once. */
import { randomInt as random, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { receiveBack, recordTracking, sendAgain } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { give, orderByHand } from "./by-hand.ts";

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
  const email = `traffic-gift-${randomUUID()}@example.com`;
  const gift = await orderByHand(pool, { units: { [slug]: 1 + random(3) }, email });
  await Promise.all([1, 2].map(() => give(db, gift, by)));
}
