import { describe, expect, it } from "vitest";
import { FIRST_SETTINGS, type MethodTerms } from "#shop/settings/settings.ts";
import {
  arrivalWords,
  deliveries,
  expectedDelivery,
  freeMethods,
  shipBy,
  SHIPPING_METHODS,
  type ShippingMethod,
  shippingPrice,
  transitWords,
  usualMethod,
} from "./methods.ts";

const { shipping } = FIRST_SETTINGS;
const FREE_FROM = shipping.freeFromCents;

describe.each(SHIPPING_METHODS)("%s shipping", (method) => {
  const { priceCents } = shipping[method];
  it.each([
    ["of a free item costs its price", 0, priceCents],
    ["a cent below the threshold costs its price", FREE_FROM - 1, priceCents],
    ["at the threshold is free", FREE_FROM, 0],
    ["above the threshold is free", FREE_FROM * 3, 0],
  ])("%s", (_name, subtotal, price) => {
    expect(shippingPrice(shipping, method, subtotal)).toBe(price);
  });
});

it("whatever is cheapest comes first", () => {
  const other = { ...shipping, overnight: { ...shipping.overnight, priceCents: 1_00 } };
  expect(deliveries(other, 0).map(({ name }) => name)[0]).toBe("Overnight Shipping");
});

const method = (name: ShippingMethod, more: Partial<MethodTerms>) => ({
  ...shipping,
  [name]: { ...shipping[name], ...more },
});
const onlyStandardIsFree = {
  ...method("express", { isFree: false }),
  overnight: { ...shipping.overnight, isFree: false },
};

it.each([
  ["every method is free", shipping, null, "standard", [0, 0, 0]],
  ["standard shipping is", onlyStandardIsFree, "Standard Shipping", "standard", [0, 19_99, 34_99]],
  [
    "all but standard shipping are",
    method("standard", { isFree: false }),
    "Express Shipping and Overnight Shipping",
    "express",
    [0, 0, 9_99],
  ],
  ["standard shipping is off", method("standard", { isOffered: false }), null, "express", [0, 0]],
  [
    "express has another name",
    method("express", { name: "Courier", isFree: false }),
    "Standard Shipping and Overnight Shipping",
    "standard",
    [0, 0, 19_99],
  ],
] as const)("from the threshold, if %s", (_name, terms, free, usual, prices) => {
  expect(freeMethods(terms)).toBe(free);
  expect(usualMethod(terms, FREE_FROM)).toBe(usual);
  expect(deliveries(terms, FREE_FROM).map(({ priceCents }) => priceCents)).toEqual(prices);
});

it("the cheapest method comes first, and is the slowest", () => {
  const ways = deliveries(shipping, 0);
  expect(ways.map(({ name }) => name)).toEqual(SHIPPING_METHODS.map((method) => shipping[method].name));
  expect(ways).toEqual(ways.toSorted((a, b) => a.priceCents - b.priceCents));
  expect(ways).toEqual(ways.toSorted((a, b) => b.businessDays.max - a.businessDays.max));
});

it("the displayed window matches the days", () => {
  for (const method of SHIPPING_METHODS) {
    const [window, { businessDays }] = [transitWords(shipping, method), shipping[method]];
    expect(window).toMatch(/ business days?$/);
    expect(new Set(window.match(/\d+/g)?.map(Number))).toEqual(new Set([businessDays.min, businessDays.max]));
  }
});

const day = (date: Date) => date.toISOString().slice(0, 10);

it.each([
  ["standard", "2026-11-23T15:00:00Z", "2026-12-01", "2026-12-03"],
  ["express", "2026-11-26T15:00:00Z", "2026-11-30", "2026-12-01"],
  ["overnight", "2026-11-27T15:00:00Z", "2026-11-30", "2026-11-30"],
  ["overnight", "2026-11-28T15:00:00Z", "2026-11-30", "2026-11-30"],
  ["overnight", "2026-11-28T02:00:00Z", "2026-11-30", "2026-11-30"],
  ["express", "2026-11-24T03:00:00Z", "2026-11-25", "2026-11-27"],
  ["overnight", "2026-12-24T15:00:00Z", "2026-12-28", "2026-12-28"],
  ["overnight", "2026-12-31T15:00:00Z", "2027-01-04", "2027-01-04"],
  ["overnight", "2027-05-28T15:00:00Z", "2027-06-01", "2027-06-01"],
  ["overnight", "2028-07-03T15:00:00Z", "2028-07-05", "2028-07-05"],
  ["overnight", "2026-09-04T15:00:00Z", "2026-09-08", "2026-09-08"],
] as const)("%s shipped %s arrives from %s to %s, counting business days", (method, shipped, from, to) => {
  const expected = expectedDelivery(shipping, method, new Date(shipped));
  expect([day(expected.from), day(expected.to)]).toEqual([from, to]);
});

it.each([
  ["standard", "2026-11-25T15:00:00Z", [], "Dec 3–7"],
  ["express", "2026-11-25T15:00:00Z", [null], "Nov 30–Dec 1"],
  ["express", "2026-11-27T15:00:00Z", [], "Dec 1–2"],
  ["standard", "2026-11-23T15:00:00Z", [], "Dec 1–3"],
  ["overnight", "2026-11-26T03:00:00Z", [], "Nov 27"],
  ["overnight", "2026-11-25T15:00:00Z", ["2026-01-12", "2027-01-12", null], "Jan 13"],
] as const)("%s ordered %s with lines promised for %j arrives %s", (method, ordered, promised, words) => {
  expect(arrivalWords(shipping, method, new Date(ordered), promised)).toBe(words);
});

const slow = { ...shipping, standard: { ...shipping.standard, businessDays: { min: 5, max: 60 } } };

it.each([
  ["overnight, the same day", shipping, "overnight", "2026-11-24", null, "2026-11-24"],
  ["overnight, the same day on a holiday too", shipping, "overnight", "2026-11-26", null, "2026-11-26"],
  ["express, one business day later", shipping, "express", "2026-11-24", null, "2026-11-25"],
  ["express, not on a weekend", shipping, "express", "2026-11-27", null, "2026-11-30"],
  ["standard, two business days later", shipping, "standard", "2026-11-23", null, "2026-11-25"],
  ["standard, not on a holiday", shipping, "standard", "2026-11-25", null, "2026-11-30"],
  ["a pre-order, on its first shipping day", shipping, "overnight", "2026-11-24", "2027-03-04", "2027-03-04"],
  ["a wide window, within the promised 30 days", slow, "standard", "2026-11-24", null, "2026-12-24"],
] as const)("ships %s", (_name, terms, method, placedOn, shipsOn, leaves) => {
  expect(shipBy(terms, method, placedOn, shipsOn)).toBe(leaves);
});

it.each(SHIPPING_METHODS)("%s shipped on the day to ship by arrives within the days of the checkout", (method) => {
  for (let i = 1; i < 365; i++) {
    const placed = new Date(Date.UTC(2026, 0, i, 17));
    const left = new Date(`${shipBy(shipping, method, day(placed))}T17:00:00Z`);
    expect(expectedDelivery(shipping, method, left).from <= expectedDelivery(shipping, method, placed).to).toBe(true);
  }
});
