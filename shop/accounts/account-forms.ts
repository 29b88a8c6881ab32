/** What the account forms ask for, the same in the browser and on the server. */
import "../jitless.ts";
import { z } from "zod";
import { SHORT_EMAIL_WORDS } from "../email-address.ts";
import { emailField } from "../email-field.ts";
import { requiredLine } from "../text.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./passwords/password-length.ts";
import { MAX_CODE_CHARACTERS } from "./second-factor/code-length.ts";

const NAME_MAX = 100;

const email = emailField(SHORT_EMAIL_WORDS).toLowerCase();

const password = z
  .string({ error: "Password must be at least 8 characters" })
  .min(PASSWORD_MIN, "Password must be at least 8 characters")
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

const confirmation = z.string({ error: "Passwords don't match" });
const matches = { path: ["confirmPassword"], error: "Passwords don't match" };
const same = (form: { password: string; confirmPassword: string }) => form.password === form.confirmPassword;

export const signInSchema = z.object({
  email,
  password: z.string({ error: "Password is required" }).min(1, "Password is required").max(PASSWORD_MAX),
});

export const signUpSchema = z
  .object({
    firstName: requiredLine("First name", NAME_MAX, "First name is required"),
    lastName: requiredLine("Last name", NAME_MAX, "Last name is required"),
    email,
    password,
    confirmPassword: confirmation,
    terms: z.literal("on", { error: "You must accept the terms" }),
  })
  .refine(same, { ...matches, when: ({ value }) => passwordsOf(value) });

export const forgotSchema = z.object({ email });

export const newPasswordSchema = z
  .object({ password, confirmPassword: confirmation })
  .refine(same, { ...matches, when: ({ value }) => passwordsOf(value) });

/** Compared even while other fields are wrong, so that every message shows at once. */
function passwordsOf(value: unknown): boolean {
  return z.object({ password: z.string(), confirmPassword: z.string() }).safeParse(value).success;
}

/** An authenticator's six digits, spaces forgiven, or one of the backup codes. */
export const codeSchema = z.object({
  code: z
    .string({ error: "Enter the code" })
    .trim()
    .min(1, "Enter the code")
    .max(MAX_CODE_CHARACTERS, "That is too long for a code"),
});

export type SignUp = z.output<typeof signUpSchema>;
