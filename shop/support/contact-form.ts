/** Schemas of the contact form and of replies. */
import { z } from "#shop/zod.ts";
import { emailField } from "#shop/email-field.ts";
import { message, requiredLine } from "#shop/text.ts";

const MAX_CHARACTERS = { name: 100, message: 5000 };

export const contactSchema = z.object({
  name: requiredLine("Name", MAX_CHARACTERS.name, "Name is required"),
  email: emailField(),
  message: message("Message", MAX_CHARACTERS.message, "Message is required"),
});

export type ContactForm = z.output<typeof contactSchema>;

const MAX_REPLY_CHARACTERS = 10_000;

export const replyBody = message("Reply", MAX_REPLY_CHARACTERS, "Enter a reply");

/** The first words in braces but {name}. */
const unknownIn = (text: string): string | undefined => /\{(?!name\})[^{}]+\}/.exec(text)?.[0];

export const savedReplySchema = z.object({
  title: requiredLine("Title", 80, "Enter a title"),
  body: message("Message", MAX_REPLY_CHARACTERS, "Enter a message").refine((text) => !unknownIn(text), {
    error: ({ input }) => `${unknownIn(String(input))} stands for nothing. {name} stands for the customer’s first name`,
  }),
});

/** The first name in "Ada Lovelace" and "Lovelace, Ada". Some programs send the address as the name. */
function firstNameIn(name: string): string {
  const [first = "@"] = /[^\s,]+/.exec(name.replace(/^[^,]*,(?=\s*\S)/, "")) ?? [];
  return first.includes("@") ? "there" : first;
}

/** Replaces {name} by the sender's first name, or by "there" without one. */
export const fillSavedReply = (body: string, name: string): string =>
  body.replaceAll("{name}", () => firstNameIn(name));
