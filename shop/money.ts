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
