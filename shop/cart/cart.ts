import type { CartDiscount } from "#shop/discounts/discount.ts";
import type { Totals } from "./totals.ts";

/** A signed-in customer or a guest, never both. */
export type Buyer = { customerId: string } | { guestId: string };

export type CartLine = {
  id: string;
  productId: string;
  slug: string;
  name: string;
  colorVariant: string | null;
  colorHex: string | null;
  thumbnail: string | null;
  /** 'Pre-order, ships January 12'; null if it ships now. */
  preOrder: string | null;
  /** Promised day, YYYY-MM-DD; null without one. */
  shipsFrom: string | null;
  quantity: number;
  unitPriceCents: number;
  /** 10 or the stock, whichever is lower; 0 if it cannot be bought now. */
  maxQuantity: number;
  /** Years from purchase; null if the warranty does not cover the product. */
  warrantyYears: number | null;
};

/** A product that brings the cart to free shipping. */
export type CartOffer = Pick<CartLine, "productId" | "slug" | "name" | "thumbnail"> & { priceCents: number };

export type Cart = { lines: CartLine[]; totals: Totals; discount: CartDiscount };

export function lineProblem(line: Pick<CartLine, "quantity" | "maxQuantity">): string | null {
  if (line.maxQuantity === 0) return "Out of stock. Remove it to check out.";
  if (line.quantity > line.maxQuantity) return `Only ${line.maxQuantity} left. Lower the quantity to check out.`;
  return null;
}
