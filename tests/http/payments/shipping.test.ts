/**
 * Shipping captures the payment once, and a return refunds it once, with the sandbox in its own process.
 *
 * KILLS=50 kills as many processes between captures and their answers, and between refunds and theirs (one without it).
 */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { startPaymentJobs } from "#shop/payments/jobs.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { inspectReturn, receiveReturn } from "#shop/returns/handle.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { requestReturn } from "#shop/returns/request.server.ts";
import { payOnPage, type PaysWith } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { aParcel, startStaff, type StaffProcess, type ToShip } from "../../support/staff.ts";
import { setUnits } from "../../support/stock.ts";

const KILLS = Array.from({ length: Number(process.env.KILLS ?? 1) }, (_, kill) => kill + 1);
const AT_ONCE = 5;
const REFUSES_CAPTURE = "4000 0000 0000 4400";

// The jobs run here, so that they can pause while a process is killed.
const paying = usePayingShop({ WORKER: "outside" });
const { reserve, pay, statusOf, eventsOf, paymentsOf, mailsOf, until, shop, sandbox, query, database } = paying;
let providers: PaymentProviders;
let jobs: ReturnType<typeof startPaymentJobs>;
let numbers = 0;

const report = (error: unknown, what: string) => console.error(what, error);
const startJobs = () => (jobs = startPaymentJobs({ db: database.db, providers, report }));

beforeAll(async () => {
  providers = providerOf(sandbox, shop);
  startJobs();
  await setUnits(database.pool, "travel-sleeve", 100_000);
});
afterAll(() => jobs.stop());
afterEach(async () => {
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

async function authorized(by: PaysWith = {}, units = 1): Promise<string> {
  const placed = await reserve("travel-sleeve", units);
  await paying.comeBack(placed, await pay(placed, by));
  await until(placed.orderId, "processing");
  return placed.orderId;
}
const ship = (orderId: string, parcel = aParcel(++numbers)) => shipOrder(database.db, providers, orderId, parcel, null);
const shipmentsOf = (orderId: string) =>
  query<{ state: string }>("SELECT state FROM shipments WHERE order_id = $1 ORDER BY created_at", [orderId]);
const capturedOf = async (orderId: string) => (await paymentsOf(orderId)).map(({ captured }) => captured);
const totalOf = async (orderId: string) =>
  (await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]))[0]!.total;

/** Staff actions while the jobs pause, so nothing runs in between. */
async function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  await jobs.stop();
  return run().finally(startJobs);
}

/** Shipped once: one parcel, one capture of all of it, one event, one email. */
async function expectShippedOnce(orderId: string): Promise<void> {
  expect(await shipmentsOf(orderId)).toEqual([{ state: "shipped" }]);
  expect(await capturedOf(orderId)).toEqual([await totalOf(orderId)]);
  expect((await eventsOf(orderId)).filter((type) => type === "shipped")).toHaveLength(1);
  expect(await mailsOf(orderId, "order-shipped")).toBe(1);
}

it("after a refused capture nothing ships until the buyer has paid again", async () => {
  const orderId = await authorized({ number: REFUSES_CAPTURE });
  expect(await alone(() => ship(orderId))).toEqual({ ok: false, reason: "capture-failed" });
  expect([await statusOf(orderId), await shipmentsOf(orderId)]).toEqual(["processing", [{ state: "failed" }]]);
  expect(await mailsOf(orderId, "payment-request")).toBe(1);
  expect(await mailsOf(orderId, "order-shipped")).toBe(0);
  expect(await ship(orderId)).toEqual({ ok: false, reason: "not-paid" });
  const { orders } = await listOrderPage(database.db, { view: "problems" }, null, 100);
  expect(orders.map(({ id }) => id)).toContain(orderId);

  const page = await openPage(database.db, providers, orderId);
  await payOnPage(page.ok ? page.url : "");
  await expect.poll(async () => (await paymentsOf(orderId)).map(({ state }) => state)).toContain("authorized");
  expect(await alone(() => ship(orderId))).toMatchObject({ ok: true, state: "shipped" });
  expect(await mailsOf(orderId, "order-shipped")).toBe(1);
  expect((await capturedOf(orderId)).filter(Boolean)).toEqual([await totalOf(orderId)]);
  expect((await paymentsOf(orderId)).map(({ state }) => state)).toEqual(["failed", "captured"]);
});

