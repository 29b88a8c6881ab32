import { redirect } from "react-router";
import { getAuth } from "../../auth.server.ts";
import type { Route } from "./+types/sign-out.ts";
import { leaveNothing, seeOther } from "./refusal.server.ts";

export const loader = () => redirect("/");

export async function action({ request }: Route.ActionArgs) {
  const auth = await getAuth();
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  return leaveNothing(seeOther("/", headers));
}
