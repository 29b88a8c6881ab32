/** Payments that customers arrange with staff, outside a provider. */
import { z } from "#shop/zod.ts";
import { lineOfText } from "#shop/text.ts";

export const ARRANGEMENTS = {
  "bank-transfer": "Bank transfer",
  check: "Check",
  "card-by-phone": "Card by phone",
  other: "Other arrangement",
} as const;
export type Arrangement = {
  how: keyof typeof ARRANGEMENTS;
  /** Number of the check or transfer; may be empty. */
  reference: string;
};

export const REFERENCE_CHARACTERS = 60;
/** Card numbers have at least 12 digits. */
const CARD_DIGITS = 12;

/** Fields of a recorded payment. References that could hold a card number are refused. */
export const arrangementShape = {
  how: z.enum(Object.keys(ARRANGEMENTS) as Arrangement["how"][], "Choose how it was paid"),
  reference: lineOfText("Reference", REFERENCE_CHARACTERS).refine(
    (text) => (text.match(/\p{Nd}/gu)?.length ?? 0) < CARD_DIGITS,
    "Leave out card and account numbers. The last four digits are enough.",
  ),
};

/** "Check, 1042", or "Check" without a reference. */
export const arrangedWith = ({ how, reference }: Arrangement): string =>
  [ARRANGEMENTS[how], reference].filter(Boolean).join(", ");
