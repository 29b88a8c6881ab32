import type { Cart } from "../../../shop/cart/cart.ts";

/** What a cart action tells the page that called it. */
export type CartAnswer = { ok: true; cart: Cart; message?: string } | { ok: false; message: string };

/** What the cart page says when a form posted without JavaScript comes back to it. */
export const CART_NOTICES = {
  add: "Failed to add item to cart",
  update: "Failed to update quantity",
  remove: "Failed to remove item",
  "out-of-stock": "This product is out of stock.",
  capped: "Your cart holds as many of this product as you can order: 10, or all that are in stock.",
} as const;
export type CartNotice = keyof typeof CART_NOTICES;

export function readNotice(query: URLSearchParams): string | null {
  const notice = query.get("problem") ?? "";
  return Object.hasOwn(CART_NOTICES, notice) ? CART_NOTICES[notice as CartNotice] : null;
}
