/** The one way into the log: a JSON line an event on standard output, without anything that somebody typed. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import pino from "pino";
import { purposeKey } from "../../shop/purpose-key.server.ts";
import { describeError, maskEmails } from "./describe-error.ts";

const requests = new AsyncLocalStorage<string>();

/** Many lines at a time: writing each by itself would be a fifth of a page. */
const destination = pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 });

export const log = pino(
  {
    level: process.env.NODE_ENV === "test" ? "warn" : "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin() {
      const request = requests.getStore();
      return request ? { request } : {};
    },
  },
  destination,
);

/** Writes what still waits, before the process ends. */
export const flushLog = (): void => destination.flushSync();

/** Runs `act` as part of one request: each line that it logs carries the request's id. */
export const asRequest = <Result>(id: string, act: () => Result): Result => requests.run(id, act);

/** Paths only, never queries: those hold what was searched for, and keys. */
export const logPath = (path: string): string => maskEmails(path);

type Fields = Record<string, string | number | boolean | undefined>;

/** Logs an error. `what` is what did not work, in words of ours; `fields` are ids and codes, never what was typed. */
export function reportError(error: unknown, what: string, fields: Fields = {}): void {
  log.error({ ...fields, error: describeError(error) }, what);
}

/** What happened to an account or to a permission, and by whom. */
type SecurityFields = { userId?: string; email?: string; address?: string; path?: string; reason?: string };

/**
 * Logs what an operator looks for after an attack. Emails and addresses of callers are written as keyed hashes: the
 * same one is known again, and nobody is named.
 */
export function securityEvent(event: string, { email, address, path, ...fields }: SecurityFields): void {
  const hash = (kind: string, value: string) =>
    createHmac("sha256", purposeKey(process.env.AUTH_SECRET ?? "", "log"))
      .update(`${kind}:${value}`)
      .digest("hex")
      .slice(0, 16);
  log.info(
    {
      security: event,
      ...fields,
      ...(path && { path: logPath(path) }),
      ...(email && { emailHash: hash("email", email.trim().toLowerCase()) }),
      ...(address && { addressHash: hash("address", address) }),
    },
    "security event",
  );
}
