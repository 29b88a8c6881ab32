/** Schemas of the account forms, shared by browser and server. */
import { z } from "#shop/zod.ts";
import { emailField, SHORT_EMAIL_WORDS } from "#shop/email-field.ts";
import { lineOfText, requiredLine } from "#shop/text.ts";

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
/** A backup code has 31 characters with its dashes; some type spaces too. */
export const MAX_CODE_CHARACTERS = 40;
/** Typed by a customer to confirm the deletion of the account. */
export const DELETE_WORD = "delete";
const NAME_MAX = 100;

const email = emailField(SHORT_EMAIL_WORDS).toLowerCase();

const password = z
  .string({ error: "Password must be at least 8 characters" })
  .min(PASSWORD_MIN, "Password must be at least 8 characters")
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

const requiredPassword = z.string({ error: "Password is required" }).min(1, "Password is required");

const confirmation = z.string({ error: "Passwords don't match" });
const matches = { path: ["confirmPassword"], error: "Passwords don't match" };
const same = (form: { password: string; confirmPassword: string }) => form.password === form.confirmPassword;

export const signInSchema = z.object({
  email,
  password: requiredPassword.max(PASSWORD_MAX),
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

/** Compared even if other fields are wrong, so that every message shows at once. */
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

export const profileSchema = z.object({
  firstName: lineOfText("First name", 100).default(""),
  lastName: lineOfText("Last name", 100).default(""),
  phone: lineOfText("Phone", 50).default(""),
});

export const changePasswordSchema = newPasswordSchema.safeExtend({
  currentPassword: requiredPassword.max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
});

export const changeEmailSchema = z.object({ newEmail: email });

export const deleteSchema = z.object({
  confirmation: z
    .string({ error: `Type ${DELETE_WORD} to confirm` })
    .trim()
    .toLowerCase()
    .refine((typed) => typed === DELETE_WORD, `Type ${DELETE_WORD} to confirm`),
});
