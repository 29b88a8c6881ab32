/** Second factors: authenticator codes, valid once in their own 30 seconds, and backup codes, stored as hashes. */
import { createHash, randomInt } from "node:crypto";
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthPlugin, GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { type SecretConfig, symmetricDecrypt } from "better-auth/crypto";
import type { BackupCodeOptions } from "better-auth/plugins";
import { eq, sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { sessions, twoFactors, users } from "./account.tables.ts";

const STEP_MS = 30_000;

export type SecretKey = string | SecretConfig;

/**
 * Checks a code of the current 30 seconds and marks it as used. Of two simultaneous requests one is right and the other
 * used.
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

const CODES = 10;
/** Alphabet without look-alikes; 28 characters are 140 bits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_CHARACTERS = 7;

const makeGroup = () => Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
const makeCode = () => Array.from({ length: GROUPS }, makeGroup).join("-");

/** Case, spaces, dashes and look-alikes are forgiven. */
function hashCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return `sha256:${createHash("sha256").update(code).digest("base64url")}`;
}

/** better-auth makes no codes and compares what is stored: the hashes of renewBackupCodes. */
export const backupCodeOptions: BackupCodeOptions = { customBackupCodesGenerate: () => [], storeBackupCodes: "plain" };

/** Replaces a customer's codes and returns the new ones, the only time they are known. */
export async function renewBackupCodes(db: Database, customerId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode);
  await db
    .update(twoFactors)
    .set({ backupCodes: JSON.stringify(codes.map(hashCode)) })
    .where(eq(twoFactors.userId, customerId));
  return codes;
}

/** Removes a lost second factor and ends the account's sessions. Returns the account's email. */
export async function removeSecondFactor(tx: DatabaseOrTransaction, userId: string): Promise<{ email: string }> {
  await tx.delete(twoFactors).where(eq(twoFactors.userId, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  const [user] = await tx
    .update(users)
    .set({ twoFactorEnabled: false })
    .where(eq(users.id, userId))
    .returning({ email: users.email });
  if (!user) throw new Error("no such account");
  return user;
}

/** The user of the session, or of the password shown just now. */
async function userOf(ctx: GenericEndpointContext): Promise<{ userId: string; hasSession: boolean } | null> {
  const session = await getSessionFromCtx(ctx, { disableRefresh: true });
  if (session) return { userId: session.user.id, hasSession: true };
  const { name } = ctx.context.createAuthCookie("two_factor");
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  const userId = challenge && (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value;
  return userId ? { userId, hasSession: false } : null;
}

/**
 * Runs before better-auth's checks. Its check of app codes also accepts neighboring steps: only the current step's code
 * is passed on. Backup codes are hashed before the comparison, so that a stored hash is no code.
 */
export function secondFactorHooks(db: Database) {
  const appCode = createAuthMiddleware(async (ctx) => {
    const user = await userOf(ctx);
    if (!user) return;
    const [factor] = await db.select().from(twoFactors).where(eq(twoFactors.userId, user.userId));
    // A locked factor reveals nothing about the code; sessions are not locked.
    const isLocked = factor?.lockedUntil && factor.lockedUntil > new Date();
    if (!factor || (isLocked && !user.hasSession)) return;
    const { code, ...body } = ctx.body as { code: string };
    const is = await checkAppCode(db, ctx.context.secretConfig, factor, code);
    // better-auth counts an empty code as wrong.
    if (is === "wrong") return { context: { body: { ...body, code: "" } } };
    if (is === "right") return;
    throw new APIError("UNAUTHORIZED", { code: "CODE_ALREADY_USED", message: "That code was used already" });
  });
  const backupCode = createAuthMiddleware(async (ctx) => {
    const { code, ...body } = ctx.body as { code: string };
    return { context: { body: { ...body, code: hashCode(code) } } };
  });
  return {
    id: "second-factor-hooks",
    hooks: {
      before: [
        { matcher: ({ path }) => path === "/two-factor/verify-totp", handler: appCode },
        { matcher: ({ path }) => path === "/two-factor/verify-backup-code", handler: backupCode },
      ],
    },
  } satisfies BetterAuthPlugin;
}
