import { waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import type { QuoteRefusal } from "#shop/tax/quote.server.ts";

const UNKNOWN = {
  away: "We couldn’t calculate the sales tax just now.",
  address: "This ZIP code isn’t in that state. Check both.",
};

/** Words for a tax that could not be quoted. */
export const unknownTax = ({ reason, wait }: Pick<QuoteRefusal, "reason" | "wait">): string =>
  reason === "too-many"
    ? `Too many sales tax checks from your connection. Try again in ${waitTime(wait)}.`
    : UNKNOWN[reason];

type NoQuote = { why: QuoteRefusal["reason"]; wait: number };

/** The refusal of a form for a tax that could not be quoted: beside the ZIP code, or the words in a sentence. */
export function taxRefusal({ why, wait }: NoQuote, sentence: (words: string) => string) {
  const words = unknownTax({ reason: why, wait });
  if (why === "address")
    return { message: "A few fields need fixing.", status: 400, errors: { shippingPostalCode: words } };
  return { message: sentence(words), status: why === "away" ? 503 : 429 };
}
