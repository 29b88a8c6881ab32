import { redirect } from "react-router";
import { addToWishlist } from "../../../../shop/wishlist/wishlist.server.ts";
import type { Route } from "./+types/add.ts";
import { changeWishlist } from "./change-wishlist.server.ts";
import { tell } from "./tell.ts";

export const loader = () => redirect("/account?tab=wishlist");

export const action = ({ request }: Route.ActionArgs) => changeWishlist(request, "add", addToWishlist);

export const clientAction = (call: Route.ClientActionArgs) =>
  tell(call, "add", "Added to wishlist", "Product has been added to your wishlist.");
