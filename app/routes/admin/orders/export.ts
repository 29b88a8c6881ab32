/** CSV export of the filtered orders, their lines or their payments, after a recent verification: it contains addresses. */
import type { Cells } from "#shop/csv-cell.ts";
import { exportLines, exportOrders } from "#shop/fulfillment/export-orders.server.ts";
import { exportPayments } from "#shop/fulfillment/export-payments.server.ts";
import type { ListedOrder, OrderFilter } from "#shop/fulfillment/order-list.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import { notFound } from "../guard.server.ts";
import { orderFilter } from "./load.server.ts";
import { paymentWordsOf, statusWordsOf } from "./order-table.tsx";
import type { Route } from "./+types/export.ts";

export { noPage as loader } from "../guard.server.ts";

const wordsOf = (order: ListedOrder) => ({
  status: statusWordsOf(order).word,
  payment: paymentWordsOf(order).word,
});

const FILES: Record<string, (filter: OrderFilter, by: Acting) => AsyncIterable<Cells>> = {
  orders: (filter, by) => exportOrders(db, filter, wordsOf, by),
  "order-lines": (filter, by) => exportLines(db, filter, wordsOf, by),
  payments: (filter, by) => exportPayments(db, filter, by),
};

export async function action(args: Route.ActionArgs) {
  const { searchParams } = new URL(args.request.url);
  const name = searchParams.get("file") ?? "orders";
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) throw notFound();
  const refused = await codeRefusal(args, "/admin/orders");
  if (refused) return refused;
  const filter = await orderFilter(args.context, searchParams);
  if (!filter) throw notFound();
  return csvFile(name, file(filter, actingOf(args.context)));
}
