import { expect, it } from "vitest";
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
  ["in stock", {}, "Arrives in 5-7 business days"],
  ["sold out", { inventoryCount: 0 }, null],
  ["a pre-order", { shipsFrom: "2100-01-12" }, null],
  ["for the waitlist first", { waitlistOnlyUntil: new Date("2100-01-12T17:00:00Z") }, null],
])("%s: the promised arrival", (_name, rest, arrival) => {
  expect(productContent(bowl(rest), words).promises.arrival).toBe(arrival);
});

it("the price of shipping is beside what makes it free", () => {
  expect(productContent(bowl(), words).promises.shipping).toBe("Free shipping on orders $100+, otherwise $9.99");
});
