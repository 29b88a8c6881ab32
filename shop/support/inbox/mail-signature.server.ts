/** Signature of raw mail that comes by a webhook: `t=<unix seconds>,v1=<HMAC-SHA256 of "t.mail" in hex>`, as Stripe signs. */
import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

export function isSignedMail(header: string, raw: Uint8Array, secret: string, now: Date): boolean {
  const [, time = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const made = createHmac("sha256", secret).update(`${time}.`).update(raw).digest("hex");
  return given.length === made.length && timingSafeEqual(Buffer.from(given), Buffer.from(made));
}
