import { expect, it } from "vitest";
import { availabilityNote, availabilityWords, maxQuantity, stockMessage, unitsLeft } from "./stock.ts";

it.each([
  { isAvailable: true, inventoryCount: 0, left: 0, most: 0, message: "Out of Stock" },
  { isAvailable: true, inventoryCount: 1, left: 1, most: 1, message: "Only 1 left" },
  { isAvailable: true, inventoryCount: 7, left: 7, most: 7, message: "Only 7 left" },
  { isAvailable: true, inventoryCount: 10, left: 10, most: 10, message: "Only 10 left" },
  { isAvailable: true, inventoryCount: 11, left: 11, most: 10, message: "In Stock" },
  { isAvailable: true, inventoryCount: 500, left: 500, most: 10, message: "In Stock" },
  { isAvailable: false, inventoryCount: 25, left: 0, most: 0, message: "Out of Stock" },
  { isAvailable: false, inventoryCount: 0, left: 0, most: 0, message: "Out of Stock" },
])("$inventoryCount units, available $isAvailable: $message", ({ left, most, message, ...product }) => {
  expect(unitsLeft(product)).toBe(left);
  expect(maxQuantity(product)).toBe(most);
  expect(stockMessage(product)).toBe(message);
});

const NOW = new Date("2026-11-25T12:00:00Z");
const PLENTY = { isAvailable: true, inventoryCount: 20, retiredAt: null, shipsFrom: null, waitlistOnlyUntil: null };
const FIRST = { waitlistOnlyUntil: new Date("2026-12-20T17:00:00Z") };
const FIRST_WORDS = "Waitlist first: by invitation now, for everyone starting December 20";

it.each([
  ["in stock", {}, "In Stock", null],
  ["the ship day has come", { shipsFrom: "2026-11-25" }, "In Stock", null],
  ["it ships tomorrow", { shipsFrom: "2026-11-26" }, "Ships November 26", "Ships November 26"],
  ["in the next year", { shipsFrom: "2027-01-12" }, "Ships January 12, 2027", "Ships January 12, 2027"],
  ["low", { inventoryCount: 3 }, "Only 3 left", "Only 3 left"],
  [
    "low and later",
    { inventoryCount: 3, shipsFrom: "2026-12-12" },
    "Only 3 left, ships December 12",
    "Only 3 left, ships December 12",
  ],
  ["sold out, whatever day", { inventoryCount: 0, shipsFrom: "2026-12-12", ...FIRST }, "Out of Stock", "Out of Stock"],
  ["by invitation", FIRST, FIRST_WORDS, "Waitlist first"],
  [
    "by invitation, and later",
    { ...FIRST, shipsFrom: "2026-12-24" },
    `${FIRST_WORDS}, ships December 24`,
    "Waitlist first, ships December 24",
  ],
  ["retired", { ...FIRST, retiredAt: NOW }, "No longer sold", "No longer sold"],
])("availability where it is %s", (_, rest, words, note) => {
  expect(availabilityWords({ ...PLENTY, ...rest }, NOW)).toBe(words);
  expect(availabilityNote({ ...PLENTY, ...rest }, NOW)).toBe(note);
});
