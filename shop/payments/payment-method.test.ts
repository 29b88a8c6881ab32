import { expect, it } from "vitest";
import {
  cardName,
  chargedTo,
  METHOD_NAMES,
  type MethodName,
  methodsText,
  paidWith,
  payByText,
} from "./payment-method.ts";

it.each<[MethodName[], string, string]>([
  [["card"], "credit and debit cards, Apple Pay, and Google Pay", "card, Apple Pay, or Google Pay"],
  [
    ["klarna", "link", "card"],
    "credit and debit cards, Apple Pay, Google Pay, Link, and Klarna",
    "card, Apple Pay, Google Pay, Link, or Klarna",
  ],
  [
    ["paypal", "card"],
    "credit and debit cards, Apple Pay, Google Pay, and PayPal",
    "card, Apple Pay, Google Pay, or PayPal",
  ],
])("pages name %j", (methods, listed, by) => {
  expect([methodsText(methods), payByText(methods)]).toEqual([listed, by]);
});

it("names a card by its brand and last digits, with its wallet, and another method by its name", () => {
  const visa = { brand: "visa", lastFour: "4242", wallet: null };
  expect([paidWith(visa), chargedTo(visa)]).toEqual(["Visa ending in 4242", "to your Visa ending in 4242"]);
  expect(paidWith({ ...visa, wallet: "apple_pay" })).toBe("Apple Pay, Visa ending in 4242");
  const names = METHOD_NAMES.slice(1).map((brand) => cardName({ brand, lastFour: "", wallet: null }));
  expect(names).toEqual(["Link", "Klarna", "Affirm", "Amazon Pay", "Cash App", "PayPal"]);
  expect(chargedTo({ brand: "klarna", lastFour: "", wallet: null })).toBe("through Klarna");
});
