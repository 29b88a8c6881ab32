/** Payment methods as people name them. */
import type { PaymentMethod } from "./provider.ts";

const BRANDS: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};
const WALLETS: Record<string, string> = { apple_pay: "Apple Pay", google_pay: "Google Pay", link: "Link" };

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** "Visa ending in 4242". */
export const cardName = ({ brand, lastFour }: PaymentMethod): string =>
  `${BRANDS[brand] ?? capital(brand)} ending in ${lastFour}`;

/** "Visa ending in 4242" or "Apple Pay, Visa ending in 4242". */
export function paidWith(method: PaymentMethod): string {
  const { wallet } = method;
  return wallet ? `${WALLETS[wallet] ?? capital(wallet)}, ${cardName(method)}` : cardName(method);
}
