import { redirect } from "react-router";
import { db } from "../../../db/connection.server.ts";
import { exportCustomer } from "../../../shop/accounts/export.server.ts";
import { requireCustomer } from "../../customer.server.ts";
import { readForm } from "../../http/form.server.ts";
import { doubtIdentity } from "../../identity.server.ts";
import type { Route } from "./+types/download.ts";

const SETTINGS = "/account?tab=settings";

export const loader = () => redirect(SETTINGS);

/** A plain form's answer, because only a document's answer becomes a file. */
export async function action({ request, context }: Route.ActionArgs) {
  const customer = await requireCustomer(request);
  const form = await readForm(request, ["username", "password"]);
  const doubt = await doubtIdentity(request, context, customer, form.get("password"));
  if (doubt) return redirect(`${SETTINGS}&download=${doubt.reason}#data`, { status: 303 });
  const today = new Date().toISOString().slice(0, 10);
  return new Response(JSON.stringify(await exportCustomer(db, customer), null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="polara-data-${today}.json"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
