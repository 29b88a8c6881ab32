import { redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { exportCustomer } from "#shop/privacy/export.server.ts";
import { requireCustomer } from "#app/session/customer.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { securityEvent } from "#platform/log.server.ts";
import { requireRecentVerification } from "#app/session/recent-verification.server.ts";
import { renewVerified } from "#app/session/recent-verification.server.ts";
import { withCookies } from "#app/session/auth-refusal.server.ts";
import type { Route } from "./+types/download.ts";

const SETTINGS = "/account?tab=settings";

export const loader = () => redirect(SETTINGS);

/** A plain form posts here, because only a document can be a download. */
export async function action({ request, context }: Route.ActionArgs) {
  const customer = await requireCustomer(request);
  const form = await readForm(request, ["username", "password", "code"]);
  const refusal = await requireRecentVerification({ request, context, customer, form });
  if (refusal) return redirect(`${SETTINGS}&download=${refusal.reason}#data`, { status: 303 });
  securityEvent("data-downloaded", { outcome: "ok", userId: customer.id });
  const today = clock.now().toISOString().slice(0, 10);
  const headers = withCookies(await renewVerified(request, context));
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.set("Content-Disposition", `attachment; filename="polara-data-${today}.json"`);
  headers.set("X-Content-Type-Options", "nosniff");
  return new Response(JSON.stringify(await exportCustomer(db, customer), null, 2), { headers });
}
