/** What a shopper is told of a product that ships later, or is open to some only. */
import type { Product } from "./product.ts";

const dayOf = (at: Date) => at.toLocaleDateString("en-CA", { timeZone: "America/New_York" });

/** 'January 12', with the year where it is another one. */
function dayWords(day: string, now: Date): string {
  const year = day.slice(0, 4) === dayOf(now).slice(0, 4) ? {} : { year: "numeric" as const };
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString("en-US", { month: "long", day: "numeric", ...year, timeZone: "UTC" });
}

/** Whether the promised day lies ahead, in New York. */
export const shipsLater = ({ shipsFrom }: Pick<Product, "shipsFrom">, now: Date): boolean =>
  shipsFrom !== null && shipsFrom > dayOf(now);

/** 'ships from January 12'; null where it ships now. */
export function shipsFromWords(product: Pick<Product, "shipsFrom">, now: Date): string | null {
  const { shipsFrom } = product;
  return shipsFrom !== null && shipsLater(product, now) ? `ships from ${dayWords(shipsFrom, now)}` : null;
}

/** 'Pre-order, ships from January 12', of a line of a cart or an order; null where it ships now. */
export function preOrderWords(line: Pick<Product, "shipsFrom">, now: Date): string | null {
  const words = shipsFromWords(line, now);
  return words && `Pre-order, ${words}`;
}

/** Whether only those of the waitlist who were invited may buy it. */
export const isWaitlistFirst = ({ waitlistOnlyUntil }: Pick<Product, "waitlistOnlyUntil">, now: Date): boolean =>
  waitlistOnlyUntil !== null && waitlistOnlyUntil > now;

/** 'Waitlist first: by invitation now, for everyone from January 12'; null where everyone may buy it. */
export function waitlistFirstWords(product: Pick<Product, "waitlistOnlyUntil">, now: Date): string | null {
  const { waitlistOnlyUntil } = product;
  if (waitlistOnlyUntil === null || !isWaitlistFirst(product, now)) return null;
  return `Waitlist first: by invitation now, for everyone from ${dayWords(dayOf(waitlistOnlyUntil), now)}`;
}
