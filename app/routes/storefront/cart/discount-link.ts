/** Links with a discount code: the code moves into a cookie, and counts in the cart. */
import { redirect } from "react-router";
import { addFlashMessage, discountCookie } from "#app/session/cookies.server.ts";
import { redirectTarget } from "#app/session/redirect-target.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { readCode } from "#shop/discounts/discount.ts";
import { findDiscount } from "#shop/discounts/discounts.server.ts";
import type { Route } from "./+types/discount-link.ts";

export async function loader({ request, params }: Route.LoaderArgs) {
  const headers = new Headers(NO_STORE);
  const code = readCode(params.code);
  if (code) {
    headers.append("Set-Cookie", discountCookie(code));
    const { problem } = await findDiscount(db, { lines: [], code, shippingCents: 0, owner: null });
    addFlashMessage(headers, problem ? "code-over" : "code-kept");
  }
  const to = new URL(request.url).searchParams.get("to");
  return redirect(to ? redirectTarget(to) : "/shop", { status: 303, headers });
}
