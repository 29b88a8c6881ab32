/** The sales tax of exchanges, as the sandbox quotes and records it: 8.25% in Texas, also of shipping. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { changeSettings } from "#tests/support/settings.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits } from "#tests/support/stock.ts";
import { carryOutDelays, delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelByBuyer, cancelByStaff, declineByStaff, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { recordPayment } from "#shop/fulfillment/record-payment.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { afterAction, shipOrder } from "#shop/fulfillment/ship.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import { recordTax } from "#shop/tax/record.server.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { exchangeChoices } from "./exchange.server.ts";
import { inspectReturn, receiveReturn } from "./inspect.server.ts";
import { carryOutReturns } from "./jobs.server.ts";
import { requestReturn } from "./request.server.ts";
import { resolveReturn } from "./resolve.server.ts";
import { getReturn } from "./returns.server.ts";

const shop = useFreshDatabase(10);
const [DOCK, SLEEVE, BOWL] = ["charging-dock", "travel-sleeve", "polara-pro-frost-white"] as const;
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
  for (const slug of [DOCK, SLEEVE, BOWL]) await setUnits(shop.pool, slug, 50);
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
  await query("UPDATE payments SET amount = $2, authorized = $2 WHERE order_id = $1", [id, totalCents]);
  bank.authorize(reference, totalCents);
  expect(await shipOrder(shop.db, bank.providers, id, aParcel(++parcels), null)).toMatchObject({ state: "shipped" });
  await markDelivered(shop.db, id, null);
  return { id, lineId: lines[DOCK]!, totalCents };
}

async function ask({ id, lineId }: { id: string; lineId: string }, slug: string) {
  const [wanted] = await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]);
  const choices = await exchangeChoices(shop.db, id, { lineId, units: 1 });
  const { productId, differenceCents } = choices.find((choice) => choice.productId === wanted!.id)!;
  const request = { formKey: randomUUID(), kind: "exchange", reason: "other-model", description: "" } as const;
  const exchange = { productId, differenceCents };
  const asked = await requestReturn(shop.db, tax, id, { ...request, units: { [lineId]: 1 }, exchange }, "guest");
  return { asked, returnId: asked.ok ? asked.returnId : "", differenceCents };
}

async function resolved(returnId: string, lineId: string) {
  await receiveReturn(shop.db, returnId, staff);
  const lines = { [lineId]: { condition: "new", isRestocked: true } } as const;
  await inspectReturn(shop.db, returnId, { lines, deduction: null }, staff);
  return resolveReturn(shop.db, bank.providers, returnId, { outcome: "replacement" }, staff);
}

const fail = (error: unknown) => {
  throw error;
};

/** Tax of an order at the provider, once what is due was recorded. */
async function taxAtProvider(orderId: string): Promise<number> {
  await recordTax(shop.db, tax, fail);
  const [sum] = await query<{ tax: number }>(
    `SELECT coalesce(sum(tax), 0)::int AS tax FROM payment_sandbox.tax_transactions
     WHERE reference IN (SELECT id::text FROM tax_records WHERE order_id = $1)`,
    [orderId],
  );
  return sum!.tax;
}

it("what the wanted product costs more is taxed and recorded by itself, and the first order’s tax stays", async () => {
  const order = await delivered();
  const { returnId, differenceCents } = await ask(order, BOWL);
  const { replacement } = (await getReturn(shop.db, returnId))!;
  const differenceTax = Math.round(differenceCents * 0.0825);
  expect([differenceCents > 0, replacement!.totalCents]).toEqual([true, differenceCents + differenceTax]);
  expect(await resolved(returnId, order.lineId)).toMatchObject({ ok: true, refund: null });
  const paid = { how: "check", reference: "1042", cents: replacement!.totalCents } as const;
  expect(await recordPayment(shop.db, replacement!.id, paid, null)).toMatchObject({ ok: true });
  await shipOrder(shop.db, null, replacement!.id, aParcel(++parcels), null);
  expect(await taxAtProvider(replacement!.id)).toBe(differenceTax);
  expect(await taxAtProvider(order.id)).toBe(UNIT_TAX + SHIPPING_TAX);
});

it("what the wanted product costs less is refunded with its share of the tax, which is reversed", async () => {
  const order = await delivered();
  const { returnId, differenceCents } = await ask(order, SLEEVE);
  // $21 of $40, and so much of $3.30.
  const [less, lessTax] = [21_00, 1_73];
  expect(differenceCents).toBe(-less);
  const done = await resolved(returnId, order.lineId);
  expect(done).toMatchObject({ ok: true, refund: { cents: less + lessTax, state: "done" } });
  expect((await getReturn(shop.db, returnId))!.replacement!.totalCents).toBe(0);
  expect([await taxAtProvider(order.id), bank.sum()]).toEqual([
    UNIT_TAX + SHIPPING_TAX - lessTax,
    order.totalCents - less - lessTax,
  ]);
});

