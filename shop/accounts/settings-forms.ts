/** What the forms in Settings ask for. A profile's names and phone are free text (SPEC 5). */
import { z } from "zod";
import { PASSWORD_MAX, newPasswordSchema } from "./account-forms.ts";
import { DELETE_WORD } from "./delete-word.ts";

const freeText = (label: string, max: number) =>
  z
    .string({ error: `${label} is missing` })
    .trim()
    .max(max, `${label} must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, `${label} contains a character that cannot be used`);

export const profileSchema = z.object({
  firstName: freeText("First name", 100),
  lastName: freeText("Last name", 100),
  phone: freeText("Phone", 50),
});

const currentPassword = z
  .string({ error: "Password is required" })
  .min(1, "Password is required")
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

export const changePasswordSchema = newPasswordSchema.safeExtend({ currentPassword });

export const deleteSchema = z.object({
  confirmation: z
    .string({ error: `Type ${DELETE_WORD} to confirm` })
    .trim()
    .toLowerCase()
    .refine((typed) => typed === DELETE_WORD, `Type ${DELETE_WORD} to confirm`),
});
