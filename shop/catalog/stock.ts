/** Availability of a product, its cart limit and its stock message. */
import { latestDay, newYorkDay, yearsAfter } from "#shop/new-york-time.ts";
import { cartPolicy, paymentPolicy } from "#shop/policies.ts";
import type { Product } from "./product.ts";

type Stocked = Pick<Product, "isAvailable" | "inventoryCount">;

export const LOW_STOCK_LIMIT = 10;
export const MAX_LINE_QUANTITY: number = cartPolicy.maxLineQuantity;

/** Units for sale: 0 if the product is unavailable. */
export function unitsLeft(product: Stocked): number {
  return product.isAvailable ? product.inventoryCount : 0;
}

/** Limit of a cart line: 10, or the stock if lower. */
export function maxQuantity(product: Stocked): number {
  return Math.min(MAX_LINE_QUANTITY, unitsLeft(product));
}

/** 'Out of Stock', 'Only N left' at 1 to 10, else 'In Stock'. */
export function stockMessage(product: Stocked): string {
  const left = unitsLeft(product);
  if (left === 0) return "Out of Stock";
  return left <= LOW_STOCK_LIMIT ? `Only ${left} left` : "In Stock";
}

/** Messages about early birds, pre-orders and waitlist-first products. */

/** 'January 12', or 'Jan 12', with the year if it is not the current one. */
export function dayWords(day: string, now: Date, month: "long" | "short" = "long"): string {
  const year = day.slice(0, 4) === newYorkDay(now).slice(0, 4) ? {} : { year: "numeric" as const };
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString("en-US", { month, day: "numeric", ...year, timeZone: "UTC" });
}

/** The last day of an early-bird price in New York: 'December 24'. One that ends at midnight ends with the day before. */
export const earlyBirdLastDay = ({ earlyBirdEndDate }: Pick<Product, "earlyBirdEndDate">, now: Date): string | null =>
  earlyBirdEndDate && dayWords(newYorkDay(new Date(earlyBirdEndDate.getTime() - 1)), now);

/** True if the promised day is in the future, in New York. */
export const shipsLater = ({ shipsFrom }: Pick<Product, "shipsFrom">, now: Date): boolean =>
  shipsFrom !== null && shipsFrom > newYorkDay(now);

/** The last day that staff may name: a later one is a mistyped year, which customers would be told. */
export const lastShipDay = (now: Date): string => yearsAfter(newYorkDay(now), 2);

const DAY_MS = 24 * 3600_000;

/**
 * True if a line ships so late that its bank would end an authorization before: then the card is kept, and each package
 * of the order is charged when it ships.
 */
export function isChargedAtShipping(lines: readonly Pick<Product, "shipsFrom">[], now: Date): boolean {
  const lastAuthorized = newYorkDay(new Date(now.getTime() + paymentPolicy.chargedAtShippingAfterDays * DAY_MS));
  return lines.some(({ shipsFrom }) => shipsFrom !== null && shipsFrom > lastAuthorized);
}

/** The day, YYYY-MM-DD, on which the last of some lines ships; null if they all ship now. */
export const latestShipDay = (lines: readonly Pick<Product, "shipsFrom">[], now: Date): string | null =>
  latestDay(lines.map((line) => (shipsLater(line, now) ? line.shipsFrom : null)));

/** The day, 'January 12', on which the first of some lines ships; null if one of them ships now. */
export function firstShipDay(lines: readonly Pick<Product, "shipsFrom">[], now: Date): string | null {
  const days = lines.flatMap(({ shipsFrom }) =>
    shipsFrom !== null && shipsLater({ shipsFrom }, now) ? shipsFrom : [],
  );
  const [first] = days.toSorted();
  return first && days.length === lines.length ? dayWords(first, now) : null;
}

/** The promised day in words: 'January 12'; null if it ships now. */
export function shipDayWords(product: Pick<Product, "shipsFrom">, now: Date): string | null {
  const { shipsFrom } = product;
  return shipsFrom !== null && shipsLater(product, now) ? dayWords(shipsFrom, now) : null;
}

/** 'Pre-order, ships January 12', for a line of a cart or an order; null if it ships now. */
export function preOrderWords(line: Pick<Product, "shipsFrom">, now: Date): string | null {
  const day = shipDayWords(line, now);
  return day && `Pre-order, ships ${day}`;
}

/** True if only people invited from the waitlist may buy it. */
export const isWaitlistFirst = ({ waitlistOnlyUntil }: Pick<Product, "waitlistOnlyUntil">, now: Date): boolean =>
  waitlistOnlyUntil !== null && waitlistOnlyUntil > now;

/** Availability to anybody, in Google's words; a waitlist-first product has none yet. */
export function publicAvailability(
  product: Stocked & Pick<Product, "shipsFrom" | "waitlistOnlyUntil">,
  now: Date,
): "in_stock" | "preorder" | "out_of_stock" {
  if (unitsLeft(product) === 0 || isWaitlistFirst(product, now)) return "out_of_stock";
  return shipsLater(product, now) ? "preorder" : "in_stock";
}

/**
 * 'Waitlist first: by invitation now, for everyone starting January 12', or a greeting for the invited; null if everyone may
 * buy it.
 */
function waitlistFirstWords(product: Pick<Product, "waitlistOnlyUntil">, now: Date, isInvited = false): string | null {
  const { waitlistOnlyUntil } = product;
  if (waitlistOnlyUntil === null || !isWaitlistFirst(product, now)) return null;
  const opens = `for everyone starting ${dayWords(newYorkDay(waitlistOnlyUntil), now)}`;
  return isInvited
    ? `You’re invited: yours for one order now, ${opens}`
    : `Waitlist first: by invitation now, ${opens}`;
}

type Available = Stocked & Pick<Product, "retiredAt" | "shipsFrom" | "waitlistOnlyUntil">;

/** Adds the day of a pre-order, which never stands beside 'In Stock'. */
function withShipDay(words: string, product: Available, now: Date): string {
  const day = shipDayWords(product, now);
  if (day === null) return words;
  return words === "In Stock" ? `Ships ${day}` : `${words}, ships ${day}`;
}

/**
 * Availability wherever it is shown: the stock message, 'Ships January 12' in place of 'In Stock', 'Only 3 left, ships
 * from January 12', the words of a waitlist-first product, 'No longer sold'.
 */
export function availabilityWords(product: Available, now: Date, isInvited = false): string {
  if (product.retiredAt) return "No longer sold";
  if (unitsLeft(product) === 0) return stockMessage(product);
  return withShipDay(waitlistFirstWords(product, now, isInvited) ?? stockMessage(product), product, now);
}

/** The same in few words, for a card and a search result; null for a product in stock that ships now. */
export function availabilityNote(product: Available, now: Date): string | null {
  const isByInvitation = !product.retiredAt && unitsLeft(product) > 0 && isWaitlistFirst(product, now);
  const words = isByInvitation ? withShipDay("Waitlist first", product, now) : availabilityWords(product, now);
  return words === "In Stock" ? null : words;
}
