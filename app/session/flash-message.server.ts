/** A word that waits for the next page: set where an answer is a redirect, told once by /personal. */
import { ownCookie } from "./cookie.server.ts";

const cookie = ownCookie("polara_notice");
const SECONDS = 120;

export type Notice = { title: string; description?: string; seconds?: number };

const NOTICES = {
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
  "account-deleted": {
    title: "Account deleted",
    description: "Your account and everything in it are gone. A confirmation is on its way to your inbox.",
  },
  "email-verified": { title: "Email Verified!", seconds: 6 },
  "password-set": { title: "Password updated", description: "Sign in with your new password." },
} as const satisfies Record<string, Notice>;

export type NoticeName = keyof typeof NOTICES;

export const noticeCookie = (name: NoticeName) => ({ name: cookie.name, value: name, maxAge: SECONDS });

/** Lets a word wait for the page that a redirect leads to. */
export function addNotice(headers: Headers, name: NoticeName): void {
  headers.append("Set-Cookie", cookie.set(name, SECONDS));
}

/** The waiting word, and the header that takes it away. */
export function takeNotice(request: Request): {
  notice: (Notice & { name: NoticeName }) | null;
  setCookie: string | null;
} {
  const name = cookie.read(request.headers);
  if (!name) return { notice: null, setCookie: null };
  const known = Object.hasOwn(NOTICES, name) ? (name as NoticeName) : null;
  return { notice: known && { name: known, ...NOTICES[known] }, setCookie: cookie.set("", 0) };
}
