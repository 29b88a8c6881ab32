import { describe, expect, it } from "vitest";
import { FIELDS, readPayForm, type Typed } from "./card-form.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const GOOD: Typed = {
  number: "4242 4242 4242 4242",
  expiry: "12 / 40",
  cvc: "123",
  name: "Ada Lovelace",
  address: "",
  zip: "10001",
};
const read = (typed: Partial<Typed>) => readPayForm(new URLSearchParams({ ...GOOD, ...typed }), NOW);
const errorsOf = (typed: Partial<Typed>) => {
  const form = read(typed);
  return "errors" in form ? form.errors : {};
};

describe("the card form", () => {
  it.each<[Partial<Typed>, object]>([
    [{}, { expMonth: 12, expYear: 2040, name: "Ada Lovelace", postalCode: "10001", wallet: null }],
    [
      { number: "4242-4242-4242-4242", expiry: "1231" },
      { cardNumber: "4242424242424242", expMonth: 12, expYear: 2031 },
    ],
    [{ expiry: "11/26" }, { expMonth: 11, expYear: 2026 }],
    [{ expiry: " 4 / 2031 " }, { expMonth: 4, expYear: 2031 }],
    [{ number: "378282246310005", cvc: "1234" }, { cardNumber: "378282246310005" }],
    [{ zip: "10001-1234" }, { postalCode: "10001-1234" }],
  ])("accepts %o", (typed, payer) => {
    expect(read(typed)).toMatchObject({ payer });
  });

  it.each<[keyof Typed, string, string]>([
    ["number", "", "Enter a card number, for example 4242 4242 4242 4242."],
    [
      "number",
      "4111 1111 1111 1111",
      "This page takes test cards only. Use one from the list below, never a real card.",
    ],
    ["expiry", "", "Enter when the card expires, as month and year."],
    ["expiry", "13 / 30", "Enter the month and year, for example 04 / 31."],
    ["expiry", "12 / 2099", "Enter the month and year, for example 04 / 31."],
    ["expiry", "10 / 26", "This date is past. Any future date will do."],
    ["cvc", "12", "Enter the security code: any 3 digits."],
    ["cvc", "1234", "Enter the security code: any 3 digits."],
    ["name", "  ", "Enter the name on the card."],
    ["zip", "1000", "Enter a ZIP code of 5 digits."],
  ])("refuses the %s %j", (field, typed, message) => {
    expect(errorsOf({ [field]: typed })).toEqual({ [field]: message });
  });

  it("requires the billing address where it is asked for", () => {
    const asked = (address: string) =>
      readPayForm(new URLSearchParams({ ...GOOD, address }), NOW, { asksAddress: true });
    expect(asked(" ")).toMatchObject({ errors: { address: "Enter the billing address." } });
    expect(asked("1 Other St")).toMatchObject({ payer: { address: "1 Other St" } });
  });

  it("requires four digits of an American Express", () => {
    expect(errorsOf({ number: "378282246310005" })).toEqual({ cvc: "Enter the security code: any 4 digits." });
  });

  it("repeats what was typed, except the security code and a number that may be a real card", () => {
    expect(read({ zip: "1" }).again).toEqual({ ...GOOD, zip: "1", cvc: "" });
    expect(read({ number: "4111 1111 1111 1111" }).again.number).toBe("");
  });

  it("an empty form has an error in every field", () => {
    const form = readPayForm(new URLSearchParams(), NOW, { asksAddress: true });
    expect("errors" in form && Object.keys(form.errors)).toEqual([...FIELDS]);
  });
});

it("a wallet pays without a form, and no other button does", () => {
  const byWallet = (name: string) => readPayForm(new URLSearchParams({ wallet: name }), NOW);
  expect(byWallet("apple_pay")).toMatchObject({ payer: { wallet: "apple_pay" } });
  expect(byWallet("another")).toHaveProperty("errors");
});
