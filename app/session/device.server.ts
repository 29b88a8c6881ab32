/** A browser in which somebody has signed in before: what strangers try elsewhere does not count against it. */
import { randomBytes } from "node:crypto";
import { config } from "../config.server.ts";
import { ownCookie } from "./cookie.server.ts";
import { openSigner } from "./signature.server.ts";

const YEAR_SECONDS = 365 * 24 * 3600;
const MAX_ACCOUNTS = 5;
const ID = /^[\w-]{22}$/;

const cookie = ownCookie("polara_device");
const signer = openSigner(config().secret, "device");

/** The cookie is the device's id, and a signature of it with each account that was signed in to, the last one first. */
function read(headers: Headers): { id: string; signatures: string[] } | null {
  const [id = "", ...signatures] = cookie.read(headers).split(".");
  return ID.test(id) && signatures.length <= MAX_ACCOUNTS ? { id, signatures } : null;
}

export const isDevice = (headers: Headers): boolean => read(headers) !== null;

/** The id of the device, where this account has been signed in to on it. */
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

/** The cookie of a browser in which this account has just been signed in to. It keeps its id, and so its count. */
export function deviceCookie(headers: Headers, userId: string) {
  const { id, signatures } = read(headers) ?? { id: randomBytes(16).toString("base64url"), signatures: [] };
  const own = signer.sign(`${id}\n${userId}`);
  return withAccount(id, userId, signatures.filter((other) => other !== own).slice(0, MAX_ACCOUNTS - 1));
}

/** The cookie of a browser that has set a new password by email: a device of its own, with nothing counted yet. */
export function newDevice(userId: string): string {
  const { value, maxAge } = withAccount(randomBytes(16).toString("base64url"), userId, []);
  return cookie.set(value, maxAge);
}
