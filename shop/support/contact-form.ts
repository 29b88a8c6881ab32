/** What a contact form must hold. Errors are sentences for beside the field. */
import { z } from "zod";
import { message, requiredLine } from "../text.ts";

const MOST_CHARACTERS = { name: 100, email: 255, message: 5000 };

export const contactSchema = z.object({
  name: requiredLine("Name", MOST_CHARACTERS.name, "Name is required"),
  email: z
    .string({ error: "Email is required" })
    .trim()
    .min(1, { error: "Email is required", abort: true })
    .max(MOST_CHARACTERS.email, { error: `Email must be at most ${MOST_CHARACTERS.email} characters`, abort: true })
    .check(z.email("Please enter a valid email address")),
  message: message("Message", MOST_CHARACTERS.message, "Message is required"),
});

export type ContactForm = z.output<typeof contactSchema>;
export type ContactField = keyof ContactForm;

/** A field that people do not see: whoever fills it in is a program. */
export const HONEYPOT_FIELD = "leave-empty";
