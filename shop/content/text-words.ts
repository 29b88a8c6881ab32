/** Names in braces that texts may use, such as {returnDays}, and what they stand for. */
import { AsyncLocalStorage } from "node:async_hooks";
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import type { PolicyWords } from "#shop/policy-text.ts";
import { policyWords } from "#shop/settings/settings.server.ts";

const NAME = /\{(?:policyWords\(\)\.)?([A-Za-z]\w*)\}/g;
/** Also what is no name. `{#address}` is the address of a heading. */
const IN_BRACES = /\{(?:policyWords\(\)\.)?([^{}#][^{}]*)\}/g;

const ownWords = new AsyncLocalStorage<Record<string, string>>();

/** Runs with more names, such as those of one email: {firstName}. */
export const withWords = <Result>(words: Record<string, string>, run: () => Result): Result => ownWords.run(words, run);

/** Values by name, as they are now. */
export const textWords = (): Record<string, string> => ({
  ...policyWords(),
  brand: brand.name,
  supportEmail: supportEmail(),
  ...ownWords.getStore(),
});

/** The first words in braces that stand for nothing. */
export function unknownWord(text: string): string | null {
  const words = textWords();
  for (const [, name = ""] of text.matchAll(IN_BRACES)) if (!Object.hasOwn(words, name)) return name;
  return null;
}

/** The names that a text uses, with their values: "{returnDays} is 30 days". Empty without one. */
export function usedWords(text: string): string {
  const words = textWords();
  const names = new Set([...text.matchAll(NAME)].map(([, name = ""]) => name));
  return [...names].flatMap((name) => (Object.hasOwn(words, name) ? `{${name}} is ${words[name]}` : [])).join(", ");
}

/** Fills in the values. A name that stands for nothing any more stays as it is. */
export function fillWords(text: string): string {
  const words = textWords();
  return text.replace(NAME, (written, name: string) => (Object.hasOwn(words, name) ? words[name]! : written));
}

/** Every name as itself, for a text that is edited. */
export const wordNames = new Proxy({} as PolicyWords, { get: (_, name) => `{${String(name)}}` });

/** Names as the editor writes them: {policyWords().returnDays} of a front matter is {returnDays}. */
export const shortNames = (text: string): string => text.replace(NAME, "{$1}");
