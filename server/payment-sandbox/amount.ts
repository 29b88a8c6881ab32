/** Money as the page and Stripe's messages show it. */

/** All of them count in hundredths. */
export const CURRENCIES = ["usd", "cad", "eur", "gbp"] as const;

export const formatAmount = (cents: number, currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
