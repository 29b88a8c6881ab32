import { cookiesBlocked } from "#app/ui/form/action-result.ts";
import { formatMoney } from "#shop/money.ts";

export const freeShippingGap = (cents: number): string => `Add ${formatMoney(cents)} more for free shipping`;

/** Messages about a cart, for toasts and for the cart page without JavaScript. */
export const CART_MESSAGES = {
  add: "Failed to add item to cart",
  update: "Failed to update quantity",
  remove: "Failed to remove item",
  "out-of-stock": "This product is out of stock.",
  "waitlist-only":
    "This is open to our waitlist first. If you were invited, open the link in your email, then add it again.",
  code: "Enter a code of letters and numbers, such as SPRING10.",
  cookies: cookiesBlocked("the cart"),
  capped: "Your cart already has as many of this as you can order: 10, or all we have in stock.",
} as const;
export type CartMessageKey = keyof typeof CART_MESSAGES;

export function readCartMessage(query: URLSearchParams): string | null {
  const key = query.get("problem") ?? "";
  return Object.hasOwn(CART_MESSAGES, key) ? CART_MESSAGES[key as CartMessageKey] : null;
}
