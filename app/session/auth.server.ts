/** The accounts of this process. better-auth is large, so it loads when the first visitor needs it. */
import { db, pool } from "../../db/connection.server.ts";
import type { Auth } from "../../shop/accounts/auth.server.ts";
import { GOOGLE_ISSUER as GOOGLE } from "../../shop/accounts/google/google.ts";
import { mergeCart } from "../../shop/cart/cart.server.ts";
import { guestIdOf } from "./guest.server.ts";
import { reportError } from "../http/log.server.ts";
import { noticeCookie } from "./flash-message.server.ts";
import { deviceCookie } from "./device.server.ts";
import { rateLimits } from "./rate-limits.server.ts";

const kept = globalThis as { polaraAuth?: Promise<Auth> };

export const isGoogleReady = () => Boolean(process.env.GOOGLE_CLIENT_ID && process.env.GOOGLE_CLIENT_SECRET);

/** The name of the site, which no password may be. */
export const shopHost = () => new URL(process.env.BASE_URL ?? "").hostname;

async function open(): Promise<Auth> {
  const { openAuth } = await import("../../shop/accounts/auth.server.ts");
  const { AUTH_SECRET_OLD, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = process.env;
  return openAuth(db, pool, {
    secret: process.env.AUTH_SECRET ?? "",
    formerSecrets: AUTH_SECRET_OLD ? AUTH_SECRET_OLD.split(",") : [],
    baseUrl: process.env.BASE_URL ?? "",
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
            issuer: GOOGLE_ISSUER || GOOGLE,
          }
        : null,
    report: reportError,
    rateLimits,
    async signedIn({ id, emailVerified }, headers) {
      // Whoever signs up with somebody's address has not shown that it is theirs.
      const device = emailVerified ? [deviceCookie(headers, id)] : [];
      const guestId = guestIdOf(headers);
      if (!guestId) return device;
      const { capped } = await mergeCart(db, guestId, id);
      return capped > 0 ? [...device, noticeCookie("cart-capped")] : device;
    },
  });
}

export const getAuth = (): Promise<Auth> => (kept.polaraAuth ??= open());
