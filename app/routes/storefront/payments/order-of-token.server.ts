/** The order of a payment return link, and the path of its page. */
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { getOrder, type Order } from "#shop/orders/orders.server.ts";
import { opensReturn, orderIdIn } from "#shop/payments/return-link.server.ts";

/** Null if the token is not signed by the shop, revoked or over. */
export async function orderOf(request: Request): Promise<Order | null> {
  const { secret, formerSecrets } = config();
  const token = new URL(request.url).searchParams.get("order") ?? "";
  const id = orderIdIn(token);
  const order = id && (await getOrder(db, id));
  return order && opensReturn(order, token, [secret, ...formerSecrets]) ? order : null;
}

/** A customer's page requires sign-in; a guest's has the key of the order emails. */
export const pathOf = (order: Order): string =>
  order.userId ? `/orders/${order.id}` : orderUrl(order, { ...config(), baseUrl: "" });

export const notFound = () => new Response("We couldn’t find that order.", { status: 404, headers: NO_STORE });
