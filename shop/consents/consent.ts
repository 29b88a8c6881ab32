import { z } from "#shop/zod.ts";

/** The lists that a person may agree to, each with its name and the words that ask for it. */

export const CONSENTS = {
  news: { name: "News", words: "Email me news: new products, and what keeps greens crisp." },
  owners: { name: "Owners", words: "Email me about the products I’ve bought: tips, filters, and updates." },
  "back-in-stock": { name: "Back in stock", words: "Email me when it’s available" },
} as const;

export type ConsentKind = keyof typeof CONSENTS;

export const CONSENT_KINDS = Object.keys(CONSENTS) as ConsentKind[];

const ticked = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

/** The choice of letters in the account. */
export const lettersSchema = z.object({ news: ticked, owners: ticked, stopBackInStock: ticked });
export type LettersChoice = z.output<typeof lettersSchema>;
