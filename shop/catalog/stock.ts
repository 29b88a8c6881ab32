/** Whether a product can be bought, in how many, and how the shop says so. */
import { cartPolicy } from "../policies.ts";
import type { Product } from "./product.ts";

type Stocked = Pick<Product, "isAvailable" | "inventoryCount">;

export const LOW_STOCK_LIMIT = 10;
export const MAX_LINE_QUANTITY: number = cartPolicy.maxLineQuantity;

/** Units that can be sold now: 0 when the product is not available. */
export function unitsLeft(product: Stocked): number {
  return product.isAvailable ? product.inventoryCount : 0;
}

/** The most a cart line may hold: 10, or the stock where that is lower. */
export function maxQuantity(product: Stocked): number {
  return Math.min(MAX_LINE_QUANTITY, unitsLeft(product));
}

/** Whether so few are left that a shopper is told how many. */
export function isLowStock(product: Stocked): boolean {
  const left = unitsLeft(product);
  return left > 0 && left <= LOW_STOCK_LIMIT;
}

/** 'Out of Stock', 'Only N left' at 1 to 10, else 'In Stock'. */
export function stockMessage(product: Stocked): string {
  const left = unitsLeft(product);
  if (left === 0) return "Out of Stock";
  return isLowStock(product) ? `Only ${left} left` : "In Stock";
}
