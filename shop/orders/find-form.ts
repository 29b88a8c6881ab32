/** What somebody tells us to be mailed the link to their order. */
import "../jitless.ts";
import { z } from "zod";
import { emailField } from "../email-field.ts";

/** As people write it: with a number sign or spaces around it, in small letters or large. */
export const findOrderSchema = z.object({
  number: z
    .string({ error: "Order number is required" })
    .trim()
    .toLowerCase()
    .transform((typed) => typed.replace(/^#\s*/, ""))
    .pipe(z.string().regex(/^[0-9a-f]{8}$/, "An order number has 8 letters and digits, for example 8f3a61c2")),
  email: emailField(),
});

export type FindOrderField = keyof z.output<typeof findOrderSchema>;
