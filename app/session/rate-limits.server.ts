/** Rate limits, counted in the database for all processes. */
import type { RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { config } from "#platform/config.server.ts";
import { callerContext } from "#platform/client-address.ts";
import { accountLimits, deviceLimits, type AttemptKind } from "#shop/accounts/account-limits.ts";
import { type AccountChange, emailOwner } from "#shop/accounts/account-emails.server.ts";
import { accountOf } from "#shop/accounts/customers.server.ts";
import { consumeMail } from "#shop/mail/enqueue-email.server.ts";
import {
  networkOf,
  openRateLimits,
  waitMessage,
  type RateLimit,
  type RateLimits,
} from "#shop/rate-limits/rate-limits.server.ts";
import { repeatedEvent } from "#platform/log.server.ts";
import { deviceIdOf } from "./cookies.server.ts";
import { singleton } from "#shop/singleton.ts";

const open = (): RateLimits =>
  openRateLimits(db, {
    scale: config().rateLimitScale,
    secret: config().secret,
    refused: (limits) => repeatedEvent("limit", { outcome: "limited", ...limitFields(limits) }),
  });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** For the log: "sign-in" of "sign-in by address", and the email or account of a limit. */
function limitFields(limits: RateLimit[]) {
  const subjects = limits.map(({ subject }) => subject);
  return {
    way: limits[0]?.name.split(/ (?:by|from|to) /)[0],
    email: subjects.find((subject) => subject.includes("@") && !subject.includes("|")),
    userId: subjects.find((subject) => UUID.test(subject)),
  };
}

export const rateLimits = singleton("rate limits", open);

/** IPv4 address or IPv6 /64 network. */
export const callerNetwork = (context: Readonly<RouterContextProvider>): string =>
  networkOf(context.get(callerContext).address);

/** Counts an email to `to` caused by this client. Returns the permit to queue it, or a refusal. */
export const consumeMailFor = (
  context: Readonly<RouterContextProvider>,
  to: string,
  purpose?: Parameters<typeof consumeMail>[2],
) => consumeMail(rateLimits, { to, network: callerNetwork(context) }, purpose);

export const emailOwnerOf = (context: Readonly<RouterContextProvider>, userId: string, change: AccountChange) =>
  emailOwner(db, rateLimits, { userId, network: callerNetwork(context) }, change);

/** Counts an attempt. `refusal` is a message if there were too many; `refund` removes a successful one. */
export async function consumeLimits(limits: RateLimit[]) {
  const refused = await rateLimits.consume(limits);
  return { refusal: refused && waitMessage(refused.wait), refund: () => rateLimits.refund(limits) };
}

export const consumeAttempt = (context: Readonly<RouterContextProvider>, kind: AttemptKind, account: string) =>
  consumeLimits(accountLimits(kind, { account, network: callerNetwork(context) }));

/** Counts a sign-in: by known device, else by account and address. */
export async function consumeSignIn(context: Readonly<RouterContextProvider>, headers: Headers, email: string) {
  const userId = await accountOf(db, email);
  const deviceId = userId && deviceIdOf(headers, userId);
  return userId && deviceId ? consumeLimits(deviceLimits(userId, deviceId)) : consumeAttempt(context, "sign-in", email);
}
