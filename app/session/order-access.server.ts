/** Order access for its customer, the guest in the same browser session, and the holder of its emailed link. */
import { redirect } from "react-router";
import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { config } from "#platform/config.server.ts";
import { opensOrder } from "#shop/orders/order-link.server.ts";
import { getOrder } from "#shop/orders/orders.server.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { policy } from "#shop/policies.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { guestIdOf, hasOrderedHere, ownCookie } from "./cookies.server.ts";
import { readCustomer } from "./customer.server.ts";

const { secret, formerSecrets } = config();

const cookie = ownCookie("polara_order", "path");

const idSchema = z.uuid();

export type OrderAccess = {
  order: Order;
  /** True for the signed-in customer of the order. */
  isOwner: boolean;
  /** Name, address and email are shown, and not masked. */
  isInFull: boolean;
};

const MINUTE_MS = 60_000;

/** Null if the order is unknown, or anonymous because its customer deleted the account. */
async function read(orderId: string | undefined): Promise<Order | null> {
  const id = idSchema.safeParse(orderId).data;
  const order = id ? await getOrder(db, id) : null;
  return order?.email ? order : null;
}

const opens = (order: Order, key: string) => opensOrder(order, key, [secret, ...formerSecrets]);

/** Null if the order is unknown or the visitor may not see it. */
export async function findOrderFor(request: Request, orderId: string | undefined): Promise<OrderAccess | null> {
  const order = await read(orderId);
  if (!order) return null;
  const customer = order.userId === null ? null : await readCustomer(request);
  if (customer && customer.id === order.userId) return { order, isOwner: true, isInFull: true };
  const guestId = guestIdOf(request.headers);
  const isHere = guestId !== null && guestId === order.sessionId && hasOrderedHere(request.headers, guestId);
  const isInFull = isHere && clock.now().getTime() < order.createdAt.getTime() + policy.orderInFullMinutes * MINUTE_MS;
  return isHere || opens(order, cookie.read(request.headers)) ? { order, isOwner: false, isInFull } : null;
}

/** The order that an emailed key opens, for a browser that has not kept the cookie of moveKey. */
export async function orderOfKey(orderId: string | undefined, key: string): Promise<OrderAccess | null> {
  const order = await read(orderId);
  return order && opens(order, key) ? { order, isOwner: false, isInFull: false } : null;
}

/** Puts an emailed key into a cookie and leads on. Null if it does not open the order. */
export async function moveKey(orderId: string | undefined, key: string, to: string): Promise<Response | null> {
  const order = await read(orderId);
  if (!order || !opens(order, key)) return null;
  const response = redirect(to, { status: 303, headers: NO_STORE });
  for (const path of [`/orders/${order.id}`, `/orders/${order.id}.data`]) {
    response.headers.append("Set-Cookie", cookie.set(key, undefined, path));
  }
  return response;
}
