/** The cookies that the shop sets itself. Those of accounts are set by better-auth. */
import { parse, serialize } from "hono/utils/cookie";
import { config } from "../config.server.ts";
import { cookieName, isHttps } from "../../shop/accounts/sessions/cookie.ts";

const { baseUrl } = config();

export function ownCookie(base: string) {
  const name = cookieName(baseUrl, base);
  return {
    name,
    read: (headers: Headers): string => parse(headers.get("Cookie") ?? "", name)[name] ?? "",
    /** The Set-Cookie header. Without `maxAge`, in seconds, the cookie goes when the browser is closed. */
    set: (value: string, maxAge?: number): string =>
      serialize(name, value, { path: "/", maxAge, httpOnly: true, sameSite: "Lax", secure: isHttps(baseUrl) }),
  };
}
