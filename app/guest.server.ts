/** A guest is known by a random id in a cookie that no script can read. */
import { randomUUID } from "node:crypto";
import { parse } from "hono/utils/cookie";

const COOKIE = "polara_guest";
const YEAR_SECONDS = 365 * 24 * 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The guest id that a browser carries, signed in or not. */
export function guestIdOf(headers: Headers): string | null {
  const value = parse(headers.get("Cookie") ?? "", COOKIE)[COOKIE];
  return value && UUID.test(value) ? value : null;
}

/** A new guest, and the cookie to know them by. */
export function newGuest(): { guestId: string; setCookie: string } {
  const guestId = randomUUID();
  const secure = process.env.BASE_URL?.startsWith("https:") ? "; Secure" : "";
  return {
    guestId,
    setCookie: `${COOKIE}=${guestId}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  };
}

/** The header after which a browser is nobody. */
export const forgetGuest = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;
