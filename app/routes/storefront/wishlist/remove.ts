import { redirect } from "react-router";
import { removeFromWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import type { Route } from "./+types/remove.ts";
import { changeWishlist } from "./change-wishlist.server.ts";
import { WISHLIST_FAILURES, type WishlistActionResult } from "./action-result.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "remove", removeFromWishlist);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<WishlistActionResult>(call, {
    key: "ok",
    lost: () => ({ ok: false, message: WISHLIST_FAILURES.remove.failed }),
    onResult(result, form) {
      // On home the title is enough.
      if (result.ok)
        notify(
          "Removed from wishlist",
          form.get("where") === "home" ? undefined : "Product has been removed from your wishlist.",
        );
      else notifyError(result.message);
    },
  });
