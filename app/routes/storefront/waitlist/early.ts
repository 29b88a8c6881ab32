/** The link of an invitation: it keeps the code in this browser, and leads to what it opens. */
import { redirect } from "react-router";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { keepInvitation } from "../../../session/invitation.server.ts";
import type { Route } from "./+types/early.ts";

const CODE = /^[\w-]{43}$/;

export function loader({ request }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get("code") ?? "";
  const headers = new Headers({ ...NO_STORE, "Referrer-Policy": "no-referrer" });
  if (CODE.test(code)) headers.append("Set-Cookie", keepInvitation(code));
  return redirect("/shop", { status: 303, headers });
}
