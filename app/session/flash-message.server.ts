/** Flash messages: set by a response that redirects, shown by the next page, and kept until a page has shown them. */
import { ownCookie } from "./cookie.server.ts";

const cookie = ownCookie("polara_flash");
const SECONDS = 120;

export type FlashMessage = { title: string; description?: string; seconds?: number };

const MESSAGES = {
  "cart-capped": {
    title: "Your carts are one now",
    description: "Some quantities were lowered to what is in stock, or to 10.",
  },
  "signed-up": {
    title: "Check your inbox",
    description: "We sent you a verification link. Open it to verify your email address.",
    seconds: 8,
  },
  "order-claimed": { title: "Order added", description: "You find it among your orders from now on." },
  "order-placed": { title: "Order placed!", description: "Your order has been successfully placed." },
  "order-canceled": { title: "Order canceled", description: "You do not pay for it." },
  "order-kept": { title: "Thank you for waiting", description: "We will write as soon as it ships." },
  "account-deleted": {
    title: "Account deleted",
    description: "Your account and everything in it are gone. A confirmation is on its way to your inbox.",
  },
  "email-verified": { title: "Email Verified!", seconds: 6 },
  "password-set": { title: "Password updated", description: "Sign in with your new password." },
} as const satisfies Record<string, FlashMessage>;

export type FlashMessageName = keyof typeof MESSAGES;

const isKnown = (name: string): name is FlashMessageName => Object.hasOwn(MESSAGES, name);

export const flashMessageCookie = (name: FlashMessageName) => ({ name: cookie.name, value: name, maxAge: SECONDS });

/** Sets the message for the page that a redirect leads to. */
export function addFlashMessage(headers: Headers, name: FlashMessageName): void {
  headers.append("Set-Cookie", cookie.set(name, SECONDS));
}

/** The message that waits to be shown. */
export function readFlashMessage(headers: Headers): (FlashMessage & { name: FlashMessageName }) | null {
  const name = cookie.read(headers);
  return isKnown(name) ? { name, ...MESSAGES[name] } : null;
}

/** Removes the message that a page has shown, and no other that was set meanwhile. */
export function removeFlashMessage(sent: Headers, shown: string | null, headers: Headers): void {
  if (cookie.read(sent) === shown) headers.append("Set-Cookie", cookie.set("", 0));
}
