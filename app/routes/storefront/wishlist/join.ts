import { redirect } from "react-router";
import { addToWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import { GUEST_WISHLIST_KEY } from "../../../ui/chrome/visitor-state.tsx";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/join.ts";
import type { WishlistAnswer } from "./answer.ts";
import { changeWishlist } from "./change-wishlist.server.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "add", addToWishlist);

/** The hearts that a guest pressed on home join the wishlist without a word, and are no longer kept here. */
export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<WishlistAnswer>(call, {
    key: "ok",
    // Kept for the next page.
    lost: () => ({ ok: false, message: "" }),
    tell(result) {
      if (result.ok) localStorage.removeItem(GUEST_WISHLIST_KEY);
    },
  });
