/** Sales tax as the sandbox keeps it in its own books, after orders were charged, canceled and refunded. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { announceAll, placedOrder } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits } from "#tests/support/stock.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { check } from "#shop/orders/check.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { recordTax } from "./record.server.ts";
import { stripeTax } from "./stripe-tax.server.ts";
import type { TaxProvider } from "./tax-provider.ts";

const shop = useFreshDatabase(10);
const [DOCK, SLEEVE] = ["charging-dock", "travel-sleeve"] as const;
let sandbox: TestPaymentSandbox;
let tax: TaxProvider;
let bank: MemoryProvider;
let parcels = 0;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(shop.url);
  tax = stripeTax(() => Promise.resolve(sandbox));
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of [DOCK, SLEEVE]) await setUnits(shop.pool, slug, 50);
});

const run = () => recordTax(shop.db, tax, () => {});
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;

const SHIPPING_CENTS = 9_99;
/** 8.25% in Texas, also of shipping, and 7.25% in California. */
const ZIPS = { TX: "78701", CA: "94103" };

type Taxed = {
  state?: keyof typeof ZIPS;
  /** Price and units by product. */
  lines?: Partial<Record<typeof DOCK | typeof SLEEVE, [priceCents: number, quantity: number]>>;
  shippingCents?: number;
  keepsCard?: boolean;
};
type Order = Awaited<ReturnType<typeof taxedOrder>>;

/** An authorized order, or one that keeps a card, with the tax of its quote. */
async function taxedOrder({
  state = "TX",
  lines: asked = { [DOCK]: [40_00, 1], [SLEEVE]: [40_00, 1] },
  shippingCents = SHIPPING_CENTS,
  keepsCard = false,
}: Taxed = {}) {
  const bought = Object.entries(asked).map(([slug, [priceCents, quantity]]) => ({ slug, priceCents, quantity }));
  const units = Object.fromEntries(bought.map(({ slug, quantity }) => [slug, quantity]));
  const { id, lines, reference } = await placedOrder(shop.db, units, { keepsCard, isAuthorized: !keepsCard });
  const known = await query<{ id: string; productId: string }>(
    `SELECT id, product_id AS "productId" FROM order_items WHERE order_id = $1`,
    [id],
  );
  const priced = bought.map(({ slug, priceCents, quantity }) => {
    const { productId } = known.find((line) => line.id === lines[slug])!;
    return { id: lines[slug]!, productId, priceCents, quantity };
  });
  const taxable = priced.map(({ productId, priceCents, quantity }) => ({
    productId,
    quantity,
    amountCents: priceCents * quantity,
    taxCode: "txcd_99999999",
  }));
  const quote = await tax.quote(taxable, shippingCents, { state, postalCode: ZIPS[state] });
  const taxed = priced.map((line) => ({ ...line, taxCents: quote.lineTaxCents[line.productId]! }));
  for (const { id: lineId, priceCents, taxCents } of taxed) {
    await query("UPDATE order_items SET price = $2, tax = $3 WHERE id = $1", [lineId, priceCents, taxCents]);
    await query("UPDATE order_units SET price = $2 WHERE order_item_id = $1", [lineId, priceCents]);
  }
  for (const { number, taxCents } of unitsOfLines(taxed))
    await query("UPDATE order_units SET tax = $3 WHERE order_id = $1 AND number = $2", [id, number, taxCents]);
  const subtotalCents = taxable.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const totalCents = subtotalCents + shippingCents + quote.taxCents;
  await query(
    `UPDATE orders SET subtotal = $2, shipping = $3, tax = $4, shipping_tax = $5, total = $6, tax_reference = $7,
       shipping_state = $8, shipping_postal_code = $9 WHERE id = $1`,
    [
      id,
      subtotalCents,
      shippingCents,
      quote.taxCents,
      quote.shippingTaxCents,
      totalCents,
      quote.reference,
      state,
      ZIPS[state],
    ],
  );
  await query(
    "UPDATE payments SET amount = $2, authorized = CASE WHEN kind = 'page' THEN $2 ELSE 0 END WHERE order_id = $1",
    [id, totalCents],
  );
  if (keepsCard) bank.keepCard(reference, { customer: `customer of ${id}`, method: `card of ${id}` });
  else bank.authorize(reference, totalCents);
  return { id, lines, reference, totalCents, taxCents: quote.taxCents };
}

