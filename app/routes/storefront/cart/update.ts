import { redirect } from "react-router";
import { z } from "zod";
import { updateCartLine } from "../../../../shop/cart/cart.server.ts";
import { notifyError } from "../../../ui/feedback/toast.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/update.ts";
import { CART_MESSAGES, type CartActionResult } from "../../../ui/order/cart-result.ts";
import { changeCart, noSuchLine, wholeNumber } from "./change-cart.server.ts";

export const loader = () => redirect("/cart");

const fields = z.object({ itemId: z.uuid(), quantity: wholeNumber });

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "update",
    fields,
    change: async (db, buyer, fields) =>
      (await updateCartLine(db, buyer, fields)) ? { ok: true } : noSuchLine(buyer, "update"),
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<CartActionResult>(call, {
    key: "ok",
    isDirect: true,
    lost: () => ({ ok: false, message: CART_MESSAGES.update }),
    onResult(result) {
      if (!result.ok) notifyError(result.message);
    },
  });
