/** A guest is known by a random id in a cookie that no script can read and nobody but the shop can make. */
import { randomUUID } from "node:crypto";
import { config } from "../config.server.ts";
import { ownCookie } from "./cookie.server.ts";
import { GUEST_PURPOSE, openSigner } from "./signature.server.ts";

const YEAR_SECONDS = 365 * 24 * 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const { secret } = config();
const guestCookie = ownCookie("polara_guest");
const guestSigner = openSigner(secret, GUEST_PURPOSE);
const orderedCookie = ownCookie("polara_ordered");
const orderedSigner = openSigner(secret, "guest who ordered");

/** The guest id in a browser's cookie, whether or not a customer is signed in. */
export function guestIdOf(headers: Headers): string | null {
  const [id = "", signature = ""] = guestCookie.read(headers).split(".");
  return UUID.test(id) && guestSigner.isSigned(id, signature) ? id : null;
}

/** A new guest id, and the cookie that carries it. */
export function newGuest(): { guestId: string; setCookie: string } {
  const guestId = randomUUID();
  return { guestId, setCookie: guestCookie.set(`${guestId}.${guestSigner.sign(guestId)}`, YEAR_SECONDS) };
}

/** The Set-Cookie headers that remove a browser's guest id. */
export const forgetGuest = [guestCookie.set("", 0), orderedCookie.set("", 0)];

/** A cookie until the browser is closed: this guest has ordered in it. */
export const orderedHere = (guestId: string): string => orderedCookie.set(orderedSigner.sign(guestId));

/** Whether this guest has ordered since the browser was opened. Only then does the checkout show what they typed. */
export function hasOrderedHere(headers: Headers, guestId: string): boolean {
  return orderedSigner.isSigned(guestId, orderedCookie.read(headers));
}
