/** CSV export of the filtered orders, after a recent verification: it contains addresses. */
import { redirect } from "react-router";
import { exportOrders } from "#shop/fulfillment/export-orders.server.ts";
import { db } from "#platform/database.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { actingOf, CODE_FIELD, requireFreshStaff } from "#app/session/staff.server.ts";
import { csvFile } from "../csv.server.ts";
import { notFound } from "../guard.server.ts";
import { orderFilter } from "./load.server.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => {
  throw notFound();
};

export async function action({ request, context }: Route.ActionArgs) {
  const { searchParams } = new URL(request.url);
  const form = await readForm(request, [CODE_FIELD]);
  const problem = await requireFreshStaff(context, form.get(CODE_FIELD));
  const filter = await orderFilter(context, searchParams);
  if (filter && !problem) return csvFile("orders", exportOrders(db, filter, actingOf(context)));
  searchParams.set("export", "code");
  searchParams.delete("intent");
  return redirect(`/admin/orders?${searchParams}#export`, 303);
}
