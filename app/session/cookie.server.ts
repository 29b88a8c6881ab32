/** The shop's own cookies. Where it is https, no other host of its domain can set them: their names begin with __Host-. */
import { parse } from "hono/utils/cookie";

const isHttps = process.env.BASE_URL?.startsWith("https:") ?? false;

export function ownCookie(base: string) {
  const name = isHttps ? `__Host-${base}` : base;
  return {
    name,
    read: (headers: Headers): string => parse(headers.get("Cookie") ?? "", name)[name] ?? "",
    /** The Set-Cookie header. Without `maxAge`, in seconds, the cookie goes when the browser is closed. */
    set(value: string, maxAge?: number): string {
      const stay = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
      return `${name}=${value}; Path=/${stay}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
    },
  };
}
