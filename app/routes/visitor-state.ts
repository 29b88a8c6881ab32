import { data } from "react-router";
import { db } from "../database.server.ts";
import { getProfile } from "../../shop/accounts/profile.server.ts";
import { countCart } from "../../shop/cart/cart.server.ts";
import { listWishlistIds } from "../../shop/wishlist/wishlist.server.ts";
import { readSession } from "../session/customer.server.ts";
import { guestIdOf } from "../session/guest.server.ts";
import { readFlashMessage, removeFlashMessage } from "../session/flash-message.server.ts";
import type { VisitorState } from "../ui/chrome/visitor-state.tsx";
import type { Route } from "./+types/visitor-state.ts";
import { readForm } from "../http/form.server.ts";
import { NO_STORE } from "../http/cache-headers.ts";

/**
 * What the header knows of its visitor: the one thing on a public page that is not the same for
 * everyone. Every page asks for it, so this is also where a session is prolonged.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const { customer, headers } = await readSession(request, { refresh: true });
  const flashMessage = readFlashMessage(request.headers);
  headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  if (!customer) {
    const guestId = guestIdOf(request.headers);
    const cartCount = await countCart(db, guestId ? { guestId } : null);
    return data<VisitorState>({ cartCount, customer: null, wishlist: [], flashMessage }, { headers });
  }
  const [cartCount, { firstName }, wishlist] = await Promise.all([
    countCart(db, { customerId: customer.id }),
    getProfile(db, customer.id),
    listWishlistIds(db, customer.id),
  ]);
  const { emailVerified } = customer;
  return data<VisitorState>({ cartCount, customer: { firstName, emailVerified }, wishlist, flashMessage }, { headers });
}

/** A page says which message it has shown: one that was only sent may have met a page that was just being left. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, ["shown"]);
  const headers = new Headers(NO_STORE);
  removeFlashMessage(request.headers, form.get("shown"), headers);
  return new Response(null, { status: 204, headers });
}
