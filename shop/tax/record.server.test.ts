/** Sales tax as it is recorded and reversed at the sandbox, by what the payments' rows say. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { recordTax } from "./record.server.ts";
import { stripeTax } from "./stripe-tax.server.ts";
import type { TaxProvider } from "./tax-provider.ts";

const database = useFreshDatabase(10);
let sandbox: TestPaymentSandbox;
let tax: TaxProvider;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(database.url);
  tax = stripeTax(() => Promise.resolve(sandbox));
});
afterAll(() => sandbox.stop());

const run = () => recordTax(database.db, tax, () => {});
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;

const UNIT_CENTS = 40_00;
const SHIPPING_CENTS = 9_99;

/** An authorized order to Texas: docks and sleeves at 40 dollars, and shipping. */
async function taxedOrder(units: Record<string, number> = { "charging-dock": 1, "travel-sleeve": 1 }) {
  const { id } = await placedOrder(database.db, units, { isAuthorized: true });
  const lines = await query<{ productId: string; quantity: number }>(
    `SELECT product_id AS "productId", quantity FROM order_items WHERE order_id = $1`,
    [id],
  );
  const taxable = lines.map((line) => ({
    ...line,
    amountCents: line.quantity * UNIT_CENTS,
    taxCode: "txcd_99999999",
  }));
  const subtotalCents = taxable.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const quote = await tax.quote(taxable, SHIPPING_CENTS, { state: "TX", postalCode: "78701" });
  const totalCents = subtotalCents + SHIPPING_CENTS + quote.taxCents;
  await query(
    `UPDATE orders SET shipping = $2, tax = $3, shipping_tax = $4, total = $5, tax_reference = $6,
       shipping_state = 'TX', shipping_postal_code = '78701' WHERE id = $1`,
    [id, SHIPPING_CENTS, quote.taxCents, quote.shippingTaxCents, totalCents, quote.reference],
  );
  for (const [productId, cents] of Object.entries(quote.lineTaxCents)) {
    await query("UPDATE order_items SET tax = $3 WHERE order_id = $1 AND product_id = $2", [id, productId, cents]);
  }
  await query("UPDATE payments SET amount = $2 WHERE order_id = $1", [id, totalCents]);
  return { id, totalCents, taxCents: quote.taxCents };
}

const capture = (id: string, cents: number) =>
  query("UPDATE payments SET state = 'captured', captured = $2 WHERE order_id = $1", [id, cents]);
const refund = (id: string, cents: number) =>
  query("UPDATE payments SET refunded = refunded + $2 WHERE order_id = $1", [id, cents]);
const cancelUnit = (id: string, name: string) =>
  query("UPDATE order_items SET canceled_quantity = canceled_quantity + 1 WHERE order_id = $1 AND name = $2", [
    id,
    name,
  ]);
const recordsOf = (id: string) =>
  query<{ kind: string; state: string; amount: number; tax: number; problem: string | null }>(
    "SELECT kind, state, amount, tax, problem FROM tax_records WHERE order_id = $1 ORDER BY created_at, kind",
    [id],
  );
/** Tax at the provider: of an order, or in all. */
async function atProvider(id?: string): Promise<number> {
  const [sum] = await query<{ tax: number }>(
    `SELECT coalesce(sum(made.tax), 0)::int AS tax FROM payment_sandbox.tax_transactions AS made
     WHERE $1::uuid IS NULL OR reference IN (SELECT id::text FROM tax_records WHERE order_id = $1)`,
    [id],
  );
  return sum!.tax;
}
const fail = (fault: "cut" | "error", when: "before" | "after", path = "/v1/tax/transactions/*") =>
  sandbox.control({ do: "fail", order: { on: "call", fault, when, path, method: "POST" } });

