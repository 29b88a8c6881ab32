/** The secrets that better-auth seals with: what was sealed by one before is still opened while AUTH_SECRET is replaced. */
import type { BetterAuthOptions } from "better-auth";
import { purposeKey } from "../purpose-key.server.ts";

/** Stands in the database beside what a secret has sealed, so it is the same in whatever order they are listed. */
const versionOf = (secret: string) => purposeKey(secret, "version of a secret").export().readUIntBE(0, 6);

/** The first that is used before `secret`: what bears no version was sealed with it, before secrets had versions. */
export const oldestSecret = (secret: string, formerSecrets: string[]): string => formerSecrets.at(-1) ?? secret;

/** Seals with `secret`, and opens what any of `formerSecrets` (newest first) has sealed. */
export const authSecrets = (secret: string, formerSecrets: string[]) =>
  ({
    secret: oldestSecret(secret, formerSecrets),
    secrets: [...new Set([secret, ...formerSecrets])].map((value) => ({ version: versionOf(value), value })),
  }) satisfies BetterAuthOptions;
