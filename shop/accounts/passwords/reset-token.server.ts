/** The token in the link that sets a new password: it works for an hour and once. */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "../../../db/connection.server.ts";
import { verifications } from "../account.tables.ts";

export const RESET_LINK_SECONDS = 3600;

/** What stands in the database of a reset token, as better-auth looks for it: nobody who reads it there can use it. */
const storedReset = (token: string) => createHash("sha256").update(`reset-password:${token}`).digest("base64url");

/** A token for auth.api.resetPassword. */
export async function makeResetToken(db: Database, userId: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db.insert(verifications).values({
    identifier: storedReset(token),
    value: userId,
    expiresAt: new Date(Date.now() + RESET_LINK_SECONDS * 1000),
  });
  return token;
}

/** The id of the user whose password a link from a mail still sets, or null. Looking does not use it up. */
export async function findResetUser(db: Database, token: string): Promise<string | null> {
  const [found] = await db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, storedReset(token)), gt(verifications.expiresAt, new Date())));
  return found?.userId ?? null;
}

/** Ends every link that would set this user's password, and every sign-in that waits for its second factor. */
export async function endResetLinks(db: DatabaseOrTransaction, userId: string): Promise<void> {
  await db.delete(verifications).where(eq(verifications.value, userId));
}
