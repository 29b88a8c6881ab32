/** Actions of the wishlist: /wishlist/add, /wishlist/remove, and /wishlist/join for a guest's. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { addToWishlist, removeFromWishlist } from "#shop/wishlist/wishlist.server.ts";
import { db } from "#platform/database.server.ts";
import { done, failed, readForm, refused, refusedSignedOut, wantsDocument } from "#app/http/form.server.ts";
import { refusedToOthers, reportError } from "#platform/log.server.ts";
import { readCustomer } from "#app/session/customer.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { Route } from "./+types/change.ts";

export { clientAction } from "#app/ui/form/client-action.ts";

const PAGE = "/account?tab=wishlist";
const MAX_AT_ONCE = 100;
const ids = z.array(z.uuid()).min(1).max(MAX_AT_ONCE);

type Change = "add" | "remove" | "join";
const signedOut: Record<Change, string> = {
  add: "You must be logged in to add items to wishlist",
  join: "You must be logged in to add items to wishlist",
  remove: "You must be logged in",
};
const messages: Record<Change, { title?: string; message?: string; failure: string }> = {
  add: {
    title: "Added to wishlist",
    message: "Product has been added to your wishlist.",
    failure: "Failed to add item to wishlist",
  },
  remove: {
    title: "Removed from wishlist",
    message: "Product has been removed from your wishlist.",
    failure: "Failed to remove item from wishlist",
  },
  join: { failure: "Failed to add item to wishlist" },
};

export const loader = () => redirect(PAGE);

/** Product ids of the form, or of the list from a guest's browser. */
function readIds(form: URLSearchParams): string[] | null {
  const kept = form.get("guestWishlist");
  if (kept === null) return ids.safeParse(form.getAll("productId")).data ?? null;
  try {
    return ids.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}

export async function action({ request, pattern }: Route.ActionArgs) {
  const change = pattern.split("/").at(-1) as Change;
  const form = await readForm(request, ["guestWishlist", "where"], ["productId"]);
  const submission = parseForm(form, z.object({}));
  const { title, message, failure } = messages[change];
  const isDocument = wantsDocument(request);
  try {
    const customer = await readCustomer(request);
    if (!customer) {
      refusedToOthers("wishlist");
      if (isDocument) {
        const query = new URLSearchParams({ redirect: PAGE });
        const [wish] = (change === "add" && readIds(form)) || [];
        if (wish) query.set("wish", wish);
        return redirect(`/auth?${query}`, { status: 303 });
      }
      return refusedSignedOut(submission, signedOut[change]);
    }
    const productIds = readIds(form);
    if (productIds) await (change === "remove" ? removeFromWishlist : addToWishlist)(db, customer.id, productIds);
    if (isDocument) return redirect(PAGE, { status: 303 });
    if (!productIds) return refused(submission, failure, { title: "Error", status: 400 });
    return done(submission, form.get("where") === "home" ? undefined : message, { title });
  } catch (error) {
    reportError(error, "a wishlist was not changed");
    return isDocument ? redirect(PAGE, { status: 303 }) : failed(submission);
  }
}
