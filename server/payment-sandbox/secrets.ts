/** What nobody may guess, and what proves who sent something: ids, the secret key, signatures of webhooks. */
import { createHash, createHmac, randomInt, timingSafeEqual } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const randomText = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** As long as Stripe's own. A session's id is all that one needs to reach its page. */
export const newId = {
  session: () => `cs_test_${randomText(58)}`,
  intent: () => `pi_${randomText(24)}`,
  charge: () => `ch_${randomText(24)}`,
  refund: () => `re_${randomText(24)}`,
  dispute: () => `dp_${randomText(24)}`,
  paymentMethod: () => `pm_${randomText(24)}`,
  event: () => `evt_${randomText(24)}`,
  request: () => `req_${randomText(14)}`,
  challenge: () => randomText(24),
  secretKey: () => `sk_test_${randomText(48)}`,
};

export const clientSecret = (intentId: string): string => `${intentId}_secret_${randomText(25)}`;

export const sha256 = (text: string, encoding: "hex" | "base64" = "hex"): string =>
  createHash("sha256").update(text).digest(encoding);

/** In a time that tells nothing of how much agrees. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));

/** The `Stripe-Signature` header of a webhook that is sent at `seconds`. */
export function signatureHeader(secret: string, body: string, seconds: number): string {
  const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
