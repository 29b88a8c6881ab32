/** The auth instance of this process. better-auth is large, so it loads on first use. */
import { db, pool } from "#platform/database.server.ts";
import type { Auth } from "#shop/accounts/auth.server.ts";
import { emailOwner } from "#shop/accounts/account-emails.server.ts";
import { providerOrigins } from "#shop/accounts/google.server.ts";
import { mergeCart } from "#shop/cart/cart.server.ts";
import { confirmPlace, hasUnconfirmedPlace } from "#shop/waitlist/waitlist.server.ts";
import { networkOf } from "#shop/rate-limits/rate-limits.server.ts";
import { config } from "#platform/config.server.ts";
import { deviceAfterSignIn, deviceIdOf, flashMessageCookie, guestIdOf } from "./cookies.server.ts";
import { reportError } from "#platform/log.server.ts";
import { rateLimits } from "./rate-limits.server.ts";
import { singleton } from "#shop/singleton.ts";

export const isGoogleReady = () => config().google !== null;

/** The discovery document may name any URL; only the provider's own are allowed. */
export function isGoogleAddress(url: string): boolean {
  const { google } = config();
  return google !== null && providerOrigins(google.issuer).includes(new URL(url).origin);
}

/** The shop's host name, refused as a password. */
export const shopHost = () => new URL(config().baseUrl).hostname;

async function open(): Promise<Auth> {
  const { openAuth } = await import("#shop/accounts/auth.server.ts");
  const { secret, formerSecrets, baseUrl, google } = config();
  return openAuth(db, pool, {
    secret,
    formerSecrets,
    baseUrl,
    google,
    report: reportError,
    rateLimits,
    places: {
      isUnconfirmed: (userId) => hasUnconfirmedPlace(db, userId),
      confirm: (userId) => confirmPlace(db, userId),
    },
    async signedIn({ id, emailVerified }, headers, isReturning) {
      if (isReturning && !deviceIdOf(headers, id)) {
        const network = networkOf(headers.get("x-caller-address") ?? "");
        await emailOwner(db, rateLimits, { userId: id, network }, "new-device");
      }
      // An unverified email may belong to another person, so the device is not remembered.
      const device = emailVerified ? [deviceAfterSignIn(headers, id)] : [];
      const guestId = guestIdOf(headers);
      if (!guestId) return device;
      const { capped } = await mergeCart(db, guestId, id);
      return capped > 0 ? [...device, flashMessageCookie("cart-capped")] : device;
    },
  });
}

export const getAuth = (): Promise<Auth> => singleton("auth", open);
