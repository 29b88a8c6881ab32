/**
 * A number as English writes it: 1234.5 with two decimals is "1,234.50". What the platform's own Intl says; its first use
 * loads the rules of all languages, which keeps a slow phone from answering for a twentieth of a second.
 */
export const formatNumber = (value: number, decimals = 0): string =>
  value.toFixed(decimals).replace(/\B(?<!\..*)(?=(\d{3})+(?!\d))/g, ",");

/** Integer cents as US dollars with two decimals: 9900 is "$99.00". */
export function formatMoney(cents: number): string {
  return `${cents < 0 ? "-" : ""}$${formatNumber(Math.abs(cents) / 100, 2)}`;
}

/** Integer cents as machines read them: 9900 is "99.00". */
export function decimalMoney(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Integer cents as a sentence says them: 10000 is "$100", 999 is "$9.99". */
export function formatMoneyShort(cents: number): string {
  return formatMoney(cents).replace(/\.00$/, "");
}
