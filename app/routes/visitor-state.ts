import { data } from "react-router";
import { db } from "../database.server.ts";
import { getProfile } from "../../shop/accounts/profile.server.ts";
import { countCart } from "../../shop/cart/cart.server.ts";
import { listWishlistIds } from "../../shop/wishlist/wishlist.server.ts";
import { readSession } from "../session/customer.server.ts";
import { guestIdOf } from "../session/guest.server.ts";
import { takeFlashMessage } from "../session/flash-message.server.ts";
import type { VisitorState } from "../ui/chrome/visitor-state.tsx";
import type { Route } from "./+types/visitor-state.ts";
import { NO_STORE } from "../http/cache-headers.ts";

/**
 * What the header knows of its visitor: the one thing on a public page that is not the same for
 * everyone. Every page asks for it, so this is also where a session is prolonged.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const { customer, headers } = await readSession(request, { refresh: true });
  const { flashMessage, setCookie } = takeFlashMessage(request);
  headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  if (setCookie) headers.append("Set-Cookie", setCookie);
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
