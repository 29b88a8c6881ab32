import { expect, it } from "vitest";
import { testimonials } from "#shop/content/home.ts";
import type { Product } from "./product.ts";
import { policyWordsOf } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { productContent } from "./product-content.ts";

const words = policyWordsOf(FIRST_SETTINGS);
const bowl = (rest: Partial<Product> = {}) =>
  ({
    slug: "a-bowl",
    category: "Pro",
    colorVariant: "Earth Green",
    specs: {},
    images: [],
    isAvailable: true,
    inventoryCount: 20,
    shipsFrom: null,
    waitlistOnlyUntil: null,
    ...rest,
  }) as unknown as Product;

it.each([
  ["in stock", {}, "Nothing to pay today"],
  ["sold out", { inventoryCount: 0 }, null],
  ["a pre-order", { shipsFrom: "2100-01-12" }, null],
  ["for the waitlist first", { waitlistOnlyUntil: new Date("2100-01-12T17:00:00Z") }, null],
])("%s: the promise beside it", (_name, rest, arrival) => {
  expect(productContent(bowl(rest), words).promises.arrival).toBe(arrival);
});

it("the price of shipping is beside what makes it free", () => {
  expect(productContent(bowl(), words).promises.shipping).toBe("Free shipping on orders $100+, otherwise $9.99");
});

it("no sample reviewer shares a first name with a sample voice of home", () => {
  const first = ({ name }: { name: string }) => name.split(" ")[0];
  const reviewers = productContent(bowl(), words).reviews!.map(first);
  expect(reviewers.filter((name) => testimonials.map(first).includes(name))).toEqual([]);
});

it("no sample review speaks of a humidity that a buyer sets", () => {
  const texts = productContent(bowl(), words).reviews!.map(({ text }) => text);
  expect(texts).toHaveLength(6);
  expect(texts.filter((text) => /humidity (on|at|to)\b/.test(text))).toEqual([]);
});
