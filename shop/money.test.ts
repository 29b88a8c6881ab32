import { expect, it } from "vitest";
import { decimalMoney, formatMoney, formatMoneyShort, formatNumber, readDollars, shareOut } from "./money.ts";

it.each([
  [0, "$0.00", "$0", "0.00"],
  [-0, "$0.00", "$0", "0.00"],
  [999, "$9.99", "$9.99", "9.99"],
  [10_000, "$100.00", "$100", "100.00"],
  [-123_456, "-$1,234.56", "-$1,234.56", "-1234.56"],
])("%i cents are %s, %s in a sentence and %s for machines", (cents, money, short, decimal) => {
  expect([formatMoney(cents), formatMoneyShort(cents), decimalMoney(cents)]).toEqual([money, short, decimal]);
});

it.each([
  ["24", 24_00],
  [" $1,024.50 ", 1024_50],
  ["1,500", 1500_00],
  ["150.5", 150_50],
  ["123,456.78", 123_456_78],
  ["0.00", 0],
  ["999999", 999_999_00],
  ["1,234,567", null],
  ["150,00", null],
  ["1,50", null],
  ["1500,00", null],
  ["15,00,0", null],
  ["1,500,", null],
  [",500", null],
  ["1.500,00", null],
  ["1.234", null],
  ["-5", null],
  ["abc", null],
  ["", null],
])("reads %j as %s cents", (typed, cents) => expect(readDollars(typed)).toBe(cents));

it("formats numbers with commas", () => expect(formatNumber(1_234_567)).toBe("1,234,567"));

it.each([
  [10, [1, 1, 1], [4, 3, 3]],
  [825, [1, 1], [413, 412]],
  [100, [2, 3, 5], [20, 30, 50]],
  [1, [0, 1, 0], [0, 1, 0]],
  [7, [0, 0], [0, 0]],
  [0, [3, 4], [0, 0]],
])("shares %i cents out by %j as %j", (cents, weights, shares) => {
  expect(shareOut(cents, weights)).toEqual(shares);
});

it("shares add up, and none is a cent away from its proportion or above its weight", () => {
  const random = (below: number) => Math.floor(Math.random() * below);
  for (let round = 0; round < 2_000; round++) {
    const weights = Array.from({ length: 1 + random(6) }, () => random(3) * random(20_000));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const cents = random(total + 1);
    const shares = shareOut(cents, weights);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total === 0 ? 0 : cents);
    for (const [place, share] of shares.entries()) {
      expect(Math.abs(share - (total === 0 ? 0 : (cents * weights[place]!) / total))).toBeLessThan(1);
      expect(share).toBeLessThanOrEqual(weights[place]!);
    }
  }
});
