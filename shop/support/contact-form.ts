/** What a contact form must hold. Errors are sentences for beside the field. */
import { z } from "zod";

const MOST_CHARACTERS = { name: 100, email: 255, message: 5000 };
const required = (message: string) => z.string({ error: message }).trim().min(1, { error: message, abort: true });

export const contactSchema = z.object({
  name: required("Name is required")
    .max(MOST_CHARACTERS.name, `Name must be at most ${MOST_CHARACTERS.name} characters`)
    .regex(/^\P{Cc}*$/u, "Name contains a character that cannot be used"),
  email: required("Email is required")
    .max(MOST_CHARACTERS.email, { error: `Email must be at most ${MOST_CHARACTERS.email} characters`, abort: true })
    .check(z.email("Please enter a valid email address")),
  message: required("Message is required")
    .overwrite((text) => text.replace(/\r\n?/g, "\n"))
    .max(MOST_CHARACTERS.message, `Message must be at most ${MOST_CHARACTERS.message} characters`)
    .regex(/^[\P{Cc}\n\t]*$/u, "Message contains a character that cannot be used"),
});

export type ContactForm = z.output<typeof contactSchema>;
export type ContactField = keyof ContactForm;

/** A field that people do not see: whoever fills it in is a program. */
export const HONEYPOT_FIELD = "leave-empty";
