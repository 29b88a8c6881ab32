/**
 * A code of an authenticator app works once, and only in its own 30 seconds: whoever looks over a shoulder, or sends it
 * twice at the same moment, is refused.
 */
import { createOTP } from "@better-auth/utils/otp";
import { symmetricDecrypt, type SecretConfig } from "better-auth/crypto";
import { sql } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { twoFactors } from "../account.tables.ts";

const STEP_MS = 30_000;

/** What the app's secrets are sealed with. */
export type SecretKey = string | SecretConfig;

/**
 * Whether `code` is that of the present 30 seconds, for `factor` whose secret `key` opens. A right one is marked as used.
 * Of two at once one is right, and the other was used before.
 */
export async function checkAppCode(
  db: Database,
  key: SecretKey,
  factor: { id: string; secret: string },
  code: unknown,
): Promise<"right" | "wrong" | "used"> {
  const secret = await symmetricDecrypt({ key, data: factor.secret });
  const step = Math.floor(Date.now() / STEP_MS);
  if (code !== (await createOTP(secret).hotp(step))) return "wrong";
  const used = await db
    .update(twoFactors)
    .set({ lastUsedStep: step })
    .where(sql`${twoFactors.id} = ${factor.id} AND coalesce(${twoFactors.lastUsedStep}, 0) < ${step}`)
    .returning({ id: twoFactors.id });
  return used.length > 0 ? "right" : "used";
}
