import { expect, it } from "vitest";
import { isLowStock, maxQuantity, stockMessage, unitsLeft } from "./stock.ts";

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
  expect(isLowStock(product)).toBe(message.startsWith("Only"));
  expect(stockMessage(product)).toBe(message);
});
