import { redirect } from "react-router";
import { z } from "zod";
import { updateCartLine } from "../../../../shop/cart/cart.server.ts";
import { notifyError } from "../../../ui/feedback/toast.ts";
import type { Route } from "./+types/update.ts";
import { CART_NOTICES } from "./answer.ts";
import { changeCart, noSuchLine, wholeNumber } from "./change-cart.server.ts";
import { settle } from "./settle.ts";

export const loader = () => redirect("/cart");

export const action = ({ request }: Route.ActionArgs) =>
  changeCart(request, {
    failure: "update",
    fields: z.object({ itemId: z.uuid(), quantity: wholeNumber }),
    change: async (db, buyer, fields) =>
      (await updateCartLine(db, buyer, fields)) ? { ok: true } : noSuchLine(buyer, "update"),
  });

export const clientAction = (call: Route.ClientActionArgs) =>
  settle(call, CART_NOTICES.update, (answer) => {
    if (!answer.ok) notifyError(answer.message);
  });
