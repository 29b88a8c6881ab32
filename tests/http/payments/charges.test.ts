/**
 * A shipment is charged once, from an authorization or a saved card, and refunded once, also if a process is killed.
 *
 * KILLS=50 kills as many processes between the provider's work and its answer (one without it).
 */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { startPaymentJobs } from "#shop/payments/jobs.server.ts";
import { ProviderError, type PaymentProviders } from "#shop/payments/provider.ts";
import { inspectReturn, receiveReturn } from "#shop/returns/handle.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { requestReturn } from "#shop/returns/request.server.ts";
import { textOf } from "../../support/page-data.ts";
import type { PaysWith } from "../../support/pay-page.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { announceAll } from "../../support/placed-order.ts";
import { providerOf } from "../../support/provider-of.ts";
import { aParcel, startStaff, type StaffProcess, type ToShip } from "../../support/staff.ts";
import { makeStaff } from "../../support/staff-member.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const KILLS = Array.from({ length: Number(process.env.KILLS ?? 1) }, (_, kill) => kill + 1);
const AT_ONCE = 3;
const PRE_ORDERED = "travel-sleeve";
const IN_STOCK = "charging-dock";

// The jobs run here, so that they can pause while a process is killed.
const paying = usePayingShop({ WORKER: "outside", AUTH_SECRET });
const { reserve, pay, comeBack, statusOf, eventsOf, mailsOf, until, shop, sandbox, query, database } = paying;
let providers: PaymentProviders;
let jobs: ReturnType<typeof startPaymentJobs>;
let numbers = 0;

const bugs: unknown[] = [];
const report = (error: unknown) => void (error instanceof ProviderError || bugs.push(error));
const startJobs = () => (jobs = startPaymentJobs({ db: database.db, providers, report }));

beforeAll(async () => {
  providers = providerOf(sandbox, shop);
  startJobs();
  for (const slug of [PRE_ORDERED, IN_STOCK]) await setUnits(database.pool, slug, 100_000);
  await query("UPDATE products SET ships_from = (now() + interval '45 days')::date WHERE slug = $1", [PRE_ORDERED]);
});
afterAll(() => jobs.stop());
afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
  expect(bugs).toEqual([]);
});

async function bought(slug: string, by: PaysWith = {}, units = 1): Promise<string> {
  const placed = await reserve(slug, units);
  await comeBack(placed, await pay(placed, by));
  await until(placed.orderId, "processing");
  return placed.orderId;
}
const authorized = (by: PaysWith = {}, units = 1) => bought(IN_STOCK, by, units);
/** A pre-order whose charge was announced, and whose buyer need not wait for the day. */
async function saved(): Promise<string> {
  const orderId = await bought(PRE_ORDERED, {}, 2);
  await announceAll(database.db, orderId);
  return orderId;
}

const paymentsOf = (orderId: string) =>
  query<{ kind: string; state: string; captured: number; refunded: number }>(
    "SELECT kind, state, captured, refunded FROM payments WHERE order_id = $1 ORDER BY created_at",
    [orderId],
  );
const statesOf = async (orderId: string) => (await paymentsOf(orderId)).map(({ state }) => state);
const capturedOf = async (orderId: string) =>
  (await paymentsOf(orderId)).map(({ captured }) => captured).filter((cents) => cents > 0);
const refundedOf = async (orderId: string) =>
  (await paymentsOf(orderId)).reduce((sum, { refunded }) => sum + refunded, 0);
const intentOf = async (orderId: string) =>
  (await query<{ id: string }>("SELECT intent_reference AS id FROM payments WHERE order_id = $1", [orderId]))[0]!.id;
const totalOf = async (orderId: string) =>
  (await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]))[0]!.total;
const lineOf = async (orderId: string) =>
  (await query<{ id: string; price: number }>("SELECT id, price FROM order_items WHERE order_id = $1", [orderId]))[0]!;
const ship = (orderId: string, parcel = aParcel(++numbers)) => shipOrder(database.db, providers, orderId, parcel, null);
const shipOne = async (orderId: string) => ship(orderId, aParcel(++numbers, { [(await lineOf(orderId)).id]: 1 }));
const shipmentsOf = (orderId: string) =>
  query<{ state: string }>("SELECT state FROM shipments WHERE order_id = $1 ORDER BY created_at", [orderId]);
