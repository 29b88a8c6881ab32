/** The sales tax of exchanges, as the sandbox quotes and records it: 8.25% in Texas, also of shipping. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { changeSettings } from "#tests/support/settings.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits } from "#tests/support/stock.ts";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import { recordTax } from "#shop/tax/record.server.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { exchangeChoices } from "./exchange.server.ts";
import { authorizeReturn, inspectReturn, receiveReturn, resolveReturn } from "./handle.server.ts";
import { carryOutReturns } from "./jobs.server.ts";
import { requestReturn } from "./request.server.ts";
import { getReturn } from "./returns.server.ts";

const shop = useFreshDatabase(10);
const [DOCK, SLEEVE, FILTERS] = ["charging-dock", "travel-sleeve", "ethylene-filter-6-pack"] as const;
const [UNIT_CENTS, SHIPPING_CENTS, UNIT_TAX, SHIPPING_TAX] = [40_00, 9_99, 3_30, 82];
const staff = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null } as const;
let sandbox: TestPaymentSandbox;
let tax: TaxProvider;
let bank: MemoryProvider;
let parcels = 0;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(shop.url);
  tax = stripeTax(() => Promise.resolve(sandbox));
  await changeSettings(shop.db, { tax: { TX: true } });
  await loadSettings(shop.db);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of [DOCK, SLEEVE, FILTERS]) await setUnits(shop.pool, slug, 50);
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;

/** A dock of $40 with shipping, taxed in Texas, that has arrived. */
async function delivered() {
  const { id, lines, reference } = await placedOrder(shop.db, { [DOCK]: 1 }, { isAuthorized: true });
  const [line] = await query<{ productId: string }>(
    `SELECT product_id AS "productId" FROM order_items WHERE order_id = $1`,
    [id],
  );
  const asked = [{ productId: line!.productId, amountCents: UNIT_CENTS, quantity: 1, taxCode: "txcd_99999999" }];
  const quote = await tax.quote(asked, SHIPPING_CENTS, { state: "TX", postalCode: "78701" });
  expect([quote.taxCents, quote.shippingTaxCents]).toEqual([UNIT_TAX + SHIPPING_TAX, SHIPPING_TAX]);
  const totalCents = UNIT_CENTS + SHIPPING_CENTS + quote.taxCents;
  await query(
    `UPDATE orders SET tax = $2, shipping_tax = $3, total = $4, tax_reference = $5,
       shipping_state = 'TX', shipping_postal_code = '78701' WHERE id = $1`,
    [id, quote.taxCents, SHIPPING_TAX, totalCents, quote.reference],
  );
  await query("UPDATE order_items SET tax = $2 WHERE order_id = $1", [id, UNIT_TAX]);
  await query("UPDATE order_units SET tax = $2 WHERE order_id = $1", [id, UNIT_TAX]);
  await query("UPDATE payments SET amount = $2, authorized = $2 WHERE order_id = $1", [id, totalCents]);
  bank.authorize(reference, totalCents);
  expect(await shipOrder(shop.db, bank.providers, id, aParcel(++parcels), null)).toMatchObject({ state: "shipped" });
  await markDelivered(shop.db, id, null);
  return { id, lineId: lines[DOCK]!, totalCents };
}

const moneyOf = async (returnId: string) => (await getReturn(shop.db, returnId))!.money;

async function ask(
  { id, lineId }: { id: string; lineId: string },
  slug: string,
  reason: "other-model" | "wrong-item" = "other-model",
) {
  const [wanted] = await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]);
  const choices = await exchangeChoices(shop.db, id, { lineId, units: 1 });
  const { productId, differenceCents } = choices.find((choice) => choice.productId === wanted!.id)!;
  const request = { formKey: randomUUID(), kind: "exchange", reason, description: "" } as const;
  const exchange = { productId, differenceCents };
  const asked = await requestReturn(shop.db, tax, id, { ...request, units: { [lineId]: 1 }, exchange }, "guest");
  return { asked, returnId: asked.ok ? asked.returnId : "", differenceCents };
}

