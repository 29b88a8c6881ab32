import { redirect } from "react-router";
import { z } from "zod";
import { clearCart } from "../../../../shop/cart/cart.server.ts";
import { notifyError } from "../../../ui/feedback/toast.ts";
import type { Route } from "./+types/clear.ts";
import { CART_NOTICES } from "./answer.ts";
import { changeCart } from "./change-cart.server.ts";
import { settle } from "./settle.ts";

export const loader = () => redirect("/cart");

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "remove",
    fields: z.object({}),
    async change(db, buyer) {
      await clearCart(db, buyer);
      return { ok: true };
    },
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  settle(call, CART_NOTICES.remove, (answer) => {
    if (!answer.ok) notifyError(answer.message);
  });
