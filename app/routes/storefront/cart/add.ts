import { redirect } from "react-router";
import { z } from "zod";
import { addToCart } from "../../../../shop/cart/cart.server.ts";
import { MAX_LINE_QUANTITY } from "../../../../shop/catalog/stock.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import type { Route } from "./+types/add.ts";
import { readInvitation } from "../../../session/invitation.server.ts";
import { CART_MESSAGES, type CartActionResult } from "../../../ui/order/cart-result.ts";
import { changeCart, wholeNumber } from "./change-cart.server.ts";

const WAITLIST_ONLY =
  "This is open to our waitlist first. If you were invited, open the link in your mail, then add it again.";

export const loader = () => redirect("/cart");

const fields = z.object({
  productId: z.uuid(),
  quantity: wholeNumber.default(1).pipe(z.number().min(1).max(MAX_LINE_QUANTITY)),
});

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "add",
    fields,
    async change(db, buyer, fields) {
      const added = await addToCart(db, buyer, fields, readInvitation(request.headers));
      if (!added.ok) {
        if (added.reason === "waitlist-only") return { ok: false, status: 409, message: WAITLIST_ONLY };
        return added.reason === "out-of-stock"
          ? { ok: false, status: 409, message: CART_MESSAGES["out-of-stock"], messageKey: "out-of-stock" }
          : { ok: false, status: 404, message: CART_MESSAGES.add };
      }
      const { cart, quantity } = added;
      if (!added.capped) return { ok: true, cart };
      return {
        ok: true,
        cart,
        messageKey: "capped",
        message:
          quantity === MAX_LINE_QUANTITY
            ? `Your cart now holds ${quantity}, the most of one product in an order.`
            : `Only ${quantity} left, and your cart now holds ${quantity === 1 ? "it" : "all of them"}.`,
      };
    },
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<CartActionResult>(call, {
    key: "ok",
    isDirect: true,
    lost: () => ({ ok: false, message: CART_MESSAGES.add }),
  });
