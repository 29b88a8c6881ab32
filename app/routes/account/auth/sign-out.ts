import { redirect } from "react-router";
import { getAuth } from "#app/session/auth.server.ts";
import { readSession } from "#app/session/customer.server.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import { securityEvent } from "#platform/log.server.ts";
import type { Route } from "./+types/sign-out.ts";
import { endSessionInBrowser, seeOther } from "#app/session/auth-refusal.server.ts";

export const loader = () => redirect("/");

export async function action({ request }: Route.ActionArgs) {
  const { customer, awaitsSecondFactor } = await readSession(request);
  const userId = customer?.id ?? awaitsSecondFactor;
  const auth = await getAuth();
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  if (userId) securityEvent("sign-out", { outcome: "ok", userId });
  const target = redirectTarget(new URL(request.url).searchParams.get("redirect"));
  return endSessionInBrowser(seeOther(target, headers));
}
