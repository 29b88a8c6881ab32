/** Refused passwords: the most common ones, and words of the shop or the person. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { brand } from "#shop/brand.ts";
import { profiles, users } from "../account.tables.ts";

const COMMON = "This password is one of the most common. Please choose another.";
const KNOWN = "This password uses your name, your email, or words from this shop. Please choose another.";

type Person = { email: string; names: string[] };

/** The message for a refused password, or null. `host` is the shop's. */
export async function passwordProblem(
  password: string,
  { email, names }: Person,
  host: string,
): Promise<string | null> {
  // Wide letters and trailing signs do not make a common password a new one.
  for (const form of [password, password.normalize("NFKC")]) {
    const stem = form.replace(/[^\p{L}\p{M}]+$/u, "");
    if ((await isCommonPassword(form)) || (await isCommonPassword(stem))) return COMMON;
  }
  const local = email.slice(0, email.lastIndexOf("@"));
  return isMadeOfKnownWords(password, [...names, local, host]) ? KNOWN : null;
}

/** The words of a customer that a password must not consist of. */
export async function getPerson(db: Database, userId: string): Promise<Person> {
  const [found] = await db
    .select({ user: users, profile: profiles })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(eq(users.id, userId));
  const names = [found?.user, found?.profile].flatMap((of) => (of ? [of.firstName, of.lastName] : []));
  return { email: found?.user.email ?? "", names };
}

const SHOP_WORDS = `${brand.name} pro classic bowl container filter cooling fresh food shop store my password welcome login admin`;

const fold = (text: string) => text.normalize("NFKC").toLowerCase();
const wordsOf = (text: string) => fold(text).match(/[\p{L}\p{M}]+/gu) ?? [];
const withoutSigns = (text: string) => fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");

/**
 * True if a password consists of words of the shop and of `known` (names, an email's local part, a domain) in any
 * order, with digits and signs around them.
 */
function isMadeOfKnownWords(password: string, known: string[]): boolean {
  const plain = withoutSigns(password);
  if (known.some((text) => plain !== "" && withoutSigns(text) === plain)) return true;
  const letters = wordsOf(password).join("");
  const words = new Set([SHOP_WORDS, ...known].flatMap(wordsOf));
  // Positions in the letters at which a run of known words ends.
  const ends = new Set([0]);
  for (const end of ends) {
    for (const word of words) if (letters.startsWith(word, end)) ends.add(end + word.length);
  }
  return letters !== "" && ends.has(letters.length);
}

export const COMMON_PASSWORDS = 100_000;
export const LIST_FILE = "shop/accounts/passwords/common-passwords.bin";

/** One other password in eleven million shares a fingerprint. */
const FINGERPRINT_BYTES = 5;

export const fingerprint = (password: string): Buffer =>
  createHash("sha256").update(password).digest().subarray(0, FINGERPRINT_BYTES);

let list: Buffer | undefined;

/** Case-insensitive lookup. The file of half a megabyte is loaded on first use. */
async function isCommonPassword(password: string): Promise<boolean> {
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
