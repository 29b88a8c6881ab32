/** Passwords made of what anybody knows about the shop or about the customer. */
import { brand } from "../../brand.ts";

const SHOP_WORDS = `${brand.name} pro classic bowl container filter cooling fresh food shop store my password welcome login admin`;

const fold = (text: string) => text.normalize("NFKC").toLowerCase();
const wordsOf = (text: string) => fold(text).match(/[\p{L}\p{M}]+/gu) ?? [];
const withoutSigns = (text: string) => fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");

/**
 * Whether a password is nothing but words of the shop and of `known` (names, an email's local part, a domain), in
 * any order and number, in capitals or not, with whatever digits and signs around and between them.
 */
export function isMadeOfKnownWords(password: string, known: string[]): boolean {
  const plain = withoutSigns(password);
  if (known.some((text) => plain !== "" && withoutSigns(text) === plain)) return true;
  const letters = wordsOf(password).join("");
  const words = new Set([SHOP_WORDS, ...known].flatMap(wordsOf));
  // Every place in the letters at which a run of words ends.
  const ends = new Set([0]);
  for (const end of ends) {
    for (const word of words) if (letters.startsWith(word, end)) ends.add(end + word.length);
  }
  return letters !== "" && ends.has(letters.length);
}