/** Ships all that is left of some orders, or units by product of one, and charges it. */
const ship = async ({ id, lines }: Order, units?: Record<string, number>) => {
  const chosen = units && Object.fromEntries(Object.entries(units).map(([slug, count]) => [lines[slug]!, count]));
  await announceAll(shop.db, id);
  expect(await shipOrder(shop.db, bank.providers, id, aParcel(++parcels, chosen), null)).toMatchObject({
    ok: true,
    state: "shipped",
  });
};
const refund = (order: Order, cents: number, units: Record<string, number> | null = null) => {
  const items = units && {
    units: Object.fromEntries(Object.entries(units).map(([slug, count]) => [order.lines[slug]!, count])),
    hasShipping: false,
  };
  return refundOrder(shop.db, bank.providers, order.id, { cents, items, reason: "damaged" }, null);
};
const cancel = ({ id, lines }: Order, slug: string, keep = 0) =>
  cancelItems(
    shop.db,
    bank.providers,
    id,
    { keep: { [lines[slug]!]: keep }, returnsStock: true, reason: "asked" },
    null,
  );

const recordsOf = ({ id }: Order) =>
  query<{ kind: string; state: string; amount: number; tax: number; problem: string | null }>(
    "SELECT kind, state, amount, tax, problem FROM tax_records WHERE order_id = $1 ORDER BY created_at, kind, amount",
    [id],
  );

/** Records of an order at the provider, by product: its sales and their tax, without what was reversed. */
async function kept({ id }: Order): Promise<Record<string, [sales: number, tax: number]>> {
  const facts = await readFacts(shop.db, id);
  expect(check(facts!)).toEqual([]);
  const sums = await query<{ name: string; sales: number; tax: number }>(
    `SELECT part.name, sum(part.amount)::int AS sales, sum(part.tax)::int AS tax FROM payment_sandbox.tax_transactions
     JOIN tax_records ON tax_records.id = left(reference, 36)::uuid CROSS JOIN LATERAL (
       SELECT line.name, (item->>'amount')::int AS amount, (item->>'amount_tax')::int AS tax
       FROM jsonb_array_elements(body->'items') AS item
       JOIN order_items AS line ON line.order_id = $1 AND product_id::text = item->>'reference'
       UNION ALL SELECT 'shipping', coalesce((body->'shipping_cost'->>'amount')::int, 0), coalesce((body->'shipping_cost'->>'amount_tax')::int, 0)
     ) AS part (name, amount, tax) WHERE tax_records.order_id = $1 GROUP BY part.name`,
    [id],
  );
  return Object.fromEntries(
    sums
      .filter(({ sales, tax: cents }) => sales !== 0 || cents !== 0)
      .map((each) => [each.name, [each.sales, each.tax]]),
  );
}
const taxKept = async (order: Order) => Object.values(await kept(order)).reduce((sum, [, cents]) => sum + cents, 0);

const fail = (fault: "cut" | "error", when: "before" | "after", path = "/v1/tax/transactions/*") =>
  sandbox.control({ do: "fail", order: { on: "call", fault, when, path, method: "POST" } });

it("a refund takes back its units with their own tax, and nothing of what is kept", async () => {
  const order = await taxedOrder({ state: "CA", lines: { [DOCK]: [89_00, 1] } });
  await ship(order);
  expect(await refund(order, 89_00 + 6_45, { [DOCK]: 1 })).toMatchObject({ state: "done" });
  const two = await taxedOrder({ lines: { [DOCK]: [40_00, 2], [SLEEVE]: [13_37, 3] } });
  await ship(two);
  expect(await refund(two, 40_00 + 3_30 + 2 * 13_37 + 1_11 + 1_10, { [DOCK]: 1, [SLEEVE]: 2 })).toMatchObject({
    state: "done",
  });
  await run();
  expect([await kept(order), await kept(two)]).toEqual([
    { shipping: [SHIPPING_CENTS, 0] },
    { [DOCK]: [40_00, 3_30], [SLEEVE]: [13_37, 1_10], shipping: [SHIPPING_CENTS, 82] },
  ]);
});

