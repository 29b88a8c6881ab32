/** Data export of a privacy request. */
import { redirect } from "react-router";
import { exportRequested } from "#shop/privacy/requests.server.ts";
import { db } from "#platform/database.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { actingOf, staffOf } from "#app/session/staff.server.ts";
import { codeRefusal } from "../download.server.ts";
import { requireId } from "../guard.server.ts";
import type { Route } from "./+types/file.ts";

const backTo = (id: string, problem?: string) =>
  redirect(`/admin/legal/${id}${problem ? `?export=${problem}` : ""}#export`, { status: 303 });

export const loader = ({ params }: Route.LoaderArgs) => backTo(requireId(params.requestId));

export async function action(args: Route.ActionArgs) {
  const { context } = args;
  const requestId = requireId(args.params.requestId);
  const refused = await codeRefusal(args, `/admin/legal/${requestId}`);
  if (refused) return refused;
  const exported = await exportRequested(db, actingOf(context), requestId);
  if (!exported.ok) return backTo(requestId, exported.reason);
  securityEvent("staff-exported-customer", { outcome: "ok", userId: staffOf(context).staffId });
  return new Response(JSON.stringify(exported.file, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="data-${requestId.slice(0, 8)}.json"`,
      "X-Content-Type-Options": "nosniff",
    },
  });
}
