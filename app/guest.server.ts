/** Who a request comes from. A guest is known by a random id in a cookie that no script can read. */
import { randomUUID } from "node:crypto";
import { parse } from "hono/utils/cookie";
import type { Buyer } from "../shop/cart/cart.ts";

const COOKIE = "polara_guest";
const YEAR_SECONDS = 365 * 24 * 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The buyer behind a request, or null for a visitor who has not yet put anything anywhere. */
export function readBuyer(request: Request): Buyer | null {
  const value = parse(request.headers.get("Cookie") ?? "", COOKIE)[COOKIE];
  return value && UUID.test(value) ? { guestId: value } : null;
}

/** As readBuyer, but a visitor becomes a guest; `headers` then carries the cookie. */
export function ensureBuyer(request: Request): { buyer: Buyer; headers: Headers } {
  const known = readBuyer(request);
  const headers = new Headers();
  if (known) return { buyer: known, headers };
  const guestId = randomUUID();
  const secure = process.env.BASE_URL?.startsWith("https:") ? "; Secure" : "";
  headers.append(
    "Set-Cookie",
    `${COOKIE}=${guestId}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  );
  return { buyer: { guestId }, headers };
}
