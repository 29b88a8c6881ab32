/** What an email address is, and what is said of one that is none: one rule for all forms, without a library. */

export const MAX_EMAIL_CHARACTERS = 255;

/** Letters, digits and `_'+-.` before the @, and a domain with a dot after it: what zod takes for an email. */
const EMAIL = /^(?!\.)(?!.*\.\.)([a-z0-9_'+\-.]*)[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;

export type EmailWords = { missing: string; invalid: string };

export const EMAIL_WORDS: EmailWords = {
  missing: "Email is required",
  invalid: "Please enter a valid email address",
};

/** The words of the account's forms and of the checkout. */
export const SHORT_EMAIL_WORDS: EmailWords = { missing: "Invalid email address", invalid: "Invalid email address" };

/** What is wrong with an email as it was typed, or null. Spaces around it are forgiven. */
export function emailProblem(typed: string, words = EMAIL_WORDS): string | null {
  const email = typed.trim();
  if (email === "") return words.missing;
  if (email.length > MAX_EMAIL_CHARACTERS) return `Email must be less than ${MAX_EMAIL_CHARACTERS} characters`;
  return EMAIL.test(email) ? null : words.invalid;
}
