/** The discount of an order, compared with what the shopper saw. */
import type { DatabaseOrTransaction } from "#db/connection.server.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import type { AppliedDiscount, DiscountableLine } from "#shop/discounts/discount.ts";
import { findDiscount } from "#shop/discounts/discounts.server.ts";
import type { ShippingPrices } from "#shop/shipping/methods.ts";
import { discountRefusal, type DiscountRefusal, type ExpectedDiscount } from "./expected-lines.ts";

type Expected = {
  lines: readonly DiscountableLine[];
  shipping: ShippingPrices;
  /** Buyer whose own unpaid orders do not use the code; null counts all of them. */
  owner: string | null;
  email: string;
  code: string | null;
  expectedDiscount: ExpectedDiscount;
};

/**
 * Returns the discount that counts now. An order without a code whose page showed none has none, without a look at the
 * database: it costs what was seen. Refusal: 'discount-changed' if the shopper saw another one.
 */
export async function findExpected(
  db: DatabaseOrTransaction,
  { lines, shipping, owner, email, code, expectedDiscount }: Expected,
): Promise<{ ok: true; applied: AppliedDiscount | null } | DiscountRefusal> {
  if (code === null && expectedDiscount === null) return { ok: true, applied: null };
  const { shippingCents } = cartTotals(shipping, lines);
  const discount = await findDiscount(db, { lines, code, owner, shippingCents, email });
  return discountRefusal(discount, expectedDiscount) ?? { ok: true, applied: discount.applied };
}
