/** What registering a request must hold. Errors are sentences for beside the field. */
import { z } from "zod";
import { emailField } from "../email-field.ts";
import { message } from "../text.ts";
import { REQUEST_CHANNELS, REQUEST_KINDS, REQUEST_LAWS } from "./request.ts";

const DAY_MS = 86_400_000;
const MAX_NOTE_CHARACTERS = 1000;

export const noteField = (missing: string) => message("Note", MAX_NOTE_CHARACTERS, missing);

export const requestSchema = z.object({
  kind: z.enum(REQUEST_KINDS, { error: "Choose what they ask for" }),
  law: z.enum(REQUEST_LAWS, { error: "Choose a law" }),
  channel: z.enum(REQUEST_CHANNELS, { error: "Choose how they asked" }),
  email: emailField().toLowerCase(),
  receivedOn: z.iso
    .date({ error: "Enter the day on which it came" })
    .transform((day) => new Date(`${day}T12:00:00Z`))
    .refine((at) => at.getTime() < Date.now() + DAY_MS, "This day is still to come"),
  note: z.union([z.literal("").transform(() => null), noteField("")]),
});

export type NewRequest = z.output<typeof requestSchema>;
