/** Backup codes: shown once, kept only as hashes, each good for one sign-in or proof. */
import { createHash, randomInt } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { BackupCodeOptions } from "better-auth/plugins";
import { eq } from "drizzle-orm";
import type { Database } from "../../../db/connection.server.ts";
import { twoFactors } from "../account.tables.ts";

const CODES = 10;
/** 32 characters that cannot be taken for one another; 28 of them are 140 bits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_CHARACTERS = 7;
const HASHED = "sha256:";

const makeGroup = () => Array.from({ length: GROUP_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
const makeCode = () => Array.from({ length: GROUPS }, makeGroup).join("-");
const makeCodes = () => Array.from({ length: CODES }, makeCode);

/** Capitals, spaces and dashes are as one likes, and what looks alike is alike. */
function hashCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return HASHED + createHash("sha256").update(code).digest("base64url");
}

const hashCodes = (codes: string[]) =>
  JSON.stringify(codes.map((code) => (code.startsWith(HASHED) ? code : hashCode(code))));

/** How better-auth makes and keeps them. Codes of before, which were encrypted with `secret`, still work. */
export const backupCodeOptions = (secret: string) =>
  ({
    customBackupCodesGenerate: makeCodes,
    storeBackupCodes: {
      encrypt: async (json: string) => hashCodes(JSON.parse(json) as string[]),
      decrypt: async (kept: string) =>
        kept.startsWith("[")
          ? kept
          : hashCodes(JSON.parse(await symmetricDecrypt({ key: secret, data: kept })) as string[]),
    },
  }) satisfies BackupCodeOptions;

/** What is typed is hashed before it is compared, so that a hash from the database is no code. */
export function hashedBackupCodes() {
  return {
    id: "hashed-backup-codes",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/two-factor/verify-backup-code",
          handler: createAuthMiddleware(async (ctx) => {
            const { code, ...body } = ctx.body as { code: string };
            return { context: { body: { ...body, code: hashCode(code) } } };
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** New codes for a customer with a second factor, in the place of those before. This is the only time they are known. */
export async function renewBackupCodes(db: Database, customerId: string): Promise<string[]> {
  const codes = makeCodes();
  await db
    .update(twoFactors)
    .set({ backupCodes: hashCodes(codes) })
    .where(eq(twoFactors.userId, customerId));
  return codes;
}
