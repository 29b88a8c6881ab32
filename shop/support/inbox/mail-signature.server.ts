/** Signature of raw mail that comes by a webhook: `t=<unix seconds>,v1=<HMAC-SHA256 of "t.mail" in hex>`, as Stripe signs. */
import { createHmac } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isSame } from "#shop/purpose-key.server.ts";

const TOLERANCE_SECONDS = 300;

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/** False for a header that signs no email: it lacks the form of a signature, or is too old. */
export function looksSigned(header: string, now: Date): boolean {
  const [, time] = SIGNATURE.exec(header) ?? [];
  return time !== undefined && Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE_SECONDS;
}

const STEP_BYTES = 1024 * 1024;

export async function isSignedMail(header: string, raw: Uint8Array, secret: string, now: Date): Promise<boolean> {
  const [, time = "", given = ""] = SIGNATURE.exec(header) ?? [];
  if (!looksSigned(header, now)) return false;
  const mac = createHmac("sha256", secret).update(`${time}.`);
  for (let at = 0; at < raw.length; at += STEP_BYTES) {
    mac.update(raw.subarray(at, at + STEP_BYTES));
    // Other requests go on meanwhile.
    await setImmediate();
  }
  return isSame(mac.digest("hex"), given);
}
