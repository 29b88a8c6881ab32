/** The shop's own cookies. Account cookies are better-auth's. */
import { randomBytes, randomUUID } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import { config } from "#platform/config.server.ts";
import { cookieName, isHttps } from "#shop/accounts/sessions.server.ts";
import { type Campaign, campaignOf, NO_CAMPAIGN } from "#shop/campaign.ts";
import { readCode } from "#shop/discounts/discount.ts";
import { policy } from "#shop/policies.ts";
import { GUEST_PURPOSE, openSigner } from "#shop/purpose-key.server.ts";
import { codeHash } from "#shop/waitlist/invitations.server.ts";

/** A cookie of the whole site or of one path: `__Host-` requires the whole site. */
export function ownCookie(base: string, scope: "site" | "path" = "site") {
  const { baseUrl } = config();
  const secure = isHttps(baseUrl);
  const name = scope === "site" ? cookieName(baseUrl, base) : `${secure ? "__Secure-" : ""}${base}`;
  return {
    name,
    read: (headers: Headers): string => parse(headers.get("Cookie") ?? "", name)[name] ?? "",
    /** The Set-Cookie header. Without `maxAge` (seconds) it is a session cookie. */
    set: (value: string, maxAge?: number, path = "/"): string =>
      serialize(name, value, { path, maxAge, httpOnly: true, sameSite: "Lax", secure }),
  };
}

const YEAR_SECONDS = 365 * 24 * 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const { secret } = config();
/** Guests have a random signed id. */
const guestCookie = ownCookie("polara_guest");
const guestSigner = openSigner(secret, GUEST_PURPOSE);
const orderedCookie = ownCookie("polara_ordered");
const orderedSigner = openSigner(secret, "guest who ordered");

export function guestIdOf(headers: Headers): string | null {
  const [id = "", signature = ""] = guestCookie.read(headers).split(".");
  return UUID.test(id) && guestSigner.isSigned(id, signature) ? id : null;
}

export function newGuest(): { guestId: string; setCookie: string } {
  const guestId = randomUUID();
  return { guestId, setCookie: guestCookie.set(`${guestId}.${guestSigner.sign(guestId)}`, YEAR_SECONDS) };
}

export const forgetGuest = [guestCookie.set("", 0), orderedCookie.set("", 0)];

export const orderedHere = (guestId: string): string => orderedCookie.set(orderedSigner.sign(guestId));

/** The checkout prefills a guest's details only in the browser session of an order. */
export function hasOrderedHere(headers: Headers, guestId: string): boolean {
  return orderedSigner.isSigned(guestId, orderedCookie.read(headers));
}

// Known devices: wrong passwords from elsewhere do not lock out a device that signed in before.
const MAX_ACCOUNTS = 5;
const DEVICE_ID = /^[\w-]{22}$/;
const deviceCookie = ownCookie("polara_device");
const deviceSigner = openSigner(secret, "device");

/** The cookie holds the device id and, newest first, a signature of it for each account. */
function readDevice(headers: Headers): { id: string; signatures: string[] } | null {
  const [id = "", ...signatures] = deviceCookie.read(headers).split(".");
  return DEVICE_ID.test(id) && signatures.length <= MAX_ACCOUNTS ? { id, signatures } : null;
}

/** The device id if this account signed in on it before, else null. */
export function deviceIdOf(headers: Headers, userId: string): string | null {
  const device = readDevice(headers);
  const text = `${device?.id}\n${userId}`;
  return device?.signatures.some((signature) => deviceSigner.isSigned(text, signature)) ? device.id : null;
}

const withAccount = (id: string, userId: string, others: string[]) => ({
  name: deviceCookie.name,
  value: [id, deviceSigner.sign(`${id}\n${userId}`), ...others].join("."),
  maxAge: YEAR_SECONDS,
});

/** A sign-in preserves the device id and its counted attempts. */
export function deviceAfterSignIn(headers: Headers, userId: string) {
  const { id, signatures } = readDevice(headers) ?? { id: randomBytes(16).toString("base64url"), signatures: [] };
  const own = deviceSigner.sign(`${id}\n${userId}`);
  return withAccount(id, userId, signatures.filter((other) => other !== own).slice(0, MAX_ACCOUNTS - 1));
}

