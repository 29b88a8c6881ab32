/** The log: one JSON line for each event on standard output, without personal data. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import pino from "pino";
import { purposeKey } from "#shop/purpose-key.server.ts";
import { networkOf } from "#shop/rate-limits/rate-limits.server.ts";
import { config } from "./config.server.ts";
import { describeError, maskEmails } from "./describe-error.ts";

/** The request of a log line; the address is computed on demand. */
type LoggedRequest = { id: string; path: string; address: () => string };

const requests = new AsyncLocalStorage<LoggedRequest>();

/**
 * Buffered writes: one for each line would take a fifth of a page's time. Pipes take 4096 bytes atomically, so lines of
 * several processes do not mix.
 */
const destination = pino.destination({ sync: false, minLength: 3072, maxWrite: 4096, periodicFlush: 250 });

export const log = pino(
  {
    level: import.meta.env?.MODE === "test" ? "warn" : "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin() {
      const request = requests.getStore();
      return request ? { request: request.id } : {};
    },
  },
  destination,
);

export const flushLog = (): void => destination.flushSync();

/** Runs `handler` within a request, whose id is on each log line. */
export const asRequest = <Result>(request: LoggedRequest, handler: () => Result): Result =>
  requests.run(request, handler);

export const requestId = (): string | null => requests.getStore()?.id ?? null;

/** Queries are not logged, since they contain search terms and keys. */
export const logPath = (path: string): string => maskEmails(path);

type Fields = Record<string, string | number | boolean | undefined>;

/** Logs an error. `what` names the failed operation; `fields` are ids and codes, never personal data. */
export function reportError(error: unknown, what: string, fields: Fields = {}): void {
  log.error({ ...fields, error: describeError(error) }, what);
}

type SecurityFields = {
  outcome: "ok" | "refused" | "limited";
  way?: string;
  userId?: string | undefined;
  /** The account concerned, if nobody is signed in. */
  email?: string | undefined;
  reason?: string;
};

/** A keyed hash: equal for equal emails, and not reversible without the secret. */
const emailHash = (email: string) =>
  createHmac("sha256", purposeKey(config().secret, "log"))
    .update(`email:${email.trim().toLowerCase()}`)
    .digest("hex")
    .slice(0, 16);

/**
 * Logs changes of accounts and permissions with user and address, for the analysis of an attack. The privacy policy
 * mentions it.
 */
export function securityEvent(event: string, { email, ...fields }: SecurityFields): void {
  const request = requests.getStore();
  log.info(
    {
      security: event,
      ...fields,
      ...(email && { emailHash: emailHash(email) }),
      ...(request && { address: request.address(), path: logPath(request.path) }),
    },
    "security event",
  );
}

const MINUTE_MS = 60_000;
const MAX_LOGGED = 10_000;
const loggedUntil = new Map<string, number>();

/** A securityEvent that anybody can trigger: logged once a minute for each network. */
export function repeatedEvent(event: string, fields: SecurityFields): void {
  const key = `${event}|${fields.way}|${networkOf(requests.getStore()?.address() ?? "")}`;
  const now = performance.now();
  if (now < (loggedUntil.get(key) ?? 0)) return;
  if (loggedUntil.size >= MAX_LOGGED) loggedUntil.clear();
  loggedUntil.set(key, now + MINUTE_MS);
  securityEvent(event, fields);
}

type NotYours = "account" | "cart" | "claim" | "order" | "order-key" | "session" | "unverified" | "wishlist";

/** Logs access to another user's resource, or to one's own before verification. */
export const refusedToOthers = (way: NotYours, userId?: string): void =>
  repeatedEvent("not-yours", { outcome: "refused", way, userId });
