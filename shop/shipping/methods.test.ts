import { describe, expect, it } from "vitest";
import { FIRST_SETTINGS, type MethodTerms } from "#shop/settings/settings.ts";
import {
  arrivalWords,
  deliveries,
  expectedDelivery,
  freeMethods,
  orderArrival,
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
const noon = (on: string) => new Date(`${on}T17:00:00Z`);

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
  ["standard", "2026-11-25", null, "Dec 3–7"],
  ["express", "2026-11-25", null, "Nov 30–Dec 1"],
  ["express", "2026-11-27", null, "Dec 1–2"],
  ["standard", "2026-11-23", null, "Dec 1–3"],
  ["overnight", "2026-11-25", null, "Nov 27"],
  ["overnight", "2026-11-22", null, "Nov 24"],
  ["overnight", "2026-11-25", "2027-01-12", "Jan 13"],
] as const)("%s ordered on %s with lines that ship on %s arrives %s", (method, ordered, shipsOn, words) => {
  const days = { shipBy: shipBy(shipping, method, noon(ordered), shipsOn), isNamed: shipsOn !== null };
  expect(orderArrival(shipping, method, days)).toBe(words);
});

it.each([
  ["overnight, the same day", "overnight", "2026-11-24", null, "2026-11-24"],
  ["overnight, on Monday if it is ordered on Sunday", "overnight", "2026-11-22", null, "2026-11-23"],
  ["overnight, on Friday if it is ordered on Thanksgiving", "overnight", "2026-11-26", null, "2026-11-27"],
  ["express, one business day later", "express", "2026-11-24", null, "2026-11-25"],
  ["express, not on a weekend", "express", "2026-11-27", null, "2026-11-30"],
  ["standard, two business days later", "standard", "2026-11-23", null, "2026-11-25"],
  ["standard, not on a holiday", "standard", "2026-11-25", null, "2026-11-30"],
  ["a pre-order, on its first shipping day", "overnight", "2026-11-24", "2027-03-04", "2027-03-04"],
] as const)("ships %s", (_name, method, placedOn, shipsOn, leaves) => {
  expect(shipBy(shipping, method, noon(placedOn), shipsOn)).toBe(leaves);
});

it.each([
  ["a minute before the cutoff", "2026-11-24T18:59:00Z", "2026-11-24"],
  ["from the cutoff on", "2026-11-24T19:00:00Z", "2026-11-25"],
  ["late in the evening", "2026-11-25T04:59:00Z", "2026-11-25"],
  ["after midnight", "2026-11-25T05:01:00Z", "2026-11-25"],
  ["in summer", "2026-07-01T18:00:00Z", "2026-07-02"],
])("an order %s counts from its day or the next", (_name, placedAt, counts) => {
  expect(shipBy(shipping, "overnight", new Date(placedAt))).toBe(counts);
});

it.each(SHIPPING_METHODS)("%s ships by a business day, from which its arrival is counted", (method) => {
  const { min, max } = shipping[method].businessDays;
  for (let i = 1; i < 365; i++) {
    const placed = day(new Date(Date.UTC(2026, 0, i)));
    const leaves = shipBy(shipping, method, noon(placed));
    expect([0, 6]).not.toContain(new Date(leaves).getUTCDay());
    const counted = noon(max > min ? placed : leaves);
    const words = orderArrival(shipping, method, { shipBy: leaves, isNamed: false });
    expect(words).toBe(arrivalWords(shipping, method, counted));
    const { from } = expectedDelivery(shipping, method, noon(leaves));
    expect(from <= expectedDelivery(shipping, method, counted).to).toBe(true);
  }
});
