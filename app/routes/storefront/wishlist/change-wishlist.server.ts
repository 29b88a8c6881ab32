import { data, redirect } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { type Database } from "../../../../db/connection.server.ts";
import { readCustomer } from "../../../session/customer.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { refusedToOthers, reportError } from "../../../http/log.server.ts";
import { WISHLIST_FAILURES, type WishlistActionResult } from "./action-result.ts";

const PAGE = "/account?tab=wishlist";
const MAX_AT_ONCE = 100;
const ids = z.array(z.uuid()).min(1).max(MAX_AT_ONCE);

/** The products a form names: in its fields, or, from the browser's own keeping, as a list. */
function readIds(form: URLSearchParams): string[] | null {
  const kept = form.get("guestWishlist");
  if (kept === null) return ids.safeParse(form.getAll("productId")).data ?? null;
  try {
    return ids.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}

/** One write to the wishlist: the form names the products, the session whose list it is. */
export async function changeWishlist(
  request: Request,
  kind: keyof typeof WISHLIST_FAILURES,
  change: (db: Database, customerId: string, productIds: string[]) => Promise<void>,
) {
  const wantsDocument = request.headers.get("Accept")?.includes("text/html") ?? false;
  const words = WISHLIST_FAILURES[kind];
  const respond = (body: WishlistActionResult, status: number) => {
    if (!wantsDocument) return data(body, { status });
    return redirect(status === 401 ? `/auth?redirect=${encodeURIComponent(PAGE)}` : PAGE, { status: 303 });
  };
  // `where` is for the page that sent it (tell.ts).
  const form = await readForm(request, ["guestWishlist", "where"], ["productId"]);
  try {
    const customer = await readCustomer(request);
    if (!customer) {
      refusedToOthers("wishlist");
      return respond({ ok: false, message: words.signedOut }, 401);
    }
    const productIds = readIds(form);
    if (!productIds) return respond({ ok: false, message: words.failed }, 400);
    await change(db, customer.id, productIds);
    return respond({ ok: true }, 200);
  } catch (error) {
    reportError(error, "a wishlist was not changed");
    return respond({ ok: false, message: words.failed }, 503);
  }
}
