/** What a cart is to whoever shows it. */
import type { Totals } from "./totals.ts";

/** Who buys: a signed-in customer or a guest, never both. */
export type Buyer = { customerId: string } | { guestId: string };

export type CartLine = {
  id: string;
  productId: string;
  slug: string;
  name: string;
  colorVariant: string | null;
  colorHex: string | null;
  thumbnail: string | null;
  /** 'Pre-order, ships from January 12'; null where it ships now. */
  preOrder: string | null;
  quantity: number;
  /** What one unit costs now, in cents. */
  unitPriceCents: number;
  /** 10 or the stock, whichever is lower; 0 when it cannot be bought now. */
  maxQuantity: number;
  /** From its purchase; null where the warranty does not cover it. */
  warrantyYears: number | null;
};

export type Cart = { lines: CartLine[]; totals: Totals };

/** What stands in the way of buying a line as it is, or null. */
export function lineProblem(line: Pick<CartLine, "quantity" | "maxQuantity">): string | null {
  if (line.maxQuantity === 0) return "Out of stock. Remove it to check out.";
  if (line.quantity > line.maxQuantity) return `Only ${line.maxQuantity} left. Lower the quantity to check out.`;
  return null;
}