const actionsOf = (orderId: string) =>
  query<{ kind: string; state: string; attempt: number }>(
    `SELECT a.kind, a.state, attempt FROM payment_actions a JOIN payments p ON p.id = payment_id
      WHERE order_id = $1 ORDER BY a.created_at`,
    [orderId],
  );
const actionsEnd = (orderId: string) =>
  expect
    .poll(async () => (await actionsOf(orderId)).filter(({ state }) => state === "asked" || state === "sent"))
    .toEqual([]);
/** The jobs run what is asked for. */
const refund = (orderId: string, cents: number) =>
  refundOrder(database.db, null, orderId, { cents, reason: "goodwill" }, null);

/** Shipped once: one parcel, one charge of all of it, one event, one email. */
async function expectShippedOnce(orderId: string): Promise<void> {
  await until(orderId, "shipped");
  expect((await shipmentsOf(orderId)).filter(({ state }) => state !== "failed")).toEqual([{ state: "shipped" }]);
  expect(await capturedOf(orderId)).toEqual([await totalOf(orderId)]);
  expect((await eventsOf(orderId)).filter((type) => type === "shipped")).toHaveLength(1);
  expect(await mailsOf(orderId, "order-shipped")).toBe(1);
}

/** The card is saved once, and nothing was authorized. */
async function expectSaved({ orderId }: Placed): Promise<void> {
  await until(orderId, "processing");
  expect([await paymentsOf(orderId), await mailsOf(orderId, "order-confirmation")]).toEqual([
    [{ kind: "setup", state: "saved", captured: 0, refunded: 0 }],
    1,
  ]);
  expect((await eventsOf(orderId)).filter((type) => type !== "payment-failed")).toHaveLength(2);
}

describe("a pre-order", () => {
  it("is in processing once its card is saved, with nothing authorized", async () => {
    const before = (await sandbox.books()).authorized;
    const placed = await reserve(PRE_ORDERED);
    expect(await comeBack(placed, await pay(placed))).toMatch(new RegExp(`^/orders/${placed.orderId}\\?k=`));
    await expectSaved(placed);
    expect((await sandbox.books()).authorized).toBe(before);
  });

  it("whose buyer never returns is confirmed by its webhook", async () => {
    const placed = await reserve(PRE_ORDERED);
    await pay(placed, { number: "4000 0000 0000 0002" });
    await pay(placed);
    await expectSaved(placed);
  });

  it.each<[string, (orderId: string) => Promise<unknown>]>([
    ["expires", (orderId) => paying.endReservation(orderId)],
    ["is canceled", (orderId) => cancelOrder(database.db, orderId, "guest")],
  ])("that %s before its card is saved leaves no customer at the provider", async (_what, end) => {
    const { orderId } = await reserve(PRE_ORDERED);
    const isDeleted = async () =>
      (
        await query<{ is_deleted: boolean }>(
          `SELECT is_deleted FROM payment_sandbox.customers WHERE id = (
             SELECT page.state->'session'->>'customer' FROM payment_sandbox.payments AS page JOIN payments ON reference = page.id
             WHERE order_id = $1)`,
          [orderId],
        )
      )[0]?.is_deleted;
    expect(await isDeleted()).toBe(false);
    await end(orderId);
    await expect.poll(isDeleted).toBe(true);
  });
});

/** An inspected return of one of two units that shipped. */
async function inspected(): Promise<{ orderId: string; returnId: string; cents: number }> {
  const orderId = await authorized({}, 2);
  await ship(orderId);
  await until(orderId, "shipped");
  await markDelivered(database.db, orderId, null);
  const { id: lineId, price: cents } = await lineOf(orderId);
  const form = { formKey: randomUUID(), kind: "return", reason: "not-for-me", description: "" } as const;
  const asked = await requestReturn(database.db, null, orderId, { ...form, units: { [lineId]: 1 } }, "guest");
  const returnId = asked.ok ? asked.returnId : "";
  await receiveReturn(database.db, returnId, null);
  const lines = { [lineId]: { condition: "new", isRestocked: true } } as const;
  expect(await inspectReturn(database.db, returnId, { lines, deduction: null }, null)).toMatchObject({ ok: true });
  return { orderId, returnId, cents };
}

