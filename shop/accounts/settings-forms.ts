/** What the forms in Settings ask for. A profile's names and phone are free text. */
import { z } from "zod";
import { lineOfText } from "../text.ts";
import { newPasswordSchema } from "./account-forms.ts";
import { PASSWORD_MAX } from "./passwords/password-length.ts";
import { DELETE_WORD } from "./delete-word.ts";

export const profileSchema = z.object({
  firstName: lineOfText("First name", 100),
  lastName: lineOfText("Last name", 100),
  phone: lineOfText("Phone", 50),
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
