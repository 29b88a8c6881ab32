/** What the waitlist asks for: one set of rules and words for the popup and the server, without a library. */

export const EMAIL_MAX = 255;
export const PHONE_MAX = 30;

/** As zod's own, so that no form takes an address that another refuses. */
const EMAIL = /^(?!\.)(?!.*\.\.)([a-z0-9_'+\-.]*)[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;

/** What is wrong with an email, or null. */
export function emailProblem(typed: string): string | null {
  const email = typed.trim();
  if (email === "") return "Email is required";
  if (email.length > EMAIL_MAX) return `Email must be less than ${EMAIL_MAX} characters`;
  return EMAIL.test(email) ? null : "Please enter a valid email address";
}

/** A phone number as it may be typed: digits, plus, minus, parentheses and space. */
export const phoneCharacters = (typed: string): string => typed.replace(/[^\d+\-() ]/g, "");

/** What the popup's countdown starts at: 4 h 21 min 18 s. */
export const COUNTDOWN_SECONDS = (4 * 60 + 21) * 60 + 18;
