/** A second factor for somebody, made in the database: no code of it has been used yet. */
import { symmetricEncrypt } from "better-auth/crypto";
import type { Pool } from "pg";
import type { Database } from "../../db/connection.server.ts";
import { renewBackupCodes } from "../../shop/accounts/second-factor/backup-codes.server.ts";
import { codeOf } from "./authenticator.ts";

export type SecondFactor = {
  /** What the app shows now. */
  code: () => Promise<string>;
  backupCodes: string[];
};

/** Every session of theirs counts as opened with it. */
export async function giveSecondFactor(
  { db, pool }: { db: Database; pool: Pool },
  secret: string,
  userId: string,
): Promise<SecondFactor> {
  const key = "a key that an app would hold by now";
  const sealed = await symmetricEncrypt({ key: secret, data: key });
  await pool.query("INSERT INTO two_factors (user_id, secret, backup_codes) VALUES ($1, $2, '[]')", [userId, sealed]);
  await pool.query("UPDATE users SET two_factor_enabled = true WHERE id = $1", [userId]);
  await pool.query("UPDATE sessions SET aal = 'aal2' WHERE user_id = $1", [userId]);
  return { code: () => codeOf(key), backupCodes: await renewBackupCodes(db, userId) };
}
