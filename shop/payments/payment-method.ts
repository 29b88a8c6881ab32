/** Methods of payment: what the operator may offer, and how people name what was used. */
import { brandName } from "#shop/card-name.ts";
import type { PaymentMethod, ProviderName } from "./provider.ts";

type Offered = {
  name: string;
  /** Ways that pages name; a card brings its wallets. */
  ways: string[];
  /** Days until an authorization ends (docs.stripe.com/payments/place-a-hold-on-a-payment-method). */
  authorizedDays: number;
  /** It can be saved and charged later, without its owner. */
  isSavable: boolean;
  /** Provider whose page takes it. */
  provider: ProviderName;
};

const method = (name: string, authorizedDays: number, more: Partial<Offered> = {}): Offered => ({
  name,
  ways: [name],
  authorizedDays,
  isSavable: false,
  provider: "stripe",
  ...more,
});

/** By the provider's name, in the order in which pages name them. */
export const PAYMENT_METHODS = {
  card: method("Card", 7, { ways: ["card", "Apple Pay", "Google Pay"], isSavable: true }),
  link: method("Link", 7, { isSavable: true }),
  klarna: method("Klarna", 28),
  affirm: method("Affirm", 30),
  amazon_pay: method("Amazon Pay", 7),
  cashapp: method("Cash App", 7),
  paypal: method("PayPal", 29, { provider: "paypal" }),
} satisfies Record<string, Offered>;
export type MethodName = keyof typeof PAYMENT_METHODS;
export const METHOD_NAMES = Object.keys(PAYMENT_METHODS) as MethodName[];

export const isMethodName = (name: string): name is MethodName => Object.hasOwn(PAYMENT_METHODS, name);

/** Those of `names` that one provider's page takes. */
export const methodsOf = (provider: ProviderName, names: readonly MethodName[]): MethodName[] =>
  names.filter((name) => PAYMENT_METHODS[name].provider === provider);

const waysOf = (names: MethodName[]) =>
  METHOD_NAMES.filter((name) => names.includes(name)).flatMap((name) => PAYMENT_METHODS[name].ways);

/** "credit and debit cards, Apple Pay, and Google Pay". */
export const methodsText = (names: MethodName[]): string =>
  new Intl.ListFormat("en-US").format(waysOf(names).map((way) => (way === "card" ? "credit and debit cards" : way)));

/** "card, Apple Pay, or Google Pay". */
export const payByText = (names: MethodName[]): string =>
  new Intl.ListFormat("en-US", { type: "disjunction" }).format(waysOf(names));

const WALLETS: Record<string, string> = { apple_pay: "Apple Pay", google_pay: "Google Pay", link: "Link" };

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** "Visa ending in 4242", or "Klarna". */
export function cardName({ brand, lastFour }: PaymentMethod): string {
  if (!lastFour) return isMethodName(brand) ? PAYMENT_METHODS[brand].name : capital(brand);
  return `${brandName(brand)} ending in ${lastFour}`;
}

/** "Visa ending in 4242" or "Apple Pay, Visa ending in 4242". */
export function paidWith(method: PaymentMethod): string {
  const { wallet } = method;
  return wallet ? `${WALLETS[wallet] ?? capital(wallet)}, ${cardName(method)}` : cardName(method);
}

/** "to your Visa ending in 4242", or "through Klarna". */
export const chargedTo = (method: PaymentMethod): string =>
  `${method.lastFour ? "to your" : "through"} ${cardName(method)}`;
