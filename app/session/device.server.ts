/** Knows a browser in which an account was signed in to before. Wrong passwords from elsewhere do not lock it out. */
import { randomBytes } from "node:crypto";
import { config } from "../config.server.ts";
import { ownCookie } from "./cookie.server.ts";
import { openSigner } from "./signature.server.ts";

const YEAR_SECONDS = 365 * 24 * 3600;
const MAX_ACCOUNTS = 5;
const ID = /^[\w-]{22}$/;

const cookie = ownCookie("polara_device");
const signer = openSigner(config().secret, "device");

/** The cookie holds the device's id and, newest first, a signature of it with each account that was signed in to. */
function read(headers: Headers): { id: string; signatures: string[] } | null {
  const [id = "", ...signatures] = cookie.read(headers).split(".");
  return ID.test(id) && signatures.length <= MAX_ACCOUNTS ? { id, signatures } : null;
}

export const isDevice = (headers: Headers): boolean => read(headers) !== null;

/** The device's id, where this account was signed in to on it before; else null. */
export function deviceIdOf(headers: Headers, userId: string): string | null {
  const device = read(headers);
  const text = `${device?.id}\n${userId}`;
  return device?.signatures.some((signature) => signer.isSigned(text, signature)) ? device.id : null;
}

const withAccount = (id: string, userId: string, others: string[]) => ({
  name: cookie.name,
  value: [id, signer.sign(`${id}\n${userId}`), ...others].join("."),
  maxAge: YEAR_SECONDS,
});

/** The cookie after a sign-in to this account. The device keeps its id, and with it the attempts counted so far. */
export function deviceCookie(headers: Headers, userId: string) {
  const { id, signatures } = read(headers) ?? { id: randomBytes(16).toString("base64url"), signatures: [] };
  const own = signer.sign(`${id}\n${userId}`);
  return withAccount(id, userId, signatures.filter((other) => other !== own).slice(0, MAX_ACCOUNTS - 1));
}

/** The cookie after a new password was set by email: a new device, with no attempts counted yet. */
export function newDevice(userId: string): string {
  const { value, maxAge } = withAccount(randomBytes(16).toString("base64url"), userId, []);
  return cookie.set(value, maxAge);
}
