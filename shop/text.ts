/** What people may write in a line and in a message: every script there is, and nothing that nobody can see. */
import { z } from "zod";

/**
 * Halves of characters and what stands for them, line separators, and what is invisible or turns the direction of its
 * neighbors around. Left are the joiners of Persian, Indic scripts and emoji, and variants of a character.
 */
const UNSEEN =
  /[\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFFF9-\uFFFD]|(?![\u200C\u200D]|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;
const CONTROL = /\p{Cc}/gu;
const JOINER_OF_NOTHING = /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D]/gu;
const NOT_IN_A_LINE = [UNSEEN, CONTROL, JOINER_OF_NOTHING];

/** The text without what cannot be used in a line. */
export const seenIn = (text: string): string => NOT_IN_A_LINE.reduce((left, one) => left.replace(one, ""), text);

/** Trimmed of spaces, and of the direction marks that copying brings along. */
function trimmed(text: string): string {
  const characters = Array.from(text);
  const isSeen = (one: string) => one.trim() !== "" && one.search(UNSEEN) === -1;
  return characters.slice(characters.findIndex(isSeen), characters.findLastIndex(isSeen) + 1).join("");
}

const unusable = (label: string) => `${label} contains a character that cannot be used`;
const tooLong = (label: string, max: number) => `${label} must be at most ${max} characters`;

/**
 * One line of text of at most `max` characters, trimmed. It may be empty; `missing` is said where there is none at all.
 * Refuses what nobody can see.
 */
export const lineOfText = (label: string, max: number, missing = `${label} is missing`) =>
  z
    .string({ error: missing })
    .overwrite(trimmed)
    .max(max, tooLong(label, max))
    .refine((text) => NOT_IN_A_LINE.every((one) => text.search(one) === -1), unusable(label));

/** As lineOfText, but not empty. */
export const requiredLine = (label: string, max: number, missing: string) =>
  lineOfText(label, max, missing).min(1, missing);

/**
 * A text of several lines, with `\n` between them. Nobody finds an invisible character among thousands, so those are
 * left out; control characters are refused.
 */
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
