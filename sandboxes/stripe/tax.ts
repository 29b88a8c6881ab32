/** Stripe Tax: calculations, which lapse, and the transactions that are made from them. */
import type Stripe from "stripe";
import type { PoolClient } from "pg";
import { z } from "zod";
import { invalidRequest, notFound } from "./payment.ts";
import { listOf, route, type Route } from "./routes.ts";
import { randomText } from "./secrets.ts";
import { readClock } from "./store.ts";
import { TAX_RULES, taxOf } from "./tax-rates.ts";

/** Parameters named as in the SDK; other names do not compile. */
type Known<Params> = { [Name in keyof Params]?: z.ZodType };

const DAYS_TO_RECORD = 90;
/** More line items are listed by a call of their own. */
const MAX_EXPANDED = 10;

const text = z.string().min(1).max(500);
const cents = z.coerce.number().int().min(0).max(99_999_999);
const exclusive = z.literal("exclusive");

const calculationParams = z.strictObject({
  currency: z.literal("usd"),
  customer_details: z.strictObject({
    address: z.strictObject({
      country: z.literal("US"),
      postal_code: text,
      state: z.string().regex(/^[A-Z]{2}$/),
    } satisfies Known<Stripe.Tax.CalculationCreateParams.CustomerDetails.Address>),
    address_source: z.literal("shipping"),
  } satisfies Known<Stripe.Tax.CalculationCreateParams.CustomerDetails>),
  expand: z.array(z.literal("line_items")).optional(),
  line_items: z
    .array(
      z.strictObject({
        amount: cents,
        quantity: z.coerce.number().int().min(1).default(1),
        reference: text,
        tax_behavior: exclusive,
        tax_code: z.string().regex(/^txcd_\d{8}$/),
      } satisfies Known<Stripe.Tax.CalculationCreateParams.LineItem>),
    )
    .min(1)
    .max(1_000),
  shipping_cost: z
    .strictObject({
      amount: cents,
      tax_behavior: exclusive,
    } satisfies Known<Stripe.Tax.CalculationCreateParams.ShippingCost>)
    .optional(),
} satisfies Known<Stripe.Tax.CalculationCreateParams>);

const pageParams = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: text.optional(),
} satisfies Known<Stripe.Tax.CalculationListLineItemsParams>);

type Item = Pick<
  Stripe.Tax.CalculationLineItem,
  "id" | "amount" | "amount_tax" | "quantity" | "reference" | "tax_code"
>;

type Calculation = {
  id: string;
  amount_total: number;
  tax_amount_exclusive: number;
  expires_at: number;
  shipping_cost: { amount: number; amount_tax: number } | null;
  items: Item[];
};

function calculate(params: z.output<typeof calculationParams>, now: number): Calculation {
  const { state, postal_code: zip } = params.customer_details.address;
  const rule = TAX_RULES[state];
  if (rule && !rule.zip.test(zip)) {
    const message = "We could not determine the customer's tax location based on the provided customer address.";
    throw invalidRequest(message, { code: "customer_tax_location_invalid", param: "customer_details[address]" });
  }
  const items = params.line_items.map(({ amount, quantity, reference, tax_code }) => ({
    id: `tax_li_${randomText(16)}`,
    amount,
    amount_tax: taxOf(amount, rule?.rate ?? 0),
    quantity,
    reference,
    tax_code,
  }));
  const { amount: shipping = 0 } = params.shipping_cost ?? {};
  const shippingTax = taxOf(shipping, rule?.taxesShipping ? rule.rate : 0);
  const sum = (of: "amount" | "amount_tax") => items.reduce((total, item) => total + item[of], 0);
  const tax = sum("amount_tax") + shippingTax;
  return {
    id: `taxcalc_${randomText(24)}`,
    amount_total: sum("amount") + shipping + tax,
    tax_amount_exclusive: tax,
    expires_at: now + DAYS_TO_RECORD * 86_400,
    shipping_cost: params.shipping_cost ? { amount: shipping, amount_tax: shippingTax } : null,
    items,
  };
}

const listed = <One extends Item>(
  items: One[],
  object: string,
  url: string,
  { limit, starting_after: after }: Page,
) => {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const page = items.slice(start, start + limit).map((item) => ({ ...item, object, livemode: false }));
  return listOf(page, url, items.length > start + limit);
};
type Page = { limit: number; starting_after?: string | undefined };

const itemsUrl = (id: string) => `/v1/tax/calculations/${id}/line_items`;

function answerOf({ items, ...calculation }: Calculation, isExpanded: boolean): object {
  const lines = listed(items, "tax.calculation_line_item", itemsUrl(calculation.id), { limit: MAX_EXPANDED });
  return {
    ...calculation,
    object: "tax.calculation",
    currency: "usd",
    livemode: false,
    tax_amount_inclusive: 0,
    ...(isExpanded && { line_items: lines }),
  };
}

async function readCalculation(sql: PoolClient, id: string): Promise<Calculation> {
  const { rows } = await sql.query<{ body: Calculation }>(
    "SELECT body FROM payment_sandbox.tax_calculations WHERE id = $1",
    [id],
  );
  if (!rows[0]) throw notFound("tax calculation", id);
  return rows[0].body;
}

export const taxRoutes: Route[] = [
  route("POST", "/v1/tax/calculations", calculationParams, async (sql, params) => {
    const calculation = calculate(params, await readClock(sql));
    await sql.query("INSERT INTO payment_sandbox.tax_calculations (id, body) VALUES ($1, $2)", [
      calculation.id,
      calculation,
    ]);
    return answerOf(calculation, params.expand !== undefined);
  }),
  route("GET", "/v1/tax/calculations/:id/line_items", pageParams, async (sql, page, id) => {
    const { items } = await readCalculation(sql, id);
    return listed(items, "tax.calculation_line_item", itemsUrl(id), page);
  }),
];
