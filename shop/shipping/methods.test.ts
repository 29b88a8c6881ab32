import { describe, expect, it } from "vitest";
import {
  deliveries,
  FREE_SHIPPING_FROM_CENTS,
  SHIPPING_METHODS,
  shippingPrice,
  type ShippingMethod,
} from "./methods.ts";

const methods = Object.keys(SHIPPING_METHODS) as ShippingMethod[];

describe.each(methods)("%s shipping", (method) => {
  const { priceCents } = SHIPPING_METHODS[method];
  it.each([
    ["of something free of charge costs its price", 0, priceCents],
    ["a cent below the threshold costs its price", FREE_SHIPPING_FROM_CENTS - 1, priceCents],
    ["at the threshold is free", FREE_SHIPPING_FROM_CENTS, 0],
    ["above the threshold is free", FREE_SHIPPING_FROM_CENTS * 3, 0],
  ])("%s", (_name, subtotal, price) => {
    expect(shippingPrice(method, subtotal)).toBe(price);
  });
});

it("the cheapest method comes first, and is the slowest", () => {
  const ways = deliveries(0);
  expect(ways.map(({ name }) => name)).toEqual(methods.map((method) => SHIPPING_METHODS[method].name));
  expect(ways).toEqual(ways.toSorted((a, b) => a.priceCents - b.priceCents));
  expect(ways).toEqual(ways.toSorted((a, b) => b.businessDays.max - a.businessDays.max));
});

it("the window that people read has the same days", () => {
  for (const { window, businessDays } of Object.values(SHIPPING_METHODS)) {
    expect(window).toMatch(/ business days?$/);
    expect(new Set(window.match(/\d+/g)?.map(Number))).toEqual(new Set([businessDays.min, businessDays.max]));
  }
});
