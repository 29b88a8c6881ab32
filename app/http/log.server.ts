/** The only way into the log: one JSON line for each event on standard output, without anything that somebody typed. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import pino from "pino";
import { purposeKey } from "../../shop/purpose-key.server.ts";
import { networkOf } from "../../shop/rate-limits/network.ts";
import { config } from "../config.server.ts";
import { describeError, maskEmails } from "./describe-error.ts";

/** The request that a line belongs to. Its address is worked out only for lines that contain it. */
type LoggedRequest = { id: string; path: string; address: () => string };

const requests = new AsyncLocalStorage<LoggedRequest>();

/**
 * Writes many lines at once: a write for each would take a fifth of the time of a page. No more than a pipe takes in one
 * piece, so that the lines of several processes do not mix.
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

/** Writes the lines that are still waiting, before the process ends. */
export const flushLog = (): void => destination.flushSync();

/** Runs `handler` as part of one request: each line that it logs has the request's id. */
export const asRequest = <Result>(request: LoggedRequest, handler: () => Result): Result =>
  requests.run(request, handler);

/** The id of this request in the log. */
export const requestId = (): string | null => requests.getStore()?.id ?? null;

/** Paths only, never queries: those hold what was searched for, and keys. */
export const logPath = (path: string): string => maskEmails(path);

type Fields = Record<string, string | number | boolean | undefined>;

/** Logs an error. `what` is what did not work, in words of ours; `fields` are ids and codes, never what was typed. */
export function reportError(error: unknown, what: string, fields: Fields = {}): void {
  log.error({ ...fields, error: describeError(error) }, what);
}

export type SecurityFields = {
  outcome: "ok" | "refused" | "limited";
  /** How somebody signed in, or what was limited. */
  way?: string;
  userId?: string | undefined;
  /** Where nobody is signed in: whose account was meant. */
  email?: string | undefined;
  /** A code, or a fixed text of the shop. */
  reason?: string;
};

/** The same email always has the same hash, and without the secret nobody can tell whose it is. */
const emailHash = (email: string) =>
  createHmac("sha256", purposeKey(config().secret, "log"))
    .update(`email:${email.trim().toLowerCase()}`)
    .digest("hex")
    .slice(0, 16);

/**
 * Logs what an operator looks for after an attack: what happened to an account or to a permission, how it ended, by
 * whom, and from which address. The privacy policy says so.
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

/** As securityEvent, for what anybody can send without end: one line a minute for each network. */
export function repeatedEvent(event: string, fields: SecurityFields): void {
  const key = `${event}|${fields.way}|${networkOf(requests.getStore()?.address() ?? "")}`;
  const now = performance.now();
  if (now < (loggedUntil.get(key) ?? 0)) return;
  if (loggedUntil.size >= MAX_LOGGED) loggedUntil.clear();
  loggedUntil.set(key, now + MINUTE_MS);
  securityEvent(event, fields);
}

type NotYours = "account" | "cart" | "claim" | "order" | "order-key" | "session" | "unverified" | "wishlist";

/** Somebody asked for what is not theirs, or not theirs yet. */
export const refusedToOthers = (way: NotYours, userId?: string): void =>
  repeatedEvent("not-yours", { outcome: "refused", way, userId });