it("five runs at once record once, after the charge, also what was not charged and is reversed at once", async () => {
  const order = await taxedOrder();
  await cancel(order, SLEEVE);
  await run();
  expect(await recordsOf(order)).toEqual([]);
  await ship(order);
  await Promise.all(Array.from({ length: 5 }, run));
  await run();
  expect(await recordsOf(order)).toMatchObject([{ kind: "record", state: "done" }]);
  expect(await taxKept(order)).toBe(3_30 + 82);
});

it.each([
  ["no answer, not done", "cut", "before", "create_from_calculation"],
  ["no answer, but done", "cut", "after", "create_from_calculation"],
  ["a failure, not done", "error", "before", "create_from_calculation"],
  ["no answer of the rest, not done", "cut", "before", "create_reversal"],
  ["no answer of the rest, but done", "cut", "after", "create_reversal"],
  ["a failure of the rest after it was done", "error", "after", "create_reversal"],
] as const)("after %s the next run records once", async (_, fault, when, call) => {
  const order = await taxedOrder();
  await cancel(order, SLEEVE);
  await ship(order);
  await fail(fault, when, `/v1/tax/transactions/${call}`);
  await run();
  expect(await recordsOf(order)).toMatchObject([{ state: "sent" }]);
  await run();
  expect(await recordsOf(order)).toMatchObject([{ state: "done" }]);
  expect(await taxKept(order)).toBe(3_30 + 82);
});

it("a reversal that failed after it was done is known by its reference", async () => {
  const order = await taxedOrder();
  await ship(order);
  await run();
  await refund(order, order.totalCents);
  await fail("error", "after");
  await run();
  await run();
  expect(await recordsOf(order)).toMatchObject([{ state: "done" }, { kind: "reverse", state: "done" }]);
  expect(await taxKept(order)).toBe(0);
});

it("two orders of the same remembered quote are both recorded, once each", async () => {
  const [first, second] = [await taxedOrder(), await taxedOrder()];
  await query("UPDATE orders SET tax_reference = (SELECT tax_reference FROM orders WHERE id = $1) WHERE id = $2", [
    first.id,
    second.id,
  ]);
  for (const order of [second, first]) await ship(order);
  await Promise.all([run(), run()]);
  await run();
  for (const order of [first, second]) {
    expect(await recordsOf(order)).toMatchObject([{ kind: "record", state: "done" }]);
    expect(await taxKept(order)).toBe(order.taxCents);
  }
});

it("a sale is recorded where it went, also if its order moves before", async () => {
  const order = await taxedOrder({ lines: { [DOCK]: [40_00, 2] }, keepsCard: true });
  const other = await taxedOrder({ state: "CA" });
  await ship(order, { [DOCK]: 1 });
  await query(
    `UPDATE orders SET shipping_state = 'CA', shipping_postal_code = '94103',
       tax_reference = (SELECT tax_reference FROM orders WHERE id = $2) WHERE id = $1`,
    [order.id, other.id],
  );
  await run();
  expect(await recordsOf(order)).toMatchObject([{ kind: "record", state: "done", problem: null }]);
  expect(await kept(order)).toEqual({ [DOCK]: [40_00, 3_30], shipping: [SHIPPING_CENTS, 82] });
});

it("a quote that the provider has forgotten is asked for again, and refused if the tax is another", async () => {
  const [same, ofItems, ofShipping] = [await taxedOrder(), await taxedOrder(), await taxedOrder()];
  await sandbox.control({ do: "forward", seconds: 91 * 86_400 });
  await query("UPDATE order_units SET tax = tax - 1 WHERE order_id = $1", [ofItems.id]);
  await query("UPDATE orders SET shipping_tax = shipping_tax - 1 WHERE id = $1", [ofShipping.id]);
  for (const order of [same, ofItems, ofShipping]) {
    await query("UPDATE orders SET created_at = now() - interval '91 days' WHERE id = $1", [order.id]);
    await ship(order);
    await refund(order, 10_00);
  }
  await run();
  await run();
  expect(await recordsOf(same)).toMatchObject([{ state: "done" }, { state: "done" }]);
  for (const other of [ofItems, ofShipping])
    expect(await recordsOf(other)).toMatchObject([
      { state: "failed", problem: "rate-changed" },
      { state: "failed", problem: "not-recorded" },
    ]);
});
