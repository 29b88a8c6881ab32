import { waitTime } from "#shop/rate-limits/rate-limits.server.ts";
import type { QuoteRefusal } from "#shop/tax/quote.server.ts";

const UNKNOWN = {
  away: "We couldn’t calculate the sales tax just now.",
  address: "This ZIP code doesn’t belong to the state. Check both.",
};

/** Words for a tax that could not be quoted. */
export const unknownTax = ({ reason, wait }: Pick<QuoteRefusal, "reason" | "wait">): string =>
  reason === "too-many"
    ? `The sales tax was calculated too often from your connection. Try again in ${waitTime(wait)}.`
    : UNKNOWN[reason];
