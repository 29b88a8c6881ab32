/** The card form: what somebody typed, what is wrong with it in words, and who pays where nothing is. */
import type { Payer } from "../payment.ts";
import { cardByNumber, WALLET_CARD } from "../test-cards.ts";

export const FIELDS = ["number", "expiry", "cvc", "name", "zip"] as const;
export type Field = (typeof FIELDS)[number];
export type Errors = Partial<Record<Field, string>>;
export type Typed = Record<Field, string>;

export const NOTHING_TYPED: Typed = { number: "", expiry: "", cvc: "", name: "", zip: "" };

const digits = (text: string) => text.replace(/[\s-]/g, "");

export function isLuhn(number: string): boolean {
  let sum = 0;
  for (const [i, digit] of number.split("").toReversed().entries()) {
    const weighed = Number(digit) * (1 + (i % 2));
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

function numberError(number: string): string | undefined {
  if (number === "") return "Enter a card number, for example 4242 4242 4242 4242.";
  if (!/^\d{12,19}$/.test(number) || !isLuhn(number)) return "This is no card number. Check it for a slip.";
  if (!cardByNumber(number)) return "This page takes test cards only. Use one from the list below, never a real card.";
  return undefined;
}

/** "4 / 31", "04/2031", "0431". */
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
  return isOver ? "This date is past. Any date to come will do." : undefined;
}

function cvcError(cvc: string, number: string): string | undefined {
  const isAmex = cardByNumber(number)?.brand === "amex";
  if ((isAmex ? /^\d{4}$/ : /^\d{3}$/).test(cvc)) return undefined;
  return `Enter the security code: any ${isAmex ? 4 : 3} digits.`;
}

const MAX_NAME = 100;

function nameError(name: string): string | undefined {
  if (name.trim() === "") return "Enter the name on the card.";
  return name.length > MAX_NAME ? `Enter a name of at most ${MAX_NAME} characters.` : undefined;
}

/** A number that may be somebody's real card is not shown again, and the security code never is. */
const shownAgain = (typed: Typed): Typed => {
  const number = digits(typed.number);
  const isForeign = /^\d{12,19}$/.test(number) && isLuhn(number) && !cardByNumber(number);
  return { ...typed, cvc: "", number: isForeign ? "" : typed.number };
};

/** What this payer has typed, as the form shows it again. */
export const typedBy = ({ cardNumber, expMonth, expYear, name, postalCode }: Payer): Typed => ({
  number: cardNumber,
  expiry: `${String(expMonth).padStart(2, "0")} / ${expYear}`,
  cvc: "",
  name: name ?? "",
  zip: postalCode ?? "",
});

export type Read = { payer: Payer; again: Typed } | { errors: Errors; again: Typed };

export function readCardForm(form: URLSearchParams, now: Date): Read {
  const typed = { ...NOTHING_TYPED };
  for (const field of FIELDS) typed[field] = (form.get(field) ?? "").slice(0, 200);
  const again = shownAgain(typed);
  const number = digits(typed.number);
  const expiry = parseExpiry(typed.expiry);
  const errors: Errors = Object.fromEntries(
    Object.entries({
      number: numberError(number),
      expiry: expiryError(typed.expiry, now),
      cvc: cvcError(typed.cvc.trim(), number),
      name: nameError(typed.name),
      zip: /^\d{5}(-?\d{4})?$/.test(typed.zip.trim()) ? undefined : "Enter a ZIP code of 5 digits.",
    }).filter(([, error]) => error !== undefined),
  );
  if (!expiry || Object.keys(errors).length > 0) return { errors, again };
  return {
    again,
    payer: {
      name: typed.name.trim(),
      postalCode: typed.zip.trim(),
      cardNumber: number,
      expMonth: expiry.month,
      expYear: expiry.year,
      wallet: null,
    },
  };
}

const WALLETS = ["apple_pay", "google_pay"] as const;

/** Who pays by a wallet's button; null where none was pressed. */
export function readWallet(form: URLSearchParams, now: Date): Payer | null {
  const wallet = WALLETS.find((name) => name === form.get("wallet"));
  if (!wallet) return null;
  return {
    name: null,
    postalCode: null,
    cardNumber: WALLET_CARD,
    expMonth: 12,
    expYear: now.getUTCFullYear() + 3,
    wallet,
  };
}
