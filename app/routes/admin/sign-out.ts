import { redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { endStaffSession } from "#shop/staff/sessions.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { readForm } from "#app/http/form.server.ts";
import { actingOf, clearStaffCookie, staffOf } from "#app/session/staff.server.ts";
import { endSessionInBrowser } from "#app/session/auth-refusal.server.ts";
import type { Route } from "./+types/sign-out.ts";

export const loader = () => redirect("/admin");

export async function action({ request, context }: Route.ActionArgs) {
  await readForm(request, []);
  await endStaffSession(db, actingOf(context), staffOf(context).id);
  const headers = { ...NO_STORE, "Set-Cookie": clearStaffCookie() };
  return endSessionInBrowser(redirect("/admin/sign-in", { status: 303, headers }));
}
