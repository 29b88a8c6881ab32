/** The data of whoever asked for it, as a file. A plain form's answer, because only a document's answer becomes a file. */
import { data, redirect } from "react-router";
import { db } from "../../../database.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { securityEvent } from "../../../http/log.server.ts";
import { actingOf, requireFreshStaff, staffOf } from "../../../session/staff.server.ts";
import { readAct } from "../act.server.ts";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/file.ts";

const backTo = (id: string, problem?: string) =>
  redirect(`/admin/privacy/${id}${problem ? `?file=${problem}` : ""}#file`, { status: 303 });

export function loader({ params: { requestId } }: Route.LoaderArgs) {
  if (!isId(requestId)) throw data(null, { status: 404 });
  return backTo(requestId);
}

export async function action({ request, context, params: { requestId } }: Route.ActionArgs) {
  if (!isId(requestId)) throw data(null, { status: 404 });
  const { form } = await readAct(request, []);
  if (await requireFreshStaff(context, form.get("code"))) return backTo(requestId, "code");
  const { exportRequested } = await import("../../../../shop/privacy/fulfill-request.server.ts");
  const exported = await exportRequested(db, actingOf(context), requestId);
  if (!exported.ok) return backTo(requestId, exported.reason);
  securityEvent("staff-exported-customer", { outcome: "ok", userId: staffOf(context).staffId });
  return new Response(JSON.stringify(exported.file, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="data-${requestId.slice(0, 8)}.json"`,
      "X-Content-Type-Options": "nosniff",
      ...NO_STORE,
    },
  });
}
