/** Letters: whom they go to, what becomes of them, and the form in which they are written. */
import { z } from "#shop/zod.ts";
import { lineOfText, requiredLine } from "#shop/text.ts";

export const AUDIENCES = ["news", "waitlist", "owners"] as const;
export type Audience = (typeof AUDIENCES)[number];

export const AUDIENCE_WORDS: Record<Audience, { name: string; because: string }> = {
  news: { name: "News", because: "you asked for news in your account" },
  waitlist: { name: "Waitlist", because: "you joined our waitlist" },
  owners: { name: "Owners of a product", because: "you asked for emails about the products you’ve bought" },
};

/** 'sent' and 'stopped' are final; a scheduled letter that is stopped is a draft again. */
export const LETTER_STATES = ["draft", "scheduled", "sending", "sent", "stopped"] as const;
export type LetterState = (typeof LETTER_STATES)[number];

export const MAX_LETTER_CHARACTERS = 20_000;
export const MAX_PACE = 20_000;
export const FIRST_PACE = 1_000;
const PACE = `Enter a number from 1 to ${MAX_PACE.toLocaleString("en-US")}`;

export const subjectField = requiredLine("The subject", 120, "A letter needs a subject");

export const letterSchema = z.object({
  subject: subjectField,
  markdown: z.string().default(""),
  audience: z.enum(AUDIENCES, "Choose who gets it"),
  productId: z
    .union([z.literal(""), z.uuid("Choose a product")])
    .default("")
    .transform((id) => id || null),
  sendAt: lineOfText("Send at", 30).default(""),
  pace: z
    .string({ error: PACE })
    .regex(/^\d{1,5}$/, PACE)
    .transform(Number)
    .pipe(z.number().min(1, PACE).max(MAX_PACE, PACE)),
  version: z.coerce.number().int().min(1),
  do: z.enum(["save", "test", "send"]).default("save"),
});
export type LetterDraft = Pick<
  z.output<typeof letterSchema>,
  "subject" | "markdown" | "audience" | "productId" | "pace" | "version"
> & { sendAt: Date | null };
