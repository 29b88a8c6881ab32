import { redirect } from "react-router";
import { addToWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import type { Route } from "./+types/add.ts";
import { changeWishlist } from "./change-wishlist.server.ts";
import { WISHLIST_FAILURES, type WishlistActionResult } from "./action-result.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "add", addToWishlist);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<WishlistActionResult>(call, {
    key: "ok",
    lost: () => ({ ok: false, message: WISHLIST_FAILURES.add.failed }),
    onResult(result, form) {
      // On home the title is enough.
      if (result.ok)
        notify(
          "Added to wishlist",
          form.get("where") === "home" ? undefined : "Product has been added to your wishlist.",
        );
      else notifyError(result.message);
    },
  });