async function resolved(returnId: string, lineId: string) {
  await receiveReturn(shop.db, returnId, staff);
  const lines = { [lineId]: { condition: "new", isRestocked: true } } as const;
  await inspectReturn(shop.db, returnId, { lines, deduction: null }, staff);
  return resolveReturn(
    shop.db,
    { providers: bank.providers, taxProvider: tax },
    returnId,
    { outcome: "replacement" },
    staff,
  );
}

const fail = (error: unknown) => {
  throw error;
};

/** Tax of an order at the provider, once what is due was recorded. */
async function taxAtProvider(orderId: string): Promise<number> {
  await recordTax(shop.db, tax, fail);
  const [sum] = await query<{ tax: number }>(
    `SELECT coalesce(sum(tax), 0)::int AS tax FROM payment_sandbox.tax_transactions
     WHERE left(reference, 36) IN (SELECT id::text FROM tax_records WHERE order_id = $1)`,
    [orderId],
  );
  return sum!.tax;
}

it("what the wanted product costs more is taxed and recorded by itself, and the first order’s tax stays", async () => {
  const order = await delivered();
  const { returnId, differenceCents } = await ask(order, FILTERS);
  const differenceTax = Math.round((UNIT_CENTS + differenceCents) * 0.0825) - UNIT_TAX;
  const cents = differenceCents + differenceTax;
  expect([differenceCents > 0, (await getReturn(shop.db, returnId))!.money.moreCents]).toEqual([true, cents]);
  expect(await resolved(returnId, order.lineId)).toMatchObject({ ok: true, refund: null });
  const { toPay } = (await getReturn(shop.db, returnId))!;
  bank.authorize(`link of ${toPay!.chargeId}`, toPay!.cents);
  await query(
    `INSERT INTO payments (order_id, charge_id, provider, reference, intent_reference, state, amount)
     VALUES ($1, $2::uuid, 'stripe', 'link of ' || $2, 'link of ' || $2, 'open', $3)`,
    [order.id, toPay!.chargeId, toPay!.cents],
  );
  await reconcileOrder(shop.db, bank.providers, order.id);
  const asked = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state = 'asked'");
  for (const { id } of asked) await runAction(shop.db, bank.providers, id);
  expect(bank.sum()).toBe(order.totalCents + cents);
  expect(await taxAtProvider(order.id)).toBe(UNIT_TAX + SHIPPING_TAX + differenceTax);
});

it("what the wanted product costs less is refunded with its share of the tax, which is reversed", async () => {
  const order = await delivered();
  const { returnId, differenceCents } = await ask(order, SLEEVE);
  // $19 instead of $40, and its tax instead of $3.30.
  const [less, lessTax] = [21_00, UNIT_TAX - 1_57];
  expect(differenceCents).toBe(-less);
  const done = await resolved(returnId, order.lineId);
  expect(done).toMatchObject({ ok: true, refund: { cents: less + lessTax, state: "done" } });
  expect([await taxAtProvider(order.id), bank.sum()]).toEqual([
    UNIT_TAX + SHIPPING_TAX - lessTax,
    order.totalCents - less - lessTax,
  ]);
});

it("an exchange is taxed where its order goes by the time it is resolved, which staff see first", async () => {
  await changeSettings(shop.db, { tax: { TX: true, CA: true } });
  await loadSettings(shop.db);
  const order = await delivered();
  const { returnId } = await ask(order, SLEEVE, "wrong-item");
  await query("UPDATE orders SET shipping_state = 'CA', shipping_postal_code = '94103' WHERE id = $1", [order.id]);
  expect(await authorizeReturn(shop.db, returnId, { labelUrl: "https://labels.example/1" }, staff)).toMatchObject({
    ok: true,
  });
  expect(await resolved(returnId, order.lineId)).toEqual({ ok: false, reason: "meanwhile" });
  // $19 in California instead of $40 in Texas.
  const lessCents = 21_00 + UNIT_TAX - 1_38;
  expect((await moneyOf(returnId)).refundCents).toBe(lessCents);
  expect(await resolved(returnId, order.lineId)).toMatchObject({ ok: true, refund: { cents: lessCents } });
  expect(await taxAtProvider(order.id)).toBe(SHIPPING_TAX + 1_38);
  expect(await query("SELECT FROM tax_records WHERE order_id = $1 AND state <> 'done'", [order.id])).toEqual([]);
});

