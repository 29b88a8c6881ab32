/** Sender of a request, and the limits of requests that it uses. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { rateLimits } from "#app/session/rate-limits.server.ts";
import { heldSession } from "#app/session/staff.server.ts";
import { proxyTrust, type Caller } from "#platform/client-address.ts";
import { config } from "#platform/config.server.ts";
import { repeatedEvent, reportError } from "#platform/log.server.ts";
import { networkOf } from "#shop/rate-limits/rate-limits.server.ts";
import { openRequestLimits, type RequestKind } from "./request-limits.ts";

/** Requests of the page cache itself have no `incoming`. */
export type Served = { Bindings: { incoming?: IncomingMessage }; Variables: { caller?: Caller } };

const { rateLimitScale, trustProxy } = config();
const trusted = proxyTrust(trustProxy);
const consumeRequest = openRequestLimits(rateLimits, rateLimitScale, (error) =>
  reportError(error, "requests are counted by this process alone"),
);

export function callerOf(c: Context<Served>): Caller {
  const known = c.get("caller") ?? trusted(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? "");
  c.set("caller", known);
  return known;
}

/** The network, or the member, whose team shares one. */
export const subjectOf = (c: Context<Served>): string =>
  heldSession(c.req.raw.headers)?.staffId ?? networkOf(callerOf(c).address);

/** Consumes one request, or with a cost of 0 only asks. Returns null, or the seconds to wait. */
export function consume(c: Context<Served>, kind: RequestKind, cost: 0 | 1 = 1): number | null {
  const wait = consumeRequest(kind, subjectOf(c), cost);
  if (wait !== null) repeatedEvent("limit", { outcome: "limited", way: kind });
  return wait;
}

export const tooMany = (c: Context, wait: number): Response =>
  c.text("That was a lot at once. Wait a minute, then try again.", 429, { "Retry-After": String(wait) });

/** Consumes one form. Returns the refusal of one too many. */
export function refuseMany(c: Context<Served>): Response | null {
  const wait = consume(c, "writes");
  return wait === null ? null : tooMany(c, wait);
}