it("nothing is asked for, and nothing reserved, while the tax provider does not answer", async () => {
  const order = await delivered();
  const path = "/v1/tax/calculations";
  await sandbox.control({ do: "fail", order: { on: "call", fault: "cut", path }, times: 3 });
  expect((await ask(order, BOWL)).asked).toEqual({ ok: false, reason: "tax-unknown" });
  await sandbox.control({ do: "behave" });
  expect(await query("SELECT FROM returns WHERE order_id = $1", [order.id])).toEqual([]);
  expect((await ask(order, BOWL)).asked).toMatchObject({ ok: true, state: "authorized" });
});

describe("the order of an exchange that is canceled after the product is back", () => {
  const ways: Record<string, (orderId: string) => Promise<unknown>> = {
    "by its buyer": (id) => cancelByBuyer(shop.db, id, "guest"),
    "by staff": (id) => cancelByStaff(shop.db, id, staff),
    "by staff, who decline it": (id) => declineByStaff(shop.db, id, "sold-out", staff),
    async "by silence after a delay"(id) {
      await delayOrder(shop.db, id, null, staff);
      await query("UPDATE orders SET delay_answer_by = current_date - 2 WHERE id = $1", [id]);
      await carryOutDelays(shop.db, fail);
    },
  };
  const chores = () => carryOutReturns(shop.db, fail);

  async function refunded() {
    await Promise.all([chores(), chores(), chores()]);
    const asked = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state = 'asked'");
    for (const { id } of asked) await runAction(shop.db, bank.providers, id, afterAction);
    await chores();
  }

  it.each(Object.keys(ways).flatMap((way) => [BOWL, SLEEVE].map((slug) => ({ way, slug }))))(
    "$way: what was paid is refunded, less what $slug cost less, once",
    async ({ way, slug }) => {
      const order = await delivered();
      const { returnId } = await ask(order, slug);
      await resolved(returnId, order.lineId);
      const { replacementOrderId } = (await getReturn(shop.db, returnId))!;
      await ways[way]!(replacementOrderId!);
      await refunded();
      if (way.startsWith("by staff")) {
        expect(await getReturn(shop.db, returnId)).toMatchObject({ state: "inspected" });
        await resolveReturn(shop.db, bank.providers, returnId, { outcome: "refund" }, staff);
        await refunded();
      }
      expect(await getReturn(shop.db, returnId)).toMatchObject({
        state: "closed",
        outcome: "refund",
        refundCents: UNIT_CENTS + UNIT_TAX,
        money: { refundCents: UNIT_CENTS + UNIT_TAX },
      });
      expect([bank.sum(), await taxAtProvider(order.id)]).toEqual([
        order.totalCents - UNIT_CENTS - UNIT_TAX,
        SHIPPING_TAX,
      ]);
      const mails = await query<{ template: string }>(
        `SELECT data->>'template' AS template FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1
           AND data->>'template' ~ '^(return-resolved|refund)' ORDER BY created_on, id`,
        [order.id],
      );
      const difference = slug === SLEEVE ? ["return-resolved", "refund-issued"] : ["return-resolved"];
      expect(mails.map(({ template }) => template).toSorted()).toEqual([...difference, "refund-issued"].toSorted());
    },
  );

  it("leaves it to staff where they have refunded something since, or send the money back themselves", async () => {
    const order = await delivered();
    const { returnId } = await ask(order, BOWL);
    await resolved(returnId, order.lineId);
    const { replacementOrderId } = (await getReturn(shop.db, returnId))!;
    await refundOrder(shop.db, bank.providers, order.id, { cents: 10_00, reason: "goodwill" }, staff);
    await cancelByBuyer(shop.db, replacementOrderId!, "guest");
    await refunded();
    expect(await getReturn(shop.db, returnId)).toMatchObject({
      state: "inspected",
      money: { refundCents: UNIT_CENTS + UNIT_TAX },
    });
    const outcome = { outcome: "refund" } as const;
    expect(await resolveReturn(shop.db, bank.providers, returnId, outcome, staff)).toMatchObject({
      ok: true,
      refund: { cents: UNIT_CENTS + UNIT_TAX, state: "done" },
    });
  });

  it("pays nothing for a unit that staff have refunded since", async () => {
    const order = await delivered();
    const { returnId } = await ask(order, BOWL);
    await resolved(returnId, order.lineId);
    const items = { units: { [order.lineId]: 1 }, hasShipping: false };
    const byHand = { cents: UNIT_CENTS + UNIT_TAX, items, reason: "goodwill" } as const;
    expect(await refundOrder(shop.db, bank.providers, order.id, byHand, staff)).toMatchObject({ ok: true });
    await cancelByStaff(shop.db, (await getReturn(shop.db, returnId))!.replacementOrderId!, staff);
    await refunded();
    expect(await getReturn(shop.db, returnId)).toMatchObject({ state: "inspected", money: { refundCents: 0 } });
  });
});

it("nothing is taxed any more where the shop has ended its registration", async () => {
  const order = await delivered();
  await changeSettings(shop.db, { tax: { TX: false } });
  await loadSettings(shop.db);
  const { returnId, differenceCents } = await ask(order, BOWL);
  expect((await getReturn(shop.db, returnId))!.replacement!.totalCents).toBe(differenceCents);
});
