/** Rules for typed text: every script, no invisible characters. */
import { z } from "#shop/zod.ts";

/**
 * Lone surrogates, replacement characters, line separators, invisible characters and direction overrides. Joiners of
 * Persian, Indic scripts and emoji and variation selectors are allowed.
 */
const UNSEEN =
  /[\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFFF9-\uFFFD]|(?![\u200C\u200D]|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;
const CONTROL = /\p{Cc}/gu;
const JOINER_OF_NOTHING = /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D]/gu;
const NOT_IN_A_LINE = [UNSEEN, CONTROL, JOINER_OF_NOTHING];

/** Removes invisible characters. */
export const seenIn = (text: string): string => NOT_IN_A_LINE.reduce((left, one) => left.replace(one, ""), text);

/** Text of several lines without invisible and control characters. */
export const linesIn = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(UNSEEN, "")
    .replace(/(?![\n\t])\p{Cc}/gu, "")
    .trim();

/** Trims spaces and copied direction marks. */
function trimmed(text: string): string {
  const characters = Array.from(text);
  const isSeen = (one: string) => one.trim() !== "" && one.search(UNSEEN) === -1;
  return characters.slice(characters.findIndex(isSeen), characters.findLastIndex(isSeen) + 1).join("");
}

const unusable = (label: string) => `${label} contains a character that cannot be used`;
const tooLong = (label: string, max: number) => `${label} must be at most ${max} characters`;

/** One trimmed line of at most `max` characters, possibly empty. Refuses invisible characters. */
export const lineOfText = (label: string, max: number, missing = `${label} is missing`) =>
  z
    .string({ error: missing })
    .overwrite(trimmed)
    .max(max, tooLong(label, max))
    .refine((text) => NOT_IN_A_LINE.every((one) => text.search(one) === -1), unusable(label));

/** A non-empty lineOfText. */
export const requiredLine = (label: string, max: number, missing: string) =>
  lineOfText(label, max, missing).min(1, missing);

/** Text of several lines. Invisible characters are removed, control characters refused. */
export const message = (label: string, max: number, missing: string) =>
  z
    .string({ error: missing })
    .overwrite((text) =>
      text
        .replace(/\r\n?|[\u2028\u2029]/g, "\n")
        .replace(UNSEEN, "")
        .trim(),
    )
    .min(1, { error: missing, abort: true })
    .max(max, tooLong(label, max))
    .regex(/^[\P{Cc}\n\t]*$/u, unusable(label));