it("nothing is asked for, and nothing reserved, while the tax provider does not answer", async () => {
  const order = await delivered();
  const path = "/v1/tax/calculations";
  await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path }, times: 3 });
  expect((await ask(order, FILTERS)).asked).toEqual({ ok: false, reason: "tax-unknown" });
  await sandbox.control({ do: "behave" });
  expect(await query("SELECT FROM returns WHERE order_id = $1", [order.id])).toEqual([]);
  expect((await ask(order, FILTERS)).asked).toMatchObject({ ok: true, state: "authorized" });
});

it("an exchange costs what its customer agreed to, and is reopened without it once it is sold out", async () => {
  const order = await delivered();
  const { asked, returnId } = await ask(order, SLEEVE, "wrong-item");
  expect(asked).toMatchObject({ ok: true, state: "requested" });
  const agreed = await moneyOf(returnId);
  expect(agreed).toMatchObject({ refundCents: 21_00 + UNIT_TAX - 1_57, moreCents: 0 });
  await query("UPDATE products SET price = price + 5000, early_bird_price = NULL WHERE slug = $1", [SLEEVE]);
  const labelUrl = "https://labels.example/1";
  expect(await authorizeReturn(shop.db, returnId, { labelUrl }, staff)).toMatchObject({ ok: true });
  expect(await moneyOf(returnId)).toEqual(agreed);
  await query("UPDATE returns SET ship_by = ship_by - 60 WHERE id = $1", [returnId]);
  await carryOutReturns(shop.db, fail);
  await setUnits(shop.pool, SLEEVE, 0);
  expect(await authorizeReturn(shop.db, returnId, { event: "reopened" }, staff)).toMatchObject({ ok: true });
  expect(await getReturn(shop.db, returnId)).toMatchObject({ state: "authorized", sent: "canceled" });
  expect((await moneyOf(returnId)).refundCents).toBe(order.totalCents);
  await query("UPDATE products SET price = price - 5000 WHERE slug = $1", [SLEEVE]);
});

it("nothing is taxed any more where the shop has ended its registration", async () => {
  const order = await delivered();
  await changeSettings(shop.db, { tax: { TX: false } });
  await loadSettings(shop.db);
  const { returnId, differenceCents } = await ask(order, FILTERS);
  expect((await getReturn(shop.db, returnId))!.money.moreCents).toBe(differenceCents - UNIT_TAX);
});

it.each([
  ["polara-pro-earth-green", /^polara-pro-.*polara-pro-.*polara-classic-/, /dock|sleeve|filter|gasket|basket/],
  ["polara-classic-frost-white", /^polara-classic-.*polara-classic-.*polara-pro-/, /dock|sleeve|filter|gasket|basket/],
  ["ethylene-filter-2-pack", /^charging-dock .*ethylene-filter-6-pack/, /polara-/],
])("%s is exchanged for its kind: another color first, then another model", async (slug, order, never) => {
  await query("UPDATE stock SET inventory_count = 50");
  await query("UPDATE products SET ships_from = NULL, is_available = true");
  const { id, lines } = await placedOrder(shop.db, { [slug]: 1 });
  const choices = await exchangeChoices(shop.db, id, { lineId: lines[slug]!, units: 1 });
  const slugs = choices.map((choice) => choice.slug).join(" ");
  expect(slugs).toMatch(order);
  expect(slugs).not.toMatch(never);
  expect(slugs).not.toContain(slug);
});