it("nothing is recorded before the capture, and what was canceled by then is not kept", async () => {
  const { id, totalCents, taxCents } = await taxedOrder();
  await cancelUnit(id, "travel-sleeve");
  await run();
  expect(await recordsOf(id)).toEqual([]);
  await capture(id, totalCents - UNIT_CENTS - 3_30);
  await run();
  expect(await recordsOf(id)).toMatchObject([
    { kind: "record", state: "done", amount: 2 * UNIT_CENTS + SHIPPING_CENTS, tax: taxCents },
    { kind: "reverse", state: "done", amount: UNIT_CENTS, tax: 3_30 },
  ]);
  expect(await atProvider(id)).toBe(taxCents - 3_30);
});

it("a refund takes its tax, and the last one the rest", async () => {
  const { id, totalCents } = await taxedOrder();
  await capture(id, totalCents);
  await run();
  for (const cents of [10_00, 33_33, totalCents - 43_33]) {
    await refund(id, cents);
    await run();
  }
  const reversed = (await recordsOf(id)).filter(({ kind }) => kind === "reverse");
  expect(reversed.map(({ amount, tax: cents }) => amount + cents)).toEqual([10_00, 33_33, totalCents - 43_33]);
  expect(await atProvider(id)).toBe(0);
});

it("five runs at once record once", async () => {
  const { id, totalCents, taxCents } = await taxedOrder();
  await capture(id, totalCents);
  await Promise.all(Array.from({ length: 5 }, run));
  await run();
  expect(await recordsOf(id)).toMatchObject([{ kind: "record", state: "done" }]);
  expect(await atProvider(id)).toBe(taxCents);
});

it.each([
  ["no answer, not done", "cut", "before"],
  ["no answer, but done", "cut", "after"],
  ["a failure, not done", "error", "before"],
] as const)("after %s the next run records once", async (_, fault, when) => {
  const { id, totalCents, taxCents } = await taxedOrder();
  await capture(id, totalCents);
  await fail(fault, when);
  await run();
  expect(await recordsOf(id)).toMatchObject([{ state: "sent" }]);
  await run();
  expect(await recordsOf(id)).toMatchObject([{ state: "done" }]);
  expect(await atProvider(id)).toBe(taxCents);
});

it("a reversal that failed after it was done is known by its reference", async () => {
  const { id, totalCents } = await taxedOrder();
  await capture(id, totalCents);
  await run();
  await refund(id, totalCents);
  await fail("error", "after");
  await run();
  await run();
  expect(await recordsOf(id)).toMatchObject([{ state: "done" }, { kind: "reverse", state: "done" }]);
  expect(await atProvider(id)).toBe(0);
});

it("two orders of the same remembered quote are both recorded, once each", async () => {
  const [first, second] = [await taxedOrder(), await taxedOrder()];
  await query("UPDATE orders SET tax_reference = (SELECT tax_reference FROM orders WHERE id = $1) WHERE id = $2", [
    first.id,
    second.id,
  ]);
  for (const { id, totalCents } of [second, first]) await capture(id, totalCents);
  await Promise.all([run(), run()]);
  await run();
  for (const { id, taxCents } of [first, second]) {
    expect(await recordsOf(id)).toMatchObject([{ kind: "record", state: "done" }]);
    expect(await atProvider(id)).toBe(taxCents);
  }
});

it("a quote that the provider has forgotten is asked for again, and refused if the tax is another", async () => {
  const orders = [await taxedOrder(), await taxedOrder()];
  await sandbox.control({ do: "forward", seconds: 91 * 86_400 });
  for (const { id, totalCents } of orders) {
    await query("UPDATE orders SET created_at = now() - interval '91 days' WHERE id = $1", [id]);
    await capture(id, totalCents);
  }
  const [same, other] = orders.map(({ id }) => id);
  await query("UPDATE order_items SET tax = tax + 1 WHERE order_id = $1", [other]);
  await run();
  expect(await recordsOf(same!)).toMatchObject([{ state: "done" }]);
  expect(await recordsOf(other!)).toMatchObject([{ state: "failed", problem: "rate-changed" }]);
});