/** The sandbox does what staff in a process of their own ask it for, and does not answer. */
async function withoutAnswers(staff: StaffProcess, path: string, work: Partial<ToShip>) {
  await jobs.stop();
  const order = { on: "call", fault: "hang", when: "after", method: "POST", path } as const;
  await sandbox.control({ do: "fail", order, times: AT_ONCE });
  const { apiUrl, payPal, secretKey, webhookSecret } = sandbox;
  const keys = { apiUrl, payPal, secretKey, webhookSecret };
  staff.ship({ databaseUrl: database.url, sandbox: keys, shop: { url: shop.url }, orderIds: [], from: 0, ...work });
}

it.each(KILLS)("a process killed between the capture and its answer captures, ships and emails once (%i)", async () => {
  const staff = startStaff();
  const orderIds = await Promise.all(Array.from({ length: AT_ONCE }, () => authorized()));
  const { captured } = await sandbox.books();
  const total = (await Promise.all(orderIds.map(totalOf))).reduce((sum, cents) => sum + cents, 0);
  await withoutAnswers(staff, "/v1/payment_intents/*/capture", { orderIds, from: numbers + 1 });
  numbers += AT_ONCE;
  await expect.poll(async () => (await sandbox.books()).captured - captured).toBe(total);
  for (const orderId of orderIds) expect(await statusOf(orderId)).toBe("processing");
  await staff.kill();
  startJobs();
  for (const orderId of orderIds) {
    await until(orderId, "shipped");
    await expectShippedOnce(orderId);
  }
});

/** An inspected return of one unit. */
async function inspected(): Promise<{ orderId: string; returnId: string; cents: number }> {
  const orderId = await authorized({}, 2);
  await ship(orderId);
  await until(orderId, "shipped");
  await markDelivered(database.db, orderId, null);
  const [line] = await query<{ id: string; price: number }>("SELECT id, price FROM order_items WHERE order_id = $1", [
    orderId,
  ]);
  const { id: lineId, price: cents } = line!;
  const form = { formKey: randomUUID(), kind: "return", reason: "not-for-me", description: "" } as const;
  const asked = await requestReturn(database.db, null, orderId, { ...form, units: { [lineId]: 1 } }, "guest");
  const returnId = asked.ok ? asked.returnId : "";
  await receiveReturn(database.db, returnId, null);
  const lines = { [lineId]: { condition: "new", isRestocked: true } } as const;
  expect(await inspectReturn(database.db, returnId, { lines, deduction: null }, null)).toMatchObject({ ok: true });
  return { orderId, returnId, cents };
}

it.each(KILLS)(
  "a process killed between refunds and their answers refunds, emails and closes each once (%i)",
  async () => {
    const staff = startStaff();
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => inspected()));
    const returnIds = all.map(({ returnId }) => returnId);
    const stateOf = async () =>
      (await query<{ state: string }>("SELECT DISTINCT state FROM returns WHERE id = ANY($1)", [returnIds])).map(
        ({ state }) => state,
      );
    const { refunded } = await sandbox.books();
    const total = all.reduce((sum, { cents }) => sum + cents, 0);
    await withoutAnswers(staff, "/v1/refunds", { returnIds });
    await expect.poll(async () => (await sandbox.books()).refunded - refunded).toBe(total);
    await carryOutReturns(database.db, report);
    expect(await stateOf()).toEqual(["resolved"]);
    await staff.kill();
    startJobs();
    for (const { orderId } of all) await expect.poll(() => mailsOf(orderId, "refund-issued")).toBe(1);
    await carryOutReturns(database.db, report);
    expect(await stateOf()).toEqual(["closed"]);
    expect((await sandbox.books()).refunded - refunded).toBe(total);
  },
);
