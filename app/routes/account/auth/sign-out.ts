import { redirect } from "react-router";
import { getAuth } from "../../../session/auth.server.ts";
import { readSession } from "../../../session/customer.server.ts";
import { securityEvent } from "../../../http/log.server.ts";
import type { Route } from "./+types/sign-out.ts";
import { leaveNothing, seeOther } from "../../../session/verification/refusal.server.ts";

export const loader = () => redirect("/");

export async function action({ request }: Route.ActionArgs) {
  const { customer, awaitsSecondFactor } = await readSession(request);
  const userId = customer?.id ?? awaitsSecondFactor;
  const auth = await getAuth();
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  if (userId) securityEvent("sign-out", { outcome: "ok", userId });
  return leaveNothing(seeOther("/", headers));
}
