/** The accounts of this process. better-auth is large, so it loads when the first visitor needs it. */
import { db, pool } from "../database.server.ts";
import type { Auth } from "../../shop/accounts/auth.server.ts";
import { emailOwner } from "../../shop/accounts/account-changed.server.ts";
import { providerOrigins } from "../../shop/accounts/google/google.ts";
import { mergeCart } from "../../shop/cart/cart.server.ts";
import { confirmPlace, hasUnconfirmedPlace } from "../../shop/waitlist/waitlist.server.ts";
import { networkOf } from "../../shop/rate-limits/network.ts";
import { config } from "../config.server.ts";
import { guestIdOf } from "./guest.server.ts";
import { reportError } from "../http/log.server.ts";
import { flashMessageCookie } from "./flash-message.server.ts";
import { deviceCookie, deviceIdOf } from "./device.server.ts";
import { rateLimits } from "./rate-limits.server.ts";

const kept = globalThis as { polaraAuth?: Promise<Auth> };

export const isGoogleReady = () => config().google !== null;

/** Whether an address belongs to the sign-in provider. Its discovery document may name any other, which is refused. */
export function isGoogleAddress(url: string): boolean {
  const { google } = config();
  return google !== null && providerOrigins(google.issuer).includes(new URL(url).origin);
}

/** The shop's host name. Nobody may choose it as a password. */
export const shopHost = () => new URL(config().baseUrl).hostname;

async function open(): Promise<Auth> {
  const { openAuth } = await import("../../shop/accounts/auth.server.ts");
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
      // An unverified email may be somebody else's, so this browser is not remembered as the owner's device.
      const device = emailVerified ? [deviceCookie(headers, id)] : [];
      const guestId = guestIdOf(headers);
      if (!guestId) return device;
      const { capped } = await mergeCart(db, guestId, id);
      return capped > 0 ? [...device, flashMessageCookie("cart-capped")] : device;
    },
  });
}

export const getAuth = (): Promise<Auth> => (kept.polaraAuth ??= open());
