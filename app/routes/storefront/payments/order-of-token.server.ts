/** The order of a link back from paying, and the address of its page for whoever has that link. */
import { eq } from "drizzle-orm";
import { config } from "../../../config.server.ts";
import { db } from "../../../database.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { orderUrl } from "../../../../shop/orders/order-link.server.ts";
import { orders } from "../../../../shop/orders/order.tables.ts";
import { orderOfToken } from "../../../../shop/payments/page/return-link.server.ts";

type Linked = Pick<typeof orders.$inferSelect, "id" | "userId" | "linkVersion" | "status" | "holdUntil">;

/** Null where the link is not one of ours. */
export async function orderOf(request: Request): Promise<Linked | null> {
  const { secret, formerSecrets } = config();
  const id = orderOfToken(new URL(request.url).searchParams.get("token") ?? "", [secret, ...formerSecrets]);
  if (!id) return null;
  const { userId, linkVersion, status, holdUntil } = orders;
  const [found] = await db
    .select({ id: orders.id, userId, linkVersion, status, holdUntil })
    .from(orders)
    .where(eq(orders.id, id));
  return found ?? null;
}

/** A customer is signed in there; a guest has the key that is also in the order's emails. */
export const pathOf = (order: Linked): string =>
  order.userId ? `/orders/${order.id}` : orderUrl(order, { ...config(), baseUrl: "" });

export const notFound = () => new Response("There is no such order.", { status: 404, headers: NO_STORE });
