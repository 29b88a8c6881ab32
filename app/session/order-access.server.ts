/**
 * Who may see an order: the customer in whose account it is, the guest in whose browser it was placed until that is
 * closed, and whoever has the link of its emails. The link's key moves to a cookie for that one order.
 */
import { redirect } from "react-router";
import { parse, serialize } from "hono/utils/cookie";
import { z } from "zod";
import { db } from "../database.server.ts";
import { config } from "../config.server.ts";
import { isHttps } from "../../shop/accounts/sessions/cookie.ts";
import { opensOrder } from "../../shop/orders/order-link.server.ts";
import { getOrder } from "../../shop/orders/order-view.server.ts";
import type { Order } from "../../shop/orders/orders.server.ts";
import { NO_STORE } from "../http/cache-headers.ts";
import { readCustomer } from "./customer.server.ts";
import { guestIdOf, hasOrderedHere } from "./guest.server.ts";

const { baseUrl, secret, formerSecrets } = config();

/** Browsers take a name that begins with __Host- for the whole site only. */
const COOKIE = `${isHttps(baseUrl) ? "__Secure-" : ""}polara_order`;

const idSchema = z.uuid();

export type OrderAccess = {
  order: Order;
  /** It is in the account of who is signed in: they see all that they typed. */
  isOwner: boolean;
};

/** Null where there is no such order, and where it is nobody's any more, because its customer deleted the account. */
async function read(orderId: string | undefined): Promise<Order | null> {
  const id = idSchema.safeParse(orderId).data;
  const order = id ? await getOrder(db, id) : null;
  return order?.email ? order : null;
}

const opens = (order: Order, key: string) => opensOrder(order, key, [secret, ...formerSecrets]);

/** The order of an address, for who may see it; else null, whatever the reason is. */
export async function findOrderFor(request: Request, orderId: string | undefined): Promise<OrderAccess | null> {
  const order = await read(orderId);
  if (!order) return null;
  const customer = order.userId === null ? null : await readCustomer(request);
  if (customer && customer.id === order.userId) return { order, isOwner: true };
  if (opens(order, parse(request.headers.get("Cookie") ?? "", COOKIE)[COOKIE] ?? "")) return { order, isOwner: false };
  const guestId = order.sessionId && guestIdOf(request.headers);
  const isHere = guestId && guestId === order.sessionId && hasOrderedHere(request.headers, guestId);
  return isHere ? { order, isOwner: false } : null;
}

/** Takes a mailed key out of the address, into a cookie. Null where it does not open the order. */
export async function moveKey(orderId: string | undefined, key: string, to: string): Promise<Response | null> {
  const order = await read(orderId);
  if (!order || !opens(order, key)) return null;
  const response = redirect(to, { status: 303, headers: NO_STORE });
  const options = { httpOnly: true, sameSite: "Lax", secure: isHttps(baseUrl) } as const;
  // The page's script asks for its data beside it.
  for (const path of [`/orders/${order.id}`, `/orders/${order.id}.data`]) {
    response.headers.append("Set-Cookie", serialize(COOKIE, key, { ...options, path }));
  }
  return response;
}
