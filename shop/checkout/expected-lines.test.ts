import { expect, it } from "vitest";
import { taxProblem } from "./expected-lines.ts";

it.each([
  [2_39, 2_39, null],
  [0, 0, null],
  [2_39, 0, "Sales tax at your address is $2.39, so your total is $31.38."],
  [1_38, 2_39, "Sales tax is now $1.38 instead of $2.39, so your total is $31.38."],
  [0, 2_39, "Sales tax is now $0.00 instead of $2.39, so your total is $31.38."],
])("a tax of %i cents where %i were seen", (cents, seen, words) => {
  expect(taxProblem(cents, seen, 31_38)).toBe(words && `${words} Check the summary, then place your order again.`);
});
