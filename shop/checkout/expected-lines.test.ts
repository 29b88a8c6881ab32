import { expect, it } from "vitest";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { formatExpectedShipping, parseExpectedShipping, taxProblem } from "./expected-lines.ts";

it.each([
  [2_39, 2_39, null],
  [0, 0, null],
  [2_39, 0, "Sales tax at your address is $2.39, so your total is $31.38."],
  [1_38, 2_39, "Sales tax is now $1.38 instead of $2.39, so your total is $31.38."],
  [0, 2_39, "Sales tax is now $0.00 instead of $2.39, so your total is $31.38."],
])("a tax of %i cents where %i were seen", (cents, seen, words) => {
  expect(taxProblem(cents, seen, 31_38)).toBe(words && `${words} Check the summary, then place your order again.`);
});

it("shipping is repeated by the form with prices and longest days, and as nothing else", () => {
  const text = formatExpectedShipping(FIRST_SETTINGS.shipping);
  expect(text).toBe("10000:999f-7:1999f-3:3499f-1");
  expect(formatExpectedShipping(parseExpectedShipping(text)!)).toBe(text);
  for (const other of ["", "10000:999f:1999f:3499", `${text}:1`]) expect(parseExpectedShipping(other)).toBeNull();
});
