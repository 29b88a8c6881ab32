/** Counts what visitors do against the shop's rate limits, in the database and so for all processes together. */
import type { RouterContextProvider } from "react-router";
import { db } from "../database.server.ts";
import { config } from "../config.server.ts";
import { callerContext } from "../http/client-address.ts";
import { accountLimits, deviceLimits, type AttemptKind } from "../../shop/accounts/account-limits.ts";
import { emailOwner } from "../../shop/accounts/account-changed.server.ts";
import { getUserId } from "../../shop/accounts/sessions/recent-verification.server.ts";
import { consumeMail } from "../../shop/mail/mail-budget.server.ts";
import type { AccountChange } from "../../shop/accounts/account-changed-email.server.ts";
import { networkOf } from "../../shop/rate-limits/network.ts";
import {
  openRateLimits,
  waitMessage,
  type RateLimit,
  type RateLimits,
} from "../../shop/rate-limits/rate-limits.server.ts";
import { repeatedEvent } from "../http/log.server.ts";
import { deviceIdOf, isDevice } from "./device.server.ts";

const kept = globalThis as { polaraRateLimits?: RateLimits };

const open = (): RateLimits =>
  openRateLimits(db, {
    scale: config().rateLimitScale,
    secret: config().secret,
    refused: (limits) => repeatedEvent("limit", { outcome: "limited", ...whatAndWhose(limits) }),
  });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** For the log: "sign-in" of a limit named "sign-in by address", and the email or account that a limit is about. */
function whatAndWhose(limits: RateLimit[]) {
  const subjects = limits.map(({ subject }) => subject);
  return {
    way: limits[0]?.name.split(/ (?:by|from|to) /)[0],
    email: subjects.find((subject) => subject.includes("@") && !subject.includes("|")),
    userId: subjects.find((subject) => UUID.test(subject)),
  };
}

export const rateLimits = (kept.polaraRateLimits ??= open());

/** What a caller is counted by: their IPv4 address, or the /64 network of their IPv6 one. */
export const callerNetwork = (context: Readonly<RouterContextProvider>): string =>
  networkOf(context.get(callerContext).address);

/** Counts an email to `to` that this caller causes. Returns the permit to queue it, or why there is none. */
export const consumeMailFor = (context: Readonly<RouterContextProvider>, to: string) =>
  consumeMail(rateLimits, { to, network: callerNetwork(context) });

/** Emails the owner of an account what this caller has changed in it. */
export const emailOwnerOf = (context: Readonly<RouterContextProvider>, userId: string, change: AccountChange) =>
  emailOwner(db, rateLimits, { userId, network: callerNetwork(context) }, change);

/** Counts one attempt. `refusal` is the message after too many, else null; `refund` takes back one that succeeded. */
export async function consumeLimits(limits: RateLimit[]) {
  const wait = await rateLimits.consume(limits);
  return { refusal: wait === null ? null : waitMessage(wait), refund: () => rateLimits.refund(limits) };
}

/** Counts one attempt of this caller at an account. */
export const consumeAttempt = (context: Readonly<RouterContextProvider>, kind: AttemptKind, account: string) =>
  consumeLimits(accountLimits(kind, { account, network: callerNetwork(context) }));

/** Counts one sign-in: by device where this account was signed in to on it before, else by account and address. */
export async function consumeSignIn(context: Readonly<RouterContextProvider>, headers: Headers, email: string) {
  const userId = isDevice(headers) ? await getUserId(db, email) : null;
  const deviceId = userId && deviceIdOf(headers, userId);
  return userId && deviceId ? consumeLimits(deviceLimits(userId, deviceId)) : consumeAttempt(context, "sign-in", email);
}
