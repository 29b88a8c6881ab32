/** CSV export of the filtered orders, after a recent verification: it contains addresses. */
import { exportOrders } from "#shop/fulfillment/export-orders.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import { notFound } from "../guard.server.ts";
import { orderFilter } from "./load.server.ts";
import type { Route } from "./+types/export.ts";

export { noPage as loader } from "../guard.server.ts";

export async function action(args: Route.ActionArgs) {
  const refused = await codeRefusal(args, "/admin/orders");
  if (refused) return refused;
  const filter = await orderFilter(args.context, new URL(args.request.url).searchParams);
  if (!filter) throw notFound();
  return csvFile("orders", exportOrders(db, filter, actingOf(args.context)));
}
