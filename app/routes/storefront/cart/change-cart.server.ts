import { data, redirect } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { type Database } from "../../../../db/connection.server.ts";
import { getCart } from "../../../../shop/cart/cart.server.ts";
import type { Buyer, Cart } from "../../../../shop/cart/cart.ts";
import { ensureBuyer } from "../../../session/buyer.server.ts";
import { readForm } from "../../../http/form.server.ts";
import { refusedToOthers, reportError } from "../../../http/log.server.ts";
import { CART_MESSAGES, type CartActionResult, type CartMessageKey } from "../../../ui/order/cart-result.ts";

/** `messageKey` names the message for a reader without JavaScript, `message` is for a fetcher. */
type Outcome =
  | { ok: true; /** Where it is known already. */ cart?: Cart; message?: string; messageKey?: CartMessageKey }
  | { ok: false; status: number; message: string; messageKey?: CartMessageKey };

type CartChange<Shape extends z.ZodRawShape> = {
  fields: z.ZodObject<Shape>;
  /** What is said when it did not work for no better reason. */
  failure: CartMessageKey;
  change: (db: Database, buyer: Buyer, fields: z.output<z.ZodObject<Shape>>) => Promise<Outcome>;
};

/** A whole number as a form sends it; nothing, unlike with a coercion, is not 0. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,6}$/)
  .transform(Number);

/** Of a line that is somebody else's, or gone. */
export function noSuchLine(buyer: Buyer, failure: CartMessageKey): Outcome {
  refusedToOthers("cart", "customerId" in buyer ? buyer.customerId : undefined);
  return { ok: false, status: 404, message: CART_MESSAGES[failure] };
}

/** One write to the cart: read the form, call the shop, answer in the way the caller can read. */
export async function changeCart<Shape extends z.ZodRawShape>(
  request: Request,
  { fields, failure, change }: CartChange<Shape>,
) {
  const form = await readForm(request, Object.keys(fields.shape));
  const { buyer, headers } = await ensureBuyer(request);
  const wantsDocument = request.headers.get("Accept")?.includes("text/html") ?? false;
  const onward = (messageKey?: CartMessageKey) =>
    redirect(messageKey ? `/cart?problem=${messageKey}` : "/cart", { status: 303, headers });
  const respond = (body: CartActionResult, status: number, messageKey?: CartMessageKey) =>
    wantsDocument ? onward(messageKey) : data(body, { status, headers });

  const input = fields.safeParse(Object.fromEntries(form));
  if (!input.success) return respond({ ok: false, message: CART_MESSAGES[failure] }, 400, failure);
  try {
    const outcome = await change(db, buyer, input.data);
    if (!outcome.ok)
      return respond({ ok: false, message: outcome.message }, outcome.status, outcome.messageKey ?? failure);
    if (wantsDocument) return onward(outcome.messageKey);
    const cart = outcome.cart ?? (await getCart(db, buyer));
    return data<CartActionResult>({ ok: true, cart, message: outcome.message }, { headers });
  } catch (error) {
    reportError(error, "a cart was not changed");
    return respond({ ok: false, message: CART_MESSAGES[failure] }, 503, failure);
  }
}
