/** What a product costs at a moment, and what it would have cost. An early-bird price holds until its end date. */
import type { Product } from "./product.ts";

export type Priced = Pick<Product, "priceCents" | "compareAtPriceCents" | "earlyBirdPriceCents" | "earlyBirdEndDate">;

export type EarlyBird = { endsAt: Date; savingCents: number; regularCents: number };

export type Price = {
  /** What is paid, in cents. */
  priceCents: number;
  /** The struck-through price, only where it is higher than what is paid. */
  compareAtCents: number | null;
  earlyBird: EarlyBird | null;
};

/**
 * The price at `now`. The early-bird price applies only while both its price and its end date
 * exist and the end lies in the future; the saving is compare_at_price minus the early price
 * (the regular price stands in where there is no compare_at_price). `currentPrice` in
 * price.sql.ts says the same to the database; price.server.test.ts holds the two together.
 */
export function priceOf(product: Priced, now: Date): Price {
  const { priceCents, compareAtPriceCents, earlyBirdPriceCents, earlyBirdEndDate } = product;
  const isEarly = earlyBirdPriceCents !== null && earlyBirdEndDate !== null && earlyBirdEndDate > now;
  const paid = isEarly ? earlyBirdPriceCents : priceCents;
  const compareAtCents = compareAtPriceCents !== null && compareAtPriceCents > paid ? compareAtPriceCents : null;
  if (!isEarly) return { priceCents: paid, compareAtCents, earlyBird: null };
  const savingCents = Math.max(0, (compareAtPriceCents ?? priceCents) - paid);
  return {
    priceCents: paid,
    compareAtCents,
    earlyBird: { endsAt: earlyBirdEndDate, savingCents, regularCents: priceCents },
  };
}
