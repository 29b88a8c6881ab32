/** What a contact form must hold. Errors are sentences for beside the field. */
import { z } from "zod";
import { emailField } from "../email-field.ts";
import { message, requiredLine } from "../text.ts";

const MAX_CHARACTERS = { name: 100, message: 5000 };

export const contactSchema = z.object({
  name: requiredLine("Name", MAX_CHARACTERS.name, "Name is required"),
  email: emailField(),
  message: message("Message", MAX_CHARACTERS.message, "Message is required"),
});

export type ContactForm = z.output<typeof contactSchema>;
export type ContactField = keyof ContactForm;

/** A field that people do not see: whoever fills it in is a program. */
export const HONEYPOT_FIELD = "leave-empty";
