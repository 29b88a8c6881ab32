/** Actions of the cart: /cart/add, /cart/update, /cart/remove, /cart/clear and /cart/code. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { addToCart, clearCart, getCart, removeCartLine, updateCartLine } from "#shop/cart/cart.server.ts";
import type { Buyer, Cart } from "#shop/cart/cart.ts";
import { readCode } from "#shop/discounts/discount.ts";
import { MAX_LINE_QUANTITY } from "#shop/catalog/stock.ts";
import { db } from "#platform/database.server.ts";
import { done, failed, readForm, refused, wantsDocument } from "#app/http/form.server.ts";
import { refusedToOthers, reportError } from "#platform/log.server.ts";
import { ensureBuyer } from "#app/session/customer.server.ts";
import { discountCookie, forgetDiscount, readInvitation } from "#app/session/cookies.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { CART_MESSAGES, type CartMessageKey, freeShippingGap } from "#app/ui/order/cart-messages.ts";
import type { Route } from "./+types/change.ts";

export { clientAction } from "#app/ui/form/client-action.ts";

export const loader = () => redirect("/cart");

type Change = "add" | "update" | "remove" | "clear" | "code";

/** `key` is the message of a redirect, for browsers without JavaScript. */
type Outcome =
  | (Pick<ActionResult, "title" | "message" | "toast"> & {
      ok: true;
      cart?: Cart;
      key?: CartMessageKey;
      setCookie?: string;
    })
  | Refusal;
type Refusal = { ok: false; status: number; key: CartMessageKey; message?: string };

/** An integer form field; an empty one is not 0. */
const wholeNumber = z
  .string()
  .regex(/^-?\d{1,6}$/)
  .transform(Number);

const fields = {
  add: z.object({
    productId: z.uuid(),
    quantity: wholeNumber.pipe(z.number().min(1)),
  }),
  update: z.object({ itemId: z.uuid(), quantity: wholeNumber }),
  remove: z.object({ itemId: z.uuid() }),
  clear: z.object({}),
  code: z.object({ code: z.string().default("") }),
};

const changes: {
  [Name in Change]: (buyer: Buyer, typed: z.output<(typeof fields)[Name]>, sent: Headers) => Promise<Outcome>;
} = {
  add,
  update: async (buyer, typed) =>
    (await updateCartLine(db, buyer, typed)) ? { ok: true } : noSuchLine(buyer, "update"),
  remove: async (buyer, { itemId }) =>
    (await removeCartLine(db, buyer, itemId))
      ? { ok: true, title: "Removed from cart", message: "Item has been removed from your cart" }
      : noSuchLine(buyer, "remove"),
  clear: async (buyer) => clearCart(db, buyer).then(() => ({ ok: true })),
  code: async (_buyer, typed) => takeCode(typed.code),
};
const FAILURES: Record<Change, CartMessageKey> = {
  add: "add",
  update: "update",
  remove: "remove",
  clear: "remove",
  code: "code",
};

/** The cart says whether the code counts. */
function takeCode(typed: string): Outcome {
  if (typed.trim() === "") return { ok: true, setCookie: forgetDiscount };
  const code = readCode(typed);
  return code ? { ok: true, setCookie: discountCookie(code) } : { ok: false, status: 400, key: "code" };
}

async function add(buyer: Buyer, typed: z.output<typeof fields.add>, sent: Headers): Promise<Outcome> {
  const added = await addToCart(db, buyer, typed, readInvitation(sent));
  if (!added.ok) {
    if (added.reason === "not-found") return { ok: false, status: 404, key: "add" };
    return { ok: false, status: 409, key: added.reason };
  }
  const { cart, quantity, capped } = added;
  const title = "Added to cart";
  const toast = addedToast(cart, typed.productId);
  if (!capped) return { ok: true, cart, title, toast, message: "Product has been added to your cart" };
  const message =
    quantity === MAX_LINE_QUANTITY
      ? `Your cart now has ${quantity}, the most you can order of one product.`
      : `Only ${quantity} left, and ${quantity === 1 ? "it’s" : "they’re all"} in your cart.`;
  return { ok: true, cart, title, toast, message, key: "capped" };
}

function addedToast({ lines, totals }: Cart, productId: string): ActionResult["toast"] {
  const product = lines.find((line) => line.productId === productId);
  const gap = totals.freeShippingGapCents;
  return {
    id: "added-to-cart",
    link: { to: "/cart", text: "View cart" },
    next: { to: "/checkout", text: "Checkout" },
    ...(product && {
      product: {
        name: product.name,
        thumbnail: product.thumbnail,
        note: gap > 0 ? freeShippingGap(gap) : undefined,
      },
    }),
  };
}

/** The line to change was removed, or it belongs to another buyer. */
function noSuchLine(buyer: Buyer, key: CartMessageKey): Refusal {
  refusedToOthers("cart", "customerId" in buyer ? buyer.customerId : undefined);
  return { ok: false, status: 404, key };
}

export async function action({ request, pattern }: Route.ActionArgs) {
  const change = pattern.split("/").at(-1) as Change;
  const schema: z.ZodObject = fields[change];
  const form = await readForm(request, Object.keys(schema.shape));
  const { buyer, headers } = await ensureBuyer(request);
  const isNewGuest = headers.has("Set-Cookie");
  const submission = parseForm(form, schema);
  const respond = async (outcome: Outcome) => {
    if (outcome.ok && outcome.setCookie) headers.append("Set-Cookie", outcome.setCookie);
    if (wantsDocument(request)) {
      // The cart tells a browser that has not kept the cookie.
      const problem = outcome.key ?? (isNewGuest ? "cookies" : null);
      return redirect(problem ? `/cart?problem=${problem}` : "/cart", { status: 303, headers });
    }
    if (!outcome.ok) {
      const { status, key, message = CART_MESSAGES[key] } = outcome;
      return refused(submission, message, { title: "Error", status, headers });
    }
    const { title, message, toast, cart = await getCart(db, buyer) } = outcome;
    return done(submission, message, { title, toast, data: { cart }, headers });
  };
  if (submission.status !== "success") return respond({ ok: false, status: 400, key: FAILURES[change] });
  try {
    const carryOut = changes[change] as (buyer: Buyer, typed: unknown, sent: Headers) => Promise<Outcome>;
    return await respond(await carryOut(buyer, submission.value, request.headers));
  } catch (error) {
    reportError(error, "a cart was not changed");
    if (wantsDocument(request)) return respond({ ok: false, status: 503, key: FAILURES[change] });
    return failed(submission, headers);
  }
}
