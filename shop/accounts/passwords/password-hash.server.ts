/** Password hashes: scrypt at OWASP's recommended cost, one at a time, because each takes 128 MB. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

type Cost = { N: number; r: number; p: number };

/** 128 MB and about 0.3 s a password. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** About six seconds of work. */
const MAX_WAITING = 20;
/** On a machine that is slower than that, a visitor hears of it before the connection closes (SILENCE_MS of the server). */
const MAX_WAIT_MS = 20_000;

/** Too many hashes are waiting, or they took too long. The message is shown to the visitor. */
export class BusyError extends Error {
  override name = "BusyError";
  constructor() {
    super("The shop is busy signing people in. Please try again in a moment.");
  }
}

/** Admits up to `maxInside` tasks and throws BusyError for the next. */
function openGate(maxInside: number) {
  let inside = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside >= maxInside) throw new BusyError();
    inside++;
    return work().finally(() => inside--);
  };
}

/** Runs one task at a time in order of arrival; throws BusyError if the queue is full, or its turn comes too late. */
export function openQueue(maxWaiting: number) {
  const enter = openGate(maxWaiting);
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> =>
    enter(() => {
      const since = performance.now();
      const result = last.then(() => {
        if (performance.now() - since > MAX_WAIT_MS) throw new BusyError();
        return work();
      });
      last = result.catch(() => {});
      return result;
    });
}

/** Sign-ins and sign-ups pass this gate before they use the database. */
export const signInGate = openGate(MAX_WAITING);

const queue = openQueue(MAX_WAITING);

const derive = (password: string, salt: Buffer, cost: Cost) =>
  queue(() =>
    promisify<string, Buffer, number, object, Buffer>(scrypt)(password, salt, KEY_BYTES, {
      ...cost,
      maxmem: 2 * 128 * cost.N * cost.r,
    }),
  );

const encode = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

const made = new AsyncLocalStorage<string>();

/** Hashes a password as `$scrypt$ln=17,r=8,p=1$salt$key`. Throws BusyError if too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const ready = made.getStore();
  if (ready) return ready;
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return `$scrypt$ln=${Math.log2(COST.N)},r=${COST.r},p=${COST.p}$${encode(salt)}$${encode(key)}`;
}

/**
 * Hashes a password before the work that needs it: better-auth hashes inside a transaction, which would keep a database
 * connection waiting.
 */
export async function withHashed<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
  return made.run(await hashPassword(password), work);
}

/** Verifies a password against a hash, at the cost that the hash names. Throws BusyError if too many wait. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt, key] = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  if (!salt || !key) throw new Error("This is no hash of a password.");
  const derived = await derive(password, Buffer.from(salt, "base64"), {
    N: 2 ** Number(ln),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(derived, Buffer.from(key, "base64"));
}
