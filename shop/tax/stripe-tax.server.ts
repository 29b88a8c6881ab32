/** Stripe Tax as the tax provider: calculations while somebody checks out, transactions once money has moved. */
import type Stripe from "stripe";
import type { SalePart, TaxAddress } from "#shop/orders/facts.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { stripeClient, type StripeConnect } from "#shop/payments/stripe/stripe-client.server.ts";
import { TaxError, type TaxableLine, type TaxProvider, type TaxQuote } from "./tax-provider.ts";

const MAX_LINES = 1_000;
/** An address that Stripe cannot place, for example a ZIP code of another state. */
const BAD_ADDRESS = ["customer_tax_location_invalid", "invalid_tax_location"];
const KNOWN_REFERENCE = "resource_already_exists";

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
    record: (calculation, reference, idempotencyKey) =>
      ask(async (stripe) => {
        const made = await stripe.tax.transactions.createFromCalculation(
          { calculation, reference },
          { idempotencyKey },
        );
        return made.id;
      }),
    reverse: (recorded, parts, reference, idempotencyKey) =>
      ask(async (stripe) => {
        const items = await stripe.tax.transactions
          .listLineItems(recorded, { limit: 100 })
          .autoPagingToArray({ limit: MAX_LINES });
        const params = reversalParams(recorded, parts, reference, items);
        await stripe.tax.transactions.createReversal(params, { idempotencyKey });
      }).catch((error: unknown) => {
        // It was done under a key that is forgotten.
        if (codeOf(error) !== KNOWN_REFERENCE) throw error;
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

function reversalParams(
  recorded: string,
  parts: readonly SalePart[],
  reference: string,
  items: Stripe.Tax.TransactionLineItem[],
): Stripe.Tax.TransactionCreateReversalParams {
  const ids = new Map(items.map((item) => [item.reference, item.id]));
  const negative = ({ amountCents, taxCents }: SalePart) => ({ amount: -amountCents, amount_tax: -taxCents });
  const shipping = parts.find(({ productId }) => productId === null);
  return {
    mode: "partial",
    original_transaction: recorded,
    reference,
    line_items: parts.flatMap((part) =>
      part.productId === null
        ? []
        : [{ ...negative(part), original_line_item: ids.get(part.productId) ?? "", reference: part.productId }],
    ),
    ...(shipping && { shipping_cost: negative(shipping) }),
  };
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof TaxError ? codeOf(error.cause) : (((error as ProviderError).cause ?? {}) as { code?: string }).code;

function taxError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const code = codeOf(error);
  return new TaxError(BAD_ADDRESS.includes(code ?? "") ? "address" : error.kind, { cause: error });
}
