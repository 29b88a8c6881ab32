/** Stripe Tax as the tax provider: calculations while somebody checks out. */
import type Stripe from "stripe";
import { ProviderError } from "#shop/payments/provider.ts";
import { stripeClient, type StripeConnect } from "#shop/payments/stripe/stripe-client.server.ts";
import { TaxError, type TaxAddress, type TaxableLine, type TaxProvider, type TaxQuote } from "./tax-provider.ts";

const MAX_LINES = 1_000;
/** An address that Stripe cannot place, for example a ZIP code of another state. */
const BAD_ADDRESS = "customer_tax_location_invalid";

export function stripeTax(connect: StripeConnect): TaxProvider {
  const { call } = stripeClient(connect);
  const ask = <Result>(run: (stripe: Stripe) => Promise<Result>): Promise<Result> =>
    call(run).catch((error: unknown) => {
      throw taxError(error);
    });
  return {
    quote: (lines, shippingCents, address) =>
      ask(async (stripe) => {
        const calculation = await stripe.tax.calculations.create(calculationParams(lines, shippingCents, address));
        const { id, line_items: first } = calculation;
        if (!id || !first) throw new ProviderError("fault");
        const items = first.has_more
          ? await stripe.tax.calculations.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: MAX_LINES })
          : first.data;
        return quoteOf({ ...calculation, id }, items);
      }),
  };
}

const calculationParams = (
  lines: readonly TaxableLine[],
  shippingCents: number,
  { state, postalCode }: TaxAddress,
): Stripe.Tax.CalculationCreateParams => ({
  currency: "usd",
  customer_details: { address: { country: "US", state, postal_code: postalCode }, address_source: "shipping" },
  line_items: lines.map(({ productId, quantity, amountCents, taxCode }) => ({
    reference: productId,
    quantity,
    amount: amountCents,
    tax_code: taxCode,
    tax_behavior: "exclusive",
  })),
  ...(shippingCents > 0 && { shipping_cost: { amount: shippingCents, tax_behavior: "exclusive" } }),
  expand: ["line_items"],
});

function quoteOf(
  { id, expires_at: expires, shipping_cost: shipping }: Stripe.Tax.Calculation & { id: string },
  items: Stripe.Tax.CalculationLineItem[],
): TaxQuote {
  const shippingTaxCents = shipping?.amount_tax ?? 0;
  return {
    reference: id,
    expiresAt: new Date((expires ?? 0) * 1000),
    lineTaxCents: Object.fromEntries(items.map(({ reference, amount_tax: cents }) => [reference, cents])),
    shippingTaxCents,
    taxCents: items.reduce((sum, { amount_tax: cents }) => sum + cents, shippingTaxCents),
  };
}

function taxError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { code } = (error.cause ?? {}) as { code?: string };
  return new TaxError(code === BAD_ADDRESS ? "address" : error.kind, { cause: error });
}
