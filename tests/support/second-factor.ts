/** Second factors: authenticator apps, and accounts that have one. */
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { symmetricEncrypt } from "better-auth/crypto";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import { renewBackupCodes } from "#shop/accounts/second-factor.server.ts";

/** Gives an account a second factor with no used code; its sessions count as opened with it. */
export async function giveSecondFactor({ db, pool }: { db: Database; pool: Pool }, secret: string, userId: string) {
  const key = "a key that an app would hold by now";
  const sealed = await symmetricEncrypt({ key: secret, data: key });
  await pool.query("INSERT INTO two_factors (user_id, secret, backup_codes) VALUES ($1, $2, '[]')", [userId, sealed]);
  await pool.query("UPDATE users SET two_factor_enabled = true WHERE id = $1", [userId]);
  await pool.query("UPDATE sessions SET aal = 'aal2' WHERE user_id = $1", [userId]);
  return { code: () => codeOf(key), backupCodes: await renewBackupCodes(db, userId) };
}

const STEP_MS = 30_000;
/** Seconds a test needs to send a code within its step. */
const MARGIN_MS = 4_000;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The code of the current step, or `later` steps after it. */
export async function codeOf(secret: string, later = 0): Promise<string> {
  const left = STEP_MS - (Date.now() % STEP_MS);
  // A timer may end a millisecond early, within the step before.
  if (left < MARGIN_MS) await sleep(left + 10);
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

/** The backup codes that a page of Settings shows once. */
export const backupCodesIn = (html: string) =>
  [...html.matchAll(/<li>([^<\s]+)<\/li>/g)]
    .map(([, code = ""]) => code)
    .filter((code) => code.split("-").length === 4);
