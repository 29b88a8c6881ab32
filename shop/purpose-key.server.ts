/** One secret, and from it a key of its own for each purpose: what one makes is nothing to the others. */
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/** The key of 256 bits for `purpose`, the same in every process with this secret (HKDF-SHA256). */
export const purposeKey = (secret: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `polara: ${purpose}`, 32)));
