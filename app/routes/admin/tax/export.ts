/** CSV export of sales and tax by state, after a recent verification. */
import { exportTax } from "#shop/tax/sales-by-state.server.ts";
import { db } from "#platform/database.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { codeRefusal, csvFile } from "../download.server.ts";
import { readPeriod } from "./period.ts";
import type { Route } from "./+types/export.ts";

export { noPage as loader } from "../guard.server.ts";

export async function action(args: Route.ActionArgs) {
  const refused = await codeRefusal(args, "/admin/tax");
  if (refused) return refused;
  const period = readPeriod(new URL(args.request.url).searchParams);
  return csvFile("tax", exportTax(db, period, actingOf(args.context)));
}