describe("a process killed between the provider's work and its answer", () => {
  const sumOf = async (cents: Promise<number>[]) => (await Promise.all(cents)).reduce((sum, each) => sum + each, 0);
  const fill = <Made>(make: () => Promise<Made>) => Promise.all(Array.from({ length: AT_ONCE }, make));

  /** The sandbox does what staff in a process of their own ask it for, and does not answer. */
  async function withoutAnswers(
    staff: StaffProcess,
    path: string,
    work: Partial<ToShip>,
    [kind, cents]: ["captured" | "refunded", number],
  ) {
    const before = (await sandbox.books())[kind];
    await jobs.stop();
    const order = { on: "call", fault: "hang", when: "after", method: "POST", path } as const;
    await sandbox.control({ do: "fail", order, times: AT_ONCE });
    const { apiUrl, payPal, secretKey, webhookSecret } = sandbox;
    const keys = { apiUrl, payPal, secretKey, webhookSecret };
    const from = numbers + 1;
    numbers += AT_ONCE;
    staff.ship({ databaseUrl: database.url, sandbox: keys, shop: { url: shop.url }, orderIds: [], from, ...work });
    await expect.poll(async () => (await sandbox.books())[kind] - before).toBe(cents);
  }

  it.each(
    KILLS.flatMap((kill) => [
      [kill, "capture", "/v1/payment_intents/*/capture", () => authorized()] as const,
      [kill, "charge of a saved card", "/v1/payment_intents", saved] as const,
    ]),
  )("(%i) ships and emails once what waits for its %s", async (_kill, _what, path, make) => {
    const staff = startStaff();
    const orderIds = await fill(make);
    const charged = async () => (await sandbox.books()).savedCardCharges.succeeded ?? 0;
    const before = await charged();
    await withoutAnswers(staff, path, { orderIds }, ["captured", await sumOf(orderIds.map(totalOf))]);
    for (const orderId of orderIds) expect(await statusOf(orderId)).toBe("processing");
    await staff.kill();
    startJobs();
    for (const orderId of orderIds) await expectShippedOnce(orderId);
    expect((await charged()) - before).toBe(make === saved ? AT_ONCE : 0);
  });

  it.each(KILLS)("(%i) refunds, emails and closes returns once", async () => {
    const staff = startStaff();
    const all = await fill(inspected);
    const returnIds = all.map(({ returnId }) => returnId);
    const stateOf = async () =>
      (await query<{ state: string }>("SELECT DISTINCT state FROM returns WHERE id = ANY($1)", [returnIds])).map(
        ({ state }) => state,
      );
    const { refunded } = await sandbox.books();
    const total = all.reduce((sum, { cents }) => sum + cents, 0);
    await withoutAnswers(staff, "/v1/refunds", { returnIds }, ["refunded", total]);
    await carryOutReturns(database.db, report);
    expect(await stateOf()).toEqual(["resolved"]);
    await staff.kill();
    startJobs();
    for (const { orderId } of all) await expect.poll(() => mailsOf(orderId, "refund-issued")).toBe(1);
    await carryOutReturns(database.db, report);
    expect(await stateOf()).toEqual(["closed"]);
    expect((await sandbox.books()).refunded - refunded).toBe(total);
  });
});

async function captured(by: PaysWith = {}): Promise<string> {
  const orderId = await authorized(by);
  await ship(orderId);
  await until(orderId, "shipped");
  expect(await capturedOf(orderId)).toEqual([await totalOf(orderId)]);
  return orderId;
}

it("concurrent refunds never exceed what was taken by two charges of a saved card", async () => {
  const orderId = await saved();
  await shipOne(orderId);
  await ship(orderId);
  await actionsEnd(orderId);
  expect(await capturedOf(orderId)).toHaveLength(2);
  const total = await totalOf(orderId);
  const part = Math.floor(total * 0.6);
  const results = await Promise.all([refund(orderId, part), refund(orderId, part)]);
  expect(results.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: "too-much", leftCents: total - part }]);
  await actionsEnd(orderId);
  expect(await refund(orderId, total - part + 1)).toMatchObject({ ok: false, reason: "too-much" });
  expect(await refund(orderId, total - part)).toMatchObject({ ok: true });
  await actionsEnd(orderId);
  expect(await refundedOf(orderId)).toBe(total);
});

