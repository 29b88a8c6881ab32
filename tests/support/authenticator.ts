/** An authenticator app: what it shows for the secret that it was given. */
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { Pool } from "pg";

const STEP_MS = 30_000;
/** What a test needs to send a code that it has read, so that the step does not end on the way, on a busy machine too. */
const MARGIN_MS = 8_000;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What an app with this secret shows in the present step of time, or shows `later` steps from it. */
export async function codeOf(secret: string, later = 0): Promise<string> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < MARGIN_MS) await sleep(left);
  return createOTP(secret).hotp(Math.floor(Date.now() / STEP_MS) + later);
}

/** As if a while had gone by: the code of now was not used before. */
export const forgetUsedCodes = (pool: Pool, email: string) =>
  pool.query(
    "UPDATE two_factors SET last_used_step = NULL FROM users WHERE users.id = two_factors.user_id AND email = $1",
    [email],
  );

/** As if the code of now were the next one after that which was used last. */
export const ageUsedCode = (pool: Pool, email: string) =>
  pool.query(
    "UPDATE two_factors SET last_used_step = $2 FROM users WHERE users.id = two_factors.user_id AND email = $1",
    [email, Math.floor(Date.now() / STEP_MS) - 1],
  );

export class Authenticator {
  #secret: string;

  /** `uri` is what the page's QR code says. */
  constructor(uri: string) {
    this.#secret = new TextDecoder().decode(base32.decode(new URL(uri).searchParams.get("secret") ?? ""));
  }

  /** The code of now, or of a later step. */
  code(later = 0): Promise<string> {
    return codeOf(this.#secret, later);
  }
}

/** The text of the QR code in a page of Settings. */
export const uriIn = (html: string) =>
  (/name="uri"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");
