/** Invitation links: the code moves into a cookie. */
import { redirect } from "react-router";
import { NO_STORE } from "#platform/cache-headers.ts";
import { invitationCookie } from "#app/session/cookies.server.ts";
import type { Route } from "./+types/early.ts";

const CODE = /^[\w-]{43}$/;

export function loader({ request }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get("code") ?? "";
  const headers = new Headers({ ...NO_STORE, "Referrer-Policy": "no-referrer" });
  if (CODE.test(code)) headers.append("Set-Cookie", invitationCookie(code));
  return redirect("/shop", { status: 303, headers });
}