/** A password reset creates a new device id without counted attempts. */
export function newDevice(userId: string): string {
  const { value, maxAge } = withAccount(randomBytes(16).toString("base64url"), userId, []);
  return deviceCookie.set(value, maxAge);
}

const visit = ownCookie("polara_visit");

export const readCampaign = (headers: Headers): Campaign =>
  campaignOf(new URLSearchParams(visit.read(headers))) ?? NO_CAMPAIGN;

/** The Set-Cookie header if the URL names a campaign, else null. The newest campaign counts. */
export function campaignCookie(url: string): string | null {
  if (!url.includes("utm_")) return null;
  const campaign = campaignOf(new URL(url).searchParams);
  if (!campaign) return null;
  const { utmSource, utmCampaign } = campaign;
  return visit.set(new URLSearchParams({ utm_source: utmSource ?? "", utm_campaign: utmCampaign ?? "" }).toString());
}

const invitation = ownCookie("polara_early");

export const invitationCookie = (code: string): string => invitation.set(code, policy.invitationDays * 86_400);

/** The hash of the request's invitation code, null if there is none. */
export function readInvitation(headers: Headers): string | null {
  const code = invitation.read(headers);
  return code === "" ? null : codeHash(code);
}

const discountCode = ownCookie("polara_code");

export const discountCookie = (code: string): string => discountCode.set(code, policy.discountCodeDays * 86_400);
export const forgetDiscount = discountCode.set("", 0);

export const readDiscountCode = (headers: Headers): string | null => readCode(discountCode.read(headers));

/** Flash messages are set by a redirect and stored until a page has shown them. */
const flashCookie = ownCookie("polara_flash");
const FLASH_SECONDS = policy.flashMinutes * 60;

type FlashMessage = { title: string; description?: string; seconds?: number };

const MESSAGES = {
  "cart-capped": {
    title: "We combined your carts",
    description: "We lowered some quantities to what’s in stock, or to 10.",
  },
  "signed-up": {
    title: "Check your inbox",
    description: "We sent you a verification link. Open it to verify your email address.",
    seconds: 8,
  },
  "order-claimed": { title: "Order added", description: "You’ll find it with your other orders from now on." },
  "card-changed": { title: "Card changed", description: "We’ll charge your new card when your order ships." },
  "order-placed": { title: "Order placed!", description: "Your order has been successfully placed." },
  "order-canceled": { title: "Order canceled", description: "You won’t pay for it." },
  "rest-canceled": { title: "The rest is canceled", description: "We’ll refund anything you paid for it." },
  "order-kept": { title: "Thanks for waiting", description: "We’ll email you as soon as it ships." },
  "ships-now": { title: "We’ll ship it now", description: "We’ll charge your card and email you when it ships." },
  "address-changed": { title: "Address changed", description: "We’ve emailed you the change." },
  "account-deleted": {
    title: "Account deleted",
    description: "Your account and everything in it are gone. A confirmation is on its way to your inbox.",
  },
  "email-verified": { title: "Email Verified!", seconds: 6 },
  "email-changed": { title: "Email changed", description: "Sign in with your new email from now on." },
  /** Its description is written with the products of the day. */
  invited: { title: "You’re invited", seconds: 12 },
  "code-kept": { title: "Your code is saved", description: "It counts in your cart." },
  "code-over": { title: "This code can’t be used", description: "Your cart says why." },
  "password-set": { title: "Password updated", description: "Sign in with your new password." },
} as const satisfies Record<string, FlashMessage>;

export type FlashMessageName = keyof typeof MESSAGES;

const isKnown = (name: string): name is FlashMessageName => Object.hasOwn(MESSAGES, name);

export const flashMessageCookie = (name: FlashMessageName) => ({
  name: flashCookie.name,
  value: name,
  maxAge: FLASH_SECONDS,
});

export function addFlashMessage(headers: Headers, name: FlashMessageName): void {
  headers.append("Set-Cookie", flashCookie.set(name, FLASH_SECONDS));
}

export function readFlashMessage(headers: Headers): (FlashMessage & { name: FlashMessageName }) | null {
  const name = flashCookie.read(headers);
  return isKnown(name) ? { name, ...MESSAGES[name] } : null;
}

/** Preserves a newer message than the shown one. */
export function removeFlashMessage(sent: Headers, shown: string | null, headers: Headers): void {
  if (flashCookie.read(sent) === shown) headers.append("Set-Cookie", flashCookie.set("", 0));
}
