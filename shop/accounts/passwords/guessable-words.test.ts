import { expect, it } from "vitest";
import { isMadeOfKnownWords } from "./guessable-words.ts";

const ada = ["Ada", "King-Noël", "ada.lovelace1815+shop", "www.example-store.com"];

it.each([
  "polara123",
  "Polara2026!",
  "!!polara!!",
  "POLARApolara",
  "mypolarashop1",
  "ada.lovelace",
  "Lovelace1815!",
  "adalovelace1815shop",
  "Ada Ada Ada 99",
  "KING noël 1",
  "kingnoël",
  "ｐｏｌａｒａ1",
  "example-store",
  "www.example-store.com",
])("knows %s", (password) => {
  expect(isMadeOfKnownWords(password, ada)).toBe(true);
});

it.each(["polar bear 12", "correct horse", "ada likes sharp knives", "18151815", "lovelaces", "☃☃☃☃☃☃☃☃", ""])(
  "does not know %s",
  (password) => {
    expect(isMadeOfKnownWords(password, ada)).toBe(false);
  },
);

it("knows an email that is a number", () => {
  expect(isMadeOfKnownWords("555-012-3344", ["5550123344"])).toBe(true);
  expect(isMadeOfKnownWords("555-012-3345", ["5550123344"])).toBe(false);
});

it("needs no longer for a long password of short words", () => {
  const names = ["a", "aa", "aaa", "aaaa"];
  expect(isMadeOfKnownWords(`${"a".repeat(127)}b`, names)).toBe(false);
  expect(isMadeOfKnownWords("a".repeat(128), names)).toBe(true);
});
