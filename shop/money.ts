const LOCALE = "en-US";
const number = new Intl.NumberFormat(LOCALE);
const dollars = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD", signDisplay: "negative" });
const shortDollars = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "USD",
  signDisplay: "negative",
  trailingZeroDisplay: "stripIfInteger",
});

/** 12345 is "12,345". */
export const formatNumber = (value: number): string => number.format(value);

/** Integer cents as US dollars with two decimals: 9900 is "$99.00". */
export const formatMoney = (cents: number): string => dollars.format(cents / 100);

/** Integer cents in a sentence: 10000 is "$100", 999 is "$9.99". */
export const formatMoneyShort = (cents: number): string => shortDollars.format(cents / 100);

/** Integer cents for machines: 9900 is "99.00". */
export const decimalMoney = (cents: number): string => (cents / 100).toFixed(2);

/** Integer cents of a typed amount, "$1,024.50" or "24"; null if it is none. In "150,00" the comma may be meant as a point. */
export function readDollars(typed: string): number | null {
  const [, dollars, cents = ""] = /^\$?(\d{1,6}|\d{1,3},\d{3})(\.\d{1,2})?$/.exec(typed.trim()) ?? [];
  return dollars ? Math.round(Number(dollars.replace(",", "") + cents) * 100) : null;
}

/**
 * Shares out `cents` in proportion to `weights`, by largest remainder: the shares are whole cents, add up to `cents`, and
 * none differs from its proportion by a cent or more. With weights that add up to nothing, all shares are 0.
 */
export function shareOut(cents: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map(() => 0);
  const shares = weights.map((weight) => Math.floor((cents * weight) / total));
  const left = cents - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = weights
    .map((weight, place) => ({ place, remainder: (cents * weight) % total }))
    .toSorted((a, b) => b.remainder - a.remainder || a.place - b.place);
  for (const { place } of byRemainder.slice(0, left)) shares[place]! += 1;
  return shares;
}
