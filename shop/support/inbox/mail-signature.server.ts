/** Signature of raw mail that comes by a webhook: `t=<unix seconds>,v1=<HMAC-SHA256 of "t.mail" in hex>`, as Stripe signs. */
import { createHmac } from "node:crypto";
import { isSame } from "#shop/purpose-key.server.ts";

const TOLERANCE_SECONDS = 300;

export function isSignedMail(header: string, raw: Uint8Array, secret: string, now: Date): boolean {
  const [, time = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const made = createHmac("sha256", secret).update(`${time}.`).update(raw).digest("hex");
  return isSame(made, given);
}
