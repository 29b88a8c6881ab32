import type { Cart } from "../../../shop/cart/cart.ts";

/** What a cart action tells the page that called it. */
export type CartActionResult = { ok: true; cart: Cart; message?: string } | { ok: false; message: string };

/** What the cart page says when a form posted without JavaScript comes back to it. */
export const CART_MESSAGES = {
  add: "Failed to add item to cart",
  update: "Failed to update quantity",
  remove: "Failed to remove item",
  "out-of-stock": "This product is out of stock.",
  capped: "Your cart holds as many of this product as you can order: 10, or all that are in stock.",
} as const;
export type CartMessageKey = keyof typeof CART_MESSAGES;

export function readCartMessage(query: URLSearchParams): string | null {
  const key = query.get("problem") ?? "";
  return Object.hasOwn(CART_MESSAGES, key) ? CART_MESSAGES[key as CartMessageKey] : null;
}
