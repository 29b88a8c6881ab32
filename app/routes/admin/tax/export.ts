/** CSV export of sales and tax by state, after a recent verification. */
import { redirect } from "react-router";
import { exportTax } from "#shop/tax/sales-by-state.server.ts";
import { db } from "#platform/database.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { actingOf, CODE_FIELD, requireFreshStaff } from "#app/session/staff.server.ts";
import { csvFile } from "../csv.server.ts";
import { notFound } from "../guard.server.ts";
import { readPeriod } from "./period.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => {
  throw notFound();
};

export async function action({ request, context }: Route.ActionArgs) {
  const { searchParams } = new URL(request.url);
  const form = await readForm(request, [CODE_FIELD]);
  if (await requireFreshStaff(context, form.get(CODE_FIELD))) {
    searchParams.set("export", "code");
    searchParams.delete("intent");
    return redirect(`/admin/tax?${searchParams}#export`, 303);
  }
  return csvFile("tax", exportTax(db, readPeriod(searchParams), actingOf(context)));
}
