import { expect, it } from "vitest";
import type { Product } from "./product.ts";
import { featuredStock } from "./shown-product.ts";

const pro = (colorVariant: string, rest: Partial<Product> = {}) =>
  ({
    colorVariant,
    isAvailable: true,
    inventoryCount: 20,
    retiredAt: null,
    shipsFrom: null,
    waitlistOnlyUntil: null,
    ...rest,
  }) as Product;

const soldOut = { inventoryCount: 0 };
const later = { shipsFrom: "2100-01-12" };
const evenLater = { shipsFrom: "2100-02-01" };
const first = { waitlistOnlyUntil: new Date("2100-01-12T17:00:00Z") };

it.each([
  [[pro("Black"), pro("Green", { inventoryCount: 3 })], "In stock", true],
  [[pro("Black", soldOut), pro("Green"), pro("White")], "In stock in Green and White", true],
  [[pro("Black", later), pro("Green")], "In stock in Green", true],
  [[pro("Black", later), pro("Green", later)], "Ships January 12, 2100", false],
  [[pro("Black", evenLater), pro("Green", later)], "Green ships January 12, 2100", false],
  [[pro("Black", soldOut), pro("Green", later), pro("White", later)], "Green and White ship January 12, 2100", false],
  [[pro("Black", first), pro("Green", later)], "Green ships January 12, 2100", false],
  [[pro("Black", first)], "Waitlist first: by invitation now, for everyone starting January 12, 2100", false],
  [[pro("Black", soldOut)], "Out of Stock", false],
  [[], null, false],
])("%#: featured colors are %j", (products, message, shipsNow) => {
  expect(featuredStock(products)).toEqual({ message, shipsNow });
});
