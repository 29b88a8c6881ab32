/** What is kept of a password: scrypt at the cost that OWASP asks for, and what it cost, so that the cost can rise. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { passwordQueue } from "./password-queue.ts";

type Cost = { N: number; r: number; p: number };

/** 128 MB and about a third of a second a password. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** How the shop hashed before it said so in the hash: `salt:key` in hex, the salt taken as text. */
const FORMER: Cost = { N: 2 ** 14, r: 16, p: 1 };

/** `isFolded`: made when a password was brought into the Unicode form NFKC, and not taken as typed. */
type Recipe = { cost: Cost; isFolded: boolean; salt: string | Buffer; key: { length: number } };
type Kept = Recipe & { key: Buffer };

const encode = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

function derive(password: string, { cost, isFolded, salt, key }: Recipe) {
  const text = isFolded ? password.normalize("NFKC") : password;
  return passwordQueue(
    () =>
      new Promise<Buffer>((done, failed) => {
        const options = { ...cost, maxmem: 2 * 128 * COST.N * COST.r };
        scrypt(text, salt, key.length, options, (error, derived) => (error ? failed(error) : done(derived)));
      }),
  );
}

function read(hash: string): Kept {
  const [, name, ln, r, p, salt, key] =
    /^\$(scrypt|scrypt-x)\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  if (salt && key) {
    const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
    const isFolded = name === "scrypt";
    return { cost, isFolded, salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
  }
  const [formerSalt, formerKey] = hash.split(":");
  if (!formerSalt || !formerKey) throw new Error("This is no hash of a password.");
  return { cost: FORMER, isFolded: true, salt: formerSalt, key: Buffer.from(formerKey, "hex") };
}

const made = new AsyncLocalStorage<string>();

/** Hashes what was typed as `$scrypt-x$ln=17,r=8,p=1$salt$key`, when its turn comes; BusyError where too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const ready = made.getStore();
  if (ready) return ready;
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { cost: COST, isFolded: false, salt, key: { length: KEY_BYTES } });
  return `$scrypt-x$ln=${Math.log2(COST.N)},r=${COST.r},p=${COST.p}$${encode(salt)}$${encode(key)}`;
}

/**
 * Hashes a password first and then does the work, which finds it done: where better-auth hashes within a
 * transaction, a connection to the database would otherwise wait in line, too.
 */
export async function withHashed<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
  return made.run(await hashPassword(password), work);
}

/** Whether this is the password of a hash, of now or of before; BusyError where too many wait. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const kept = read(hash);
  const key = await derive(password, kept);
  return timingSafeEqual(key, kept.key);
}

/** Whether a hash is another than a new one would be: of another cost, or not of what was typed. */
export function isFormerHash(hash: string): boolean {
  return read(hash).isFolded || hasOtherCost(hash);
}

/** Whether to compute a hash takes another time than that of a new one. */
export function hasOtherCost(hash: string): boolean {
  const { N, r, p } = read(hash).cost;
  return N !== COST.N || r !== COST.r || p !== COST.p;
}
