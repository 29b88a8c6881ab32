import { redirect } from "react-router";
import { z } from "zod";
import { removeCartLine } from "../../../../shop/cart/cart.server.ts";
import { notify, notifyError } from "../../../ui/feedback/toast.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/remove.ts";
import { CART_MESSAGES, type CartActionResult } from "../../../ui/order/cart-result.ts";
import { changeCart, noSuchLine } from "./change-cart.server.ts";

export const loader = () => redirect("/cart");

const fields = z.object({ itemId: z.uuid() });

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "remove",
    fields,
    change: async (db, buyer, { itemId }) =>
      (await removeCartLine(db, buyer, itemId)) ? { ok: true } : noSuchLine(buyer, "remove"),
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<CartActionResult>(call, {
    key: "ok",
    isDirect: true,
    lost: () => ({ ok: false, message: CART_MESSAGES.remove }),
    onResult(result) {
      if (result.ok) notify("Removed from cart", "Item has been removed from your cart");
      else notifyError(result.message);
    },
  });
