/** What the waitlist asks for beside the email: one set of rules for the popup and the server, without a library. */

export const PHONE_MAX = 30;

/** A phone number as it may be typed: digits, plus, minus, parentheses and space. */
export const phoneCharacters = (typed: string): string => typed.replace(/[^\d+\-() ]/g, "");

/** What the popup's countdown starts at: 4 h 21 min 18 s. */
export const COUNTDOWN_SECONDS = (4 * 60 + 21) * 60 + 18;
