/** Ids, hashes and webhook signatures. */
import { createHash, createHmac, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random text of the length of Stripe's ids. A session's id is the only key of its page. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

export const newId = (prefix: "ch" | "cus" | "dp" | "evt" | "pi" | "pm" | "re" | "seti"): string =>
  `${prefix}_${randomText(24)}`;

export const sha256 = (text: string, encoding: "hex" | "base64" = "hex"): string =>
  createHash("sha256").update(text).digest(encoding);

export const hmac = (secret: string, text: string, encoding: "hex" | "base64"): string =>
  createHmac("sha256", secret).update(text).digest(encoding);

/** The `Stripe-Signature` header of a webhook sent at `seconds`. */
export function signatureHeader(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`, "hex")}`;
}
