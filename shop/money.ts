const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Integer cents as US dollars with two decimals: 9900 is "$99.00". */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

/** Integer cents as machines read them: 9900 is "99.00". */
export function decimalMoney(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Integer cents as a sentence says them: 10000 is "$100", 999 is "$9.99". */
export function formatMoneyShort(cents: number): string {
  return formatMoney(cents).replace(/\.00$/, "");
}
