import { describe, expect, it } from "vitest";
import {
  deliveries,
  expectedDelivery,
  FREE_SHIPPING_FROM_CENTS,
  SHIPPING_METHODS,
  type ShippingMethod,
  shippingPrice,
} from "./methods.ts";

const methods = Object.keys(SHIPPING_METHODS) as ShippingMethod[];

describe.each(methods)("%s shipping", (method) => {
  const { priceCents } = SHIPPING_METHODS[method];
  it.each([
    ["of a free item costs its price", 0, priceCents],
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

it("the displayed window matches the days", () => {
  for (const { window, businessDays } of Object.values(SHIPPING_METHODS)) {
    expect(window).toMatch(/ business days?$/);
    expect(new Set(window.match(/\d+/g)?.map(Number))).toEqual(new Set([businessDays.min, businessDays.max]));
  }
});

const day = (date: Date) => date.toISOString().slice(0, 10);

it.each([
  ["standard", "2026-11-23T15:00:00Z", "2026-11-30", "2026-12-02"],
  ["express", "2026-11-26T15:00:00Z", "2026-11-30", "2026-12-01"],
  ["overnight", "2026-11-27T15:00:00Z", "2026-11-30", "2026-11-30"],
  ["overnight", "2026-11-28T15:00:00Z", "2026-11-30", "2026-11-30"],
  ["overnight", "2026-11-28T02:00:00Z", "2026-11-30", "2026-11-30"],
  ["express", "2026-11-24T03:00:00Z", "2026-11-25", "2026-11-26"],
] as const)("%s shipped %s arrives from %s to %s, counting business days", (method, shipped, from, to) => {
  const expected = expectedDelivery(method, new Date(shipped));
  expect([day(expected.from), day(expected.to)]).toEqual([from, to]);
});
