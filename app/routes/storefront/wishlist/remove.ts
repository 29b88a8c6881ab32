import { redirect } from "react-router";
import { removeFromWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import type { Route } from "./+types/remove.ts";
import { changeWishlist } from "./change-wishlist.server.ts";
import { tell } from "./tell.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "remove", removeFromWishlist);

export const clientAction = (call: Route.ClientActionArgs) =>
  tell(call, "remove", "Removed from wishlist", "Product has been removed from your wishlist.");
