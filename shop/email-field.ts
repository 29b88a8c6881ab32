/** Email addresses: one rule and its messages for all forms. */
import { z } from "#shop/zod.ts";

const MAX_CHARACTERS = 255;

const WORDS = { missing: "Email is required", invalid: "Please enter a valid email address" };

/** Messages of the account and checkout forms. */
export const SHORT_EMAIL_WORDS = { missing: "Invalid email address", invalid: "Invalid email address" };

/** The email field of a form, trimmed. */
export const emailField = ({ missing, invalid } = WORDS) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, { error: missing, abort: true })
    .max(MAX_CHARACTERS, { error: `Email must be less than ${MAX_CHARACTERS} characters`, abort: true })
    .regex(z.regexes.email, invalid);
