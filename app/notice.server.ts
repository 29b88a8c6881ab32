/** A word that waits for the next page: set where an answer is a redirect, told once by /personal. */
import { parse } from "hono/utils/cookie";

const COOKIE = "polara_notice";
const SECONDS = 120;

const NOTICES = {
  "cart-capped": {
    title: "Your carts are one now",
    description: "Some quantities were lowered to what is in stock, or to 10.",
  },
} as const;

export type NoticeName = keyof typeof NOTICES;
export type Notice = { title: string; description: string };

export const noticeCookie = (name: NoticeName) => ({ name: COOKIE, value: name, maxAge: SECONDS });

/** The waiting word, and the header that takes it away. */
export function takeNotice(request: Request): { notice: Notice | null; setCookie: string | null } {
  const name = parse(request.headers.get("Cookie") ?? "", COOKIE)[COOKIE];
  if (!name) return { notice: null, setCookie: null };
  const notice = Object.hasOwn(NOTICES, name) ? NOTICES[name as NoticeName] : null;
  return { notice, setCookie: `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax` };
}
