/** Test cards and the card form: values, errors and the payer. */
import { buttonsOf } from "./methods.ts";
import type { Payer } from "./payment.ts";

export type Decline = { code: string; decline_code?: string; message: string };

export type TestCard = {
  number: string;
  brand: "visa" | "mastercard" | "amex";
  does: string;
  decline?: Decline;
  isChallenged?: true;
  /** The bank also asks when a saved card is charged, where nobody can answer. */
  asksEachTime?: true;
  /** A card that is declined, but can be saved. */
  isSavedAnyway?: true;
  refusesCapture?: true;
  isDisputed?: true;
  refunds?: "pending-first" | "fail-later";
};

const visa = (number: string, does: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: "visa",
  does,
  ...more,
});
const declined = (decline_code: string, message: string) => ({
  decline: { code: "card_declined", decline_code, message },
});

export const TEST_CARDS: TestCard[] = [
  visa("4242424242424242", "Pays"),
  { number: "5555555555554444", brand: "mastercard", does: "Pays, as a Mastercard" },
  { number: "378282246310005", brand: "amex", does: "Pays, as an American Express with a security code of 4 digits" },
  visa("4000000000003220", "Asks the bank first (3D Secure)", { isChallenged: true }),
  visa("4000000000000002", "Is declined", declined("generic_decline", "Your card was declined.")),
  visa(
    "4000000000009995",
    "Is declined: insufficient funds",
    declined("insufficient_funds", "Your card has insufficient funds."),
  ),
  visa("4000000000000069", "Is declined: expired", {
    decline: { code: "expired_card", message: "Your card has expired." },
  }),
  visa("4000000000000341", "Is saved, but declined when it is charged", {
    ...declined("generic_decline", "Your card was declined."),
    isSavedAnyway: true,
  }),
  visa("4000002760003184", "Asks the bank each time, also when a saved card is charged", {
    isChallenged: true,
    asksEachTime: true,
  }),
  visa("4000000000000259", "Pays, and is disputed once it is charged", { isDisputed: true }),
  visa("4000000000007726", "Pays; a refund is pending first", { refunds: "pending-first" }),
  visa("4000000000005126", "Pays; a refund fails later", { refunds: "fail-later" }),
  visa("4000000000004400", "Is authorized, then refuses to be charged", { refusesCapture: true }),
];

export const cardByNumber = (number: string): TestCard | undefined => TEST_CARDS.find((card) => card.number === number);

export const FIELDS = ["number", "expiry", "cvc", "name", "address", "zip"] as const;
export type Typed = Record<(typeof FIELDS)[number], string>;

export const NOTHING_TYPED: Typed = { number: "", expiry: "", cvc: "", name: "", address: "", zip: "" };

const digits = (text: string) => text.replace(/[\s-]/g, "");

function numberError(number: string): string | undefined {
  if (number === "") return "Enter a card number, for example 4242 4242 4242 4242.";
  if (!cardByNumber(number)) return "This page takes test cards only. Use one from the list below, never a real card.";
  return undefined;
}

/** Formats: "4 / 31", "04/2031", "0431". */
function parseExpiry(text: string): { month: number; year: number } | null {
  const [, month, year] =
    /^(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{2})$/.exec(text.trim()) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: Number(year) + (year.length === 2 ? 2_000 : 0) };
}

const YEARS_AHEAD = 50;

function expiryError(text: string, now: Date): string | undefined {
  if (text.trim() === "") return "Enter when the card expires, as month and year.";
  const expiry = parseExpiry(text);
  if (!expiry || expiry.year > now.getUTCFullYear() + YEARS_AHEAD)
    return "Enter the month and year, for example 04 / 31.";
  const isOver = expiry.year * 12 + expiry.month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return isOver ? "This date is past. Any future date will do." : undefined;
}

function cvcError(cvc: string, number: string): string | undefined {
  const isAmex = cardByNumber(number)?.brand === "amex";
  if ((isAmex ? /^\d{4}$/ : /^\d{3}$/).test(cvc)) return undefined;
  return `Enter the security code: any ${isAmex ? 4 : 3} digits.`;
}

/** Security codes and numbers of possibly real cards are not shown again. */
const shownAgain = (typed: Typed): Typed => ({
  ...typed,
  cvc: "",
  number: cardByNumber(digits(typed.number)) ? typed.number : "",
});

export const typedBy = ({ cardNumber, expMonth, expYear, name, address, postalCode }: Payer): Typed => ({
  number: cardNumber,
  expiry: `${String(expMonth).padStart(2, "0")} / ${expYear}`,
  cvc: "",
  name,
  address,
  zip: postalCode,
});

const WALLETS = ["apple_pay", "google_pay"] as const;

type Read = { payer: Payer; again: Typed } | { errors: Partial<Typed>; again: Typed };

/** The page's demands: the methods that it offers, and whether it asks for the billing address. */
type Page = { asksAddress?: boolean; allowed?: string[] | null };

/** The payer of the card form, or of a button of a wallet or another method, which pays with a test Visa. */
export function readPayForm(form: URLSearchParams, now: Date, { asksAddress = false, allowed }: Page = {}): Read {
  const wallet = WALLETS.find((name) => name === form.get("wallet")) ?? null;
  const method = buttonsOf(allowed ?? null).find((type) => type === form.get("method")) ?? "card";
  if (wallet || method !== "card") {
    const card = { cardNumber: "4242424242424242", expMonth: 12, expYear: now.getUTCFullYear() + 3 };
    return { payer: { ...card, name: "", address: "", postalCode: "", wallet, method }, again: NOTHING_TYPED };
  }
  const typed = { ...NOTHING_TYPED };
  for (const field of FIELDS) typed[field] = (form.get(field) ?? "").slice(0, 200);
  const again = shownAgain(typed);
  const cardNumber = digits(typed.number);
  const expiry = parseExpiry(typed.expiry);
  const errors: Partial<Typed> = Object.fromEntries(
    Object.entries({
      number: numberError(cardNumber),
      expiry: expiryError(typed.expiry, now),
      cvc: cvcError(typed.cvc.trim(), cardNumber),
      name: typed.name.trim() ? undefined : "Enter the name on the card.",
      address: asksAddress && !typed.address.trim() ? "Enter the billing address." : undefined,
      zip: /^\d{5}(-?\d{4})?$/.test(typed.zip.trim()) ? undefined : "Enter a ZIP code of 5 digits.",
    }).filter(([, error]) => error !== undefined),
  );
  if (!expiry || Object.keys(errors).length > 0) return { errors, again };
  const [name, address, postalCode] = [typed.name.trim(), typed.address.trim(), typed.zip.trim()];
  const { month: expMonth, year: expYear } = expiry;
  return { again, payer: { name, address, postalCode, cardNumber, expMonth, expYear, wallet, method } };
}
