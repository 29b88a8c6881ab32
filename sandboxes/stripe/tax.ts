/** Stripe Tax: calculations, which lapse, and the transactions that are made from them. */
import type Stripe from "stripe";
import type { PoolClient } from "pg";
import { z } from "zod";
import type { Known } from "./call-params.ts";
import { invalidRequest, notFound } from "./payment.ts";
import { MAX_EXPANDED, pageOf, route, type Page, type Route } from "./routes.ts";
import { randomText } from "./secrets.ts";
import { readClock } from "./store.ts";

/** Sales tax of the sandbox: three states, in hundredths of a percent. Every other state has none. */

type Rule = { rate: number; taxesShipping: boolean; zip: RegExp };

const TAX_RULES: Record<string, Rule> = {
  TX: { rate: 825, taxesShipping: true, zip: /^(?:733|7[5-9]|885)/ },
  CA: { rate: 725, taxesShipping: false, zip: /^9[0-6]/ },
  OR: { rate: 0, taxesShipping: false, zip: /^97/ },
};

/** Cents, with a half rounded up. */
const taxOf = (cents: number, rate: number): number => Math.round((cents * rate) / 10_000);

const DAYS_TO_RECORD = 90;

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

const listed = (items: Item[], object: string, url: string, page: Page) =>
  pageOf(
    items.map((item) => ({ ...item, object, livemode: false })),
    url,
    page,
  );

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

const recordParams = z.strictObject({
  calculation: text,
  reference: text,
} satisfies Known<Stripe.Tax.TransactionCreateFromCalculationParams>);

const negative = z.coerce.number().int().min(-99_999_999).max(0);
const reversalParams = z.strictObject({
  line_items: z
    .array(
      z.strictObject({
        amount: negative,
        amount_tax: negative,
        original_line_item: text,
        reference: text,
      } satisfies Known<Stripe.Tax.TransactionCreateReversalParams.LineItem>),
    )
    .default([]),
  mode: z.literal("partial"),
  original_transaction: text,
  reference: text,
  shipping_cost: z
    .strictObject({
      amount: negative,
      amount_tax: negative,
    } satisfies Known<Stripe.Tax.TransactionCreateReversalParams.ShippingCost>)
    .default({ amount: 0, amount_tax: 0 }),
} satisfies Known<Stripe.Tax.TransactionCreateReversalParams>);

type Transaction = {
  id: string;
  reference: string;
  type: "transaction" | "reversal";
  reversal: { original_transaction: string } | null;
  shipping_cost: { amount: number; amount_tax: number } | null;
  created: number;
  items: (Item & { reversal?: { original_line_item: string } })[];
};

async function readTransaction(sql: PoolClient, id: string): Promise<Transaction> {
  const { rows } = await sql.query<{ body: Transaction }>(
    "SELECT body FROM payment_sandbox.tax_transactions WHERE id = $1 FOR UPDATE",
    [id],
  );
  if (!rows[0]) throw notFound("tax transaction", id);
  return rows[0].body;
}

const known = (reference: string) =>
  invalidRequest(`There is a tax transaction with the reference '${reference}', or of its calculation.`, {
    code: "resource_already_exists",
    param: "reference",
  });

/** A reference is unique across sales and reversals. */
async function saveTransaction(sql: PoolClient, transaction: Transaction, calculation: string | null): Promise<object> {
  const { id, reference, reversal, items, shipping_cost: shipping, ...shown } = transaction;
  const tax = items.reduce((sum, item) => sum + item.amount_tax, shipping?.amount_tax ?? 0);
  const { rowCount } = await sql.query(
    `INSERT INTO payment_sandbox.tax_transactions (id, reference, calculation_id, original_id, tax, body)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [id, reference, calculation, reversal?.original_transaction, tax, transaction],
  );
  if (rowCount === 0) throw known(reference);
  return {
    ...shown,
    id,
    object: "tax.transaction",
    currency: "usd",
    livemode: false,
    reference,
    reversal,
    shipping_cost: shipping,
  };
}

const newTransaction = (reference: string, created: number) => ({ id: `tax_${randomText(24)}`, reference, created });

async function record(sql: PoolClient, { calculation: id, reference }: z.output<typeof recordParams>) {
  const [calculation, now] = [await readCalculation(sql, id), await readClock(sql)];
  if (now >= calculation.expires_at)
    throw invalidRequest("This tax calculation has expired.", { param: "calculation" });
  const { items, shipping_cost } = calculation;
  const sale = {
    ...newTransaction(reference, now),
    type: "transaction" as const,
    reversal: null,
    shipping_cost,
    items,
  };
  return saveTransaction(sql, sale, id);
}

/** Refuses to reverse more than was recorded, of any line. */
async function reverse(sql: PoolClient, params: z.output<typeof reversalParams>) {
  const original = await readTransaction(sql, params.original_transaction);
  const { rowCount } = await sql.query("SELECT FROM payment_sandbox.tax_transactions WHERE reference = $1", [
    params.reference,
  ]);
  if (rowCount !== 0) throw known(params.reference);
  const { rows } = await sql.query<{ body: Transaction }>(
    "SELECT body FROM payment_sandbox.tax_transactions WHERE original_id = $1",
    [original.id],
  );
  const items = params.line_items.map(({ original_line_item, reference, ...amounts }) => {
    const item = original.items.find(({ id }) => id === original_line_item);
    if (!item) throw notFound("tax transaction line item", original_line_item);
    return { ...item, ...amounts, id: `tax_li_${randomText(16)}`, reference, reversal: { original_line_item } };
  });
  const made = [...rows.map(({ body }) => body), { items, shipping_cost: params.shipping_cost }];
  const isLeft = (
    amounts: { amount: number; amount_tax: number },
    reversed: { amount: number; amount_tax: number }[],
  ) =>
    (["amount", "amount_tax"] as const).every(
      (of) => reversed.reduce((left, reversal) => left + reversal[of], amounts[of]) >= 0,
    );
  const reversedOf = (id: string) =>
    made.flatMap((each) => each.items.filter(({ reversal }) => reversal?.original_line_item === id));
  const shipping = original.shipping_cost ?? { amount: 0, amount_tax: 0 };
  const shippings = made.flatMap(({ shipping_cost }) => shipping_cost ?? []);
  if (!original.items.every((item) => isLeft(item, reversedOf(item.id))) || !isLeft(shipping, shippings)) {
    throw invalidRequest("The reversal is greater than what is left of the transaction.");
  }
  const reversal = { original_transaction: original.id };
  const { shipping_cost } = params;
  const created = newTransaction(params.reference, await readClock(sql));
  return saveTransaction(sql, { ...created, type: "reversal", reversal, shipping_cost, items }, null);
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
  route("POST", "/v1/tax/transactions/create_from_calculation", recordParams, record),
  route("POST", "/v1/tax/transactions/create_reversal", reversalParams, reverse),
  route("GET", "/v1/tax/transactions/:id/line_items", pageParams, async (sql, page, id) => {
    const { items } = await readTransaction(sql, id);
    return listed(items, "tax.transaction_line_item", `/v1/tax/transactions/${id}/line_items`, page);
  }),
];
