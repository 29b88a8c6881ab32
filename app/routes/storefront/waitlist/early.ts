/** Invitation links: the code moves into a cookie, and the link leads to the product, or to the shop if there are several. */
import { redirect } from "react-router";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { codeHash, isInvited, listEarlyProducts } from "#shop/waitlist/invitations.server.ts";
import { addFlashMessage, invitationCookie } from "#app/session/cookies.server.ts";
import type { Route } from "./+types/early.ts";

const CODE = /^[\w-]{43}$/;

export async function loader({ request }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get("code") ?? "";
  const headers = new Headers(NO_STORE);
  const [product, ...others] = await listEarlyProducts(db);
  if (CODE.test(code)) {
    headers.append("Set-Cookie", invitationCookie(code));
    if (product && (await isInvited(db, codeHash(code)))) addFlashMessage(headers, "invited");
  }
  return redirect(product && others.length === 0 ? `/product/${product.slug}` : "/shop", { status: 303, headers });
}
