import { redirect } from "react-router";
import { addToWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import { GUEST_WISHLIST_KEY } from "../../../ui/chrome/visitor-state.tsx";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/join.ts";
import type { WishlistActionResult } from "./action-result.ts";
import { changeWishlist } from "./change-wishlist.server.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "add", addToWishlist);

/** What a guest put on their wishlist on home joins the wishlist without a word, and is no longer kept here. */
export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<WishlistActionResult>(call, {
    key: "ok",
    // Kept for the next page.
    lost: () => ({ ok: false, message: "" }),
    onResult(result) {
      if (result.ok) localStorage.removeItem(GUEST_WISHLIST_KEY);
    },
  });
