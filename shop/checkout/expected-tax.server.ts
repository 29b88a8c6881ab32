/** The tax of an order: quoted before its transaction, and compared with what the shopper saw. */
import type { Database } from "#db/connection.server.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { discountedLines } from "#shop/discounts/discount.ts";
import { quoteTax, type DueTax, type QuoteRefusal } from "#shop/tax/quote.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { settings } from "#shop/settings/settings.server.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { findExpected } from "./expected-discount.server.ts";
import { taxProblem, type DiscountRefusal, type ExpectedDiscount, type ExpectedLine } from "./expected-lines.ts";

export type ExpectedTax = {
  provider: TaxProvider;
  /** Cents that the shopper saw; 0 before a quote. */
  seenCents: number;
};

export type TaxRefusal =
  | { ok: false; reason: "tax-changed"; taxCents: number; message: string }
  | { ok: false; reason: "tax-unknown"; why: QuoteRefusal["reason"]; wait: number };

type Expected = {
  form: CheckoutForm;
  expectedLines: ExpectedLine[];
  /** The buyer's id. */
  owner: string;
  code: string | null;
  expectedDiscount: ExpectedDiscount;
  tax: ExpectedTax;
};

/**
 * Returns the quote for the expected lines and the shipping of now, which the order's transaction compares with what was seen.
 * Refusals: 'discount-changed', 'tax-changed' if the shopper saw another amount, 'tax-unknown' if there is no quote.
 */
export async function quoteExpected(
  db: Database,
  rateLimits: RateLimits,
  network: string,
  { form, expectedLines, owner, code, expectedDiscount, tax }: Expected,
): Promise<{ ok: true; quote: DueTax } | TaxRefusal | DiscountRefusal> {
  const { shipping } = settings();
  const { shippingMethod, shippingState: state, shippingPostalCode: postalCode } = form;
  const seen = { lines: expectedLines, shipping, owner, email: form.email, code, expectedDiscount };
  const discount = await findExpected(db, seen);
  if (!discount.ok) return discount;
  const { applied } = discount;
  const { shippingCents } = cartTotals(shipping, expectedLines, shippingMethod, 0, applied);
  const asked = { lines: discountedLines(expectedLines, applied), shippingCents, state, postalCode };
  const quoted = await quoteTax(db, rateLimits, tax.provider, network, asked);
  if (!quoted.ok) return { ok: false, reason: "tax-unknown", why: quoted.reason, wait: quoted.wait };
  const { taxCents } = quoted.quote;
  const { totalCents } = cartTotals(shipping, expectedLines, shippingMethod, taxCents, applied);
  const message = taxProblem(taxCents, tax.seenCents, totalCents);
  return message ? { ok: false, reason: "tax-changed", taxCents, message } : quoted;
}