it("a pending refund is done later, and one that fails later is told to staff and customer", async () => {
  const [pending, failing] = [
    await captured({ number: "4000000000007726" }),
    await captured({ number: "4000000000005126" }),
  ];
  const lastOf = async (orderId: string) => (await actionsOf(orderId)).at(-1)?.state;
  await refund(pending, 5_00);
  await refund(failing, 5_00);
  await expect.poll(() => lastOf(failing)).toBe("done");
  await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
  expect(await lastOf(pending)).toBe("sent");
  expect([await mailsOf(pending, "refund-issued"), await mailsOf(failing, "refund-issued")]).toEqual([0, 1]);
  await sandbox.control({ do: "forward", seconds: 120 });
  await expect.poll(() => lastOf(pending)).toBe("done");
  await expect.poll(() => lastOf(failing)).toBe("failed");
  expect((await eventsOf(failing)).slice(-2)).toEqual(["refunded", "refund-failed"]);
  expect((await eventsOf(pending)).at(-1)).toBe("refunded");
  expect(await mailsOf(pending, "refund-issued")).toBe(1);
  expect([await mailsOf(failing, "payment-alert"), await mailsOf(failing, "refund-failed")]).toEqual([1, 1]);
  expect(await mailsOf(pending, "refund-failed")).toBe(0);
  expect([await refundedOf(pending), await refundedOf(failing)]).toEqual([5_00, 0]);

  const { visitor: manager } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "manager");
  const read = async (path: string) => textOf(await (await manager.fetch(path)).text());
  const order = `/admin/orders/${failing}`;
  const number = failing.slice(0, 8);
  expect(await read("/admin")).toContain("Payment issues");
  expect(await read("/admin/orders?view=problems")).toContain(number);
  expect(await read(order)).toContain("did not reach the customer");
  const page = await (await manager.fetch(order)).text();
  const [, given = ""] = /name="refund" value="([^"]+)"/.exec(page) ?? [];
  const resolve = async (text: string) =>
    textOf(await (await manager.post(`${order}?intent=resolve-refund`, { refund: given, text })).text());
  expect(await resolve(" ")).toContain("Enter how it was resolved");
  expect(await resolve("Sent a check")).toContain("Marked as resolved.");
  expect(await read(order)).toMatch(/Refunded another way \$5\.00.*Failed refund resolved Sent a check/);
  expect(await read("/admin/orders?view=problems")).not.toContain(number);
  const link = new URL(orderUrl({ id: failing, linkVersion: 1 }, { baseUrl: shop.url, secret: AUTH_SECRET }));
  const customer = new Visitor(shop.url);
  await customer.fetch(link.pathname + link.search);
  const shown = textOf(await (await customer.fetch(link.pathname)).text());
  for (const words of ["Refund of $5.00 failed", "so we’ve sent it another way"]) expect(shown).toContain(words);
});

it("a dispute alerts staff with its deadline and blocks refunds", async () => {
  const orderId = await captured({ number: "4000000000000259" });
  await expect.poll(() => eventsOf(orderId)).toContain("disputed");
  expect(await refund(orderId, 1_00)).toMatchObject({ ok: false, reason: "disputed" });
  const [payment] = await query<{ until: Date }>("SELECT disputed_until AS until FROM payments WHERE order_id = $1", [
    orderId,
  ]);
  expect(payment?.until.getTime()).toBeGreaterThan(Date.now());
  expect(await mailsOf(orderId, "payment-alert")).toBe(1);
  await sandbox.control({ do: "win-dispute", paymentIntent: await intentOf(orderId) });
  await expect.poll(() => eventsOf(orderId)).toContain("dispute-closed");
  expect(await refund(orderId, 1_00)).toMatchObject({ ok: true });
  await actionsEnd(orderId);
});

// Last, because the provider's clock moves on.
it("an authorization that ends is told to staff and the buyer, and keeps the units", async () => {
  const orderId = await authorized();
  const units = await unitsOf(database.pool, IN_STOCK);
  await sandbox.control({ do: "forward", seconds: 8 * 86_400 });
  await expect.poll(() => statesOf(orderId)).toEqual(["failed"]);
  expect([await statusOf(orderId), await unitsOf(database.pool, IN_STOCK)]).toEqual(["processing", units]);
  expect([await mailsOf(orderId, "payment-ended"), await mailsOf(orderId, "payment-alert")]).toEqual([1, 1]);
  expect((await eventsOf(orderId)).at(-1)).toBe("payment-failed");
});
