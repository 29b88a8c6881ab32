import { redirect } from "react-router";
import { z } from "zod";
import { clearCart } from "../../../../shop/cart/cart.server.ts";
import { notifyError } from "../../../ui/feedback/toast.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/clear.ts";
import { CART_MESSAGES, type CartActionResult } from "../../../ui/order/cart-result.ts";
import { changeCart } from "./change-cart.server.ts";

export const loader = () => redirect("/cart");

const fields = z.object({});

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "remove",
    fields,
    async change(db, buyer) {
      await clearCart(db, buyer);
      return { ok: true };
    },
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<CartActionResult>(call, {
    key: "ok",
    isDirect: true,
    lost: () => ({ ok: false, message: CART_MESSAGES.remove }),
    onResult(result) {
      if (!result.ok) notifyError(result.message);
    },
  });
