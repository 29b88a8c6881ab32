import { expect, it } from "vitest";
import { suggestAddress } from "./suggest-address.ts";

const found = { line1: "12 MAIN ST NW", line2: "APT 4", city: "NEW YORK", state: "NY", postalCode: "10001-1234" };
const typed = { line1: "12 Main Street NW", line2: "4", city: "New York", state: "NY", postalCode: "10001" };

it.each([
  ["capitals, abbreviations and the rest of the ZIP code", {}],
  ["a unit with or without its word", { line2: "# 4" }],
  ["the unit in the first line", { line1: "12 Main St. NW, Apt 4", line2: "" }],
  ["a spelled-out direction", { line1: "12 Main St Northwest" }],
])("nothing is asked about %s", (_what, more) => {
  expect(suggestAddress({ ...typed, ...more }, found)).toBeNull();
});

it.each([
  ["P.O. Box 12", "PO BOX 12"],
  ["7 O’Brien Ln", "7 OBRIEN LN"],
  ["12 Main St N.W.", "12 MAIN ST NW"],
  ["9 Cañon Rd", "9 CANON RD"],
])("nothing is asked about “%s”, which the carrier writes “%s”", (line1, carriers) => {
  expect(suggestAddress({ ...typed, line1 }, { ...found, line1: carriers })).toBeNull();
});

it.each(["DC", "PR", "GU", "AE"])("an address in %s is not offered, because the checkout refuses it", (state) => {
  expect(suggestAddress({ ...typed, state: "MD" }, { ...found, state })).toBeNull();
});

it.each([
  ["a typing error", { line1: "12 Mian Street NW" }],
  ["numbers divided elsewhere", { line1: "1 2 Main Street NW" }],
  ["a missing unit", { line2: "" }],
  ["another city", { city: "Albany" }],
  ["another state", { state: "NJ" }],
  ["another ZIP code", { postalCode: "10002" }],
])("the carrier's address is offered for %s", (_what, more) => {
  expect(suggestAddress({ ...typed, ...more }, found)).toEqual({
    line1: "12 Main St NW",
    line2: "Apt 4",
    city: "New York",
    state: "NY",
    postalCode: "10001",
  });
});
