/** The 100,000 most common passwords that the policy would allow: the first that anybody guesses. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

export const COMMON_PASSWORDS = 100_000;
export const LIST_FILE = "shop/accounts/passwords/common-passwords.bin";

/** Of 100,000 fingerprints one in eleven million other passwords shares one. */
const FINGERPRINT_BYTES = 5;

export const fingerprint = (password: string): Buffer =>
  createHash("sha256").update(password).digest().subarray(0, FINGERPRINT_BYTES);

let list: Buffer | undefined;

/** Whether the list has a password, in capitals or not. Its half a megabyte is read when the first one is chosen. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const sorted = (list ??= await readFile(LIST_FILE));
  const wanted = fingerprint(password.toLowerCase());
  let [from, to] = [0, sorted.length / FINGERPRINT_BYTES];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const order = wanted.compare(sorted, middle * FINGERPRINT_BYTES, (middle + 1) * FINGERPRINT_BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}
