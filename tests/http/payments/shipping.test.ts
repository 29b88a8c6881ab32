/**
 * What ships is paid, and what is paid ships once, against the sandbox in a process of its own.
 *
 * ROUNDS=50 lets two staff, and a buyer and staff, meet that often (10 times without it).
 */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { afterAction } from "../../../shop/fulfillment/after-action.server.ts";
import { askForPayment, cancelLine, refundOrder } from "../../../shop/fulfillment/fulfill.server.ts";
import { cancelByStaff } from "../../../shop/fulfillment/end-order.server.ts";
import { shipOrder } from "../../../shop/fulfillment/ship.server.ts";
import { cancelOrder } from "../../../shop/payments/cancel.server.ts";
import { startPaymentJobs } from "../../../shop/payments/jobs/jobs.server.ts";
import { payNow } from "../../../shop/payments/payments.server.ts";
import type { PaymentProvider } from "../../../shop/payments/provider.ts";
import { typeOrder } from "../../support/order-command.ts";
import { payOnPage, type PaysWith } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { aParcel, startStaff } from "../../support/staff.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 10);
/** Killed amid so many captures, so often. */
const KILLS = 2;
const AT_ONCE = 10;
const REFUSES_CAPTURE = "4000 0000 0000 4400";

// The jobs are done here, so that they rest while somebody is killed: whoever is not answered waits for ten seconds.
const paying = usePayingShop({ WORKER: "outside" });
const { hold, pay, statusOf, eventsOf, paymentsOf, mailsOf, until, shop, sandbox, query, database } = paying;
let provider: PaymentProvider;
let jobs: ReturnType<typeof startPaymentJobs>;
let numbers = 0;

const report = (error: unknown, what: string) => console.error(what, error);
const startJobs = () => (jobs = startPaymentJobs({ db: database.db, provider, after: afterAction, report }));

beforeAll(async () => {
  provider = providerOf(sandbox, shop);
  startJobs();
  await setUnits(database.pool, "travel-sleeve", 100_000);
});
afterAll(() => jobs.stop());
afterEach(async () => {
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

/** An order that was paid, as staff find it. */
async function authorized(by: PaysWith = {}): Promise<string> {
  const held = await hold();
  await paying.comeBack(held, await pay(held, by));
  await until(held.orderId, "processing");
  return held.orderId;
}
const ship = (orderId: string, parcel = aParcel(++numbers)) => shipOrder(database.db, provider, orderId, parcel, null);
const shipmentsOf = (orderId: string) =>
  query<{ state: string }>("SELECT state FROM shipments WHERE order_id = $1 ORDER BY created_at", [orderId]);
const isSettled = (orderId: string) =>
  expect
    .poll(() =>
      query(
        `SELECT FROM payment_actions a JOIN payments p ON p.id = payment_id WHERE order_id = $1 AND a.state IN ('asked', 'sent')`,
        [orderId],
      ),
    )
    .toEqual([]);
const capturedOf = async (orderId: string) => (await paymentsOf(orderId)).map(({ captured }) => captured);
const totalOf = async (orderId: string) =>
  (await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]))[0]!.total;

/** What staff do while the jobs rest, which might take it up in the same moment: then it is still under way. */
async function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  await jobs.stop();
  return run().finally(startJobs);
}

/** Rounds of a race, five at a time: most of each is waiting. */
async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round).values();
  const lane = async () => {
    for (const round of rounds) await run(round);
  };
  await Promise.all(Array.from({ length: 5 }, lane));
}

/** Shipped once: one parcel, one capture of all of it, one event, one email. */
async function expectShippedOnce(orderId: string): Promise<void> {
  expect(await shipmentsOf(orderId)).toEqual([{ state: "shipped" }]);
  expect(await capturedOf(orderId)).toEqual([await totalOf(orderId)]);
  expect((await eventsOf(orderId)).filter((type) => type === "shipped")).toHaveLength(1);
  expect(await mailsOf(orderId, "order-shipped")).toBe(1);
}

it("a charge that the bank refuses: nothing ships, the buyer pays again by the link, and then it ships", async () => {
  const orderId = await authorized({ number: REFUSES_CAPTURE });
  expect(await alone(() => ship(orderId))).toEqual({ ok: false, reason: "capture-failed" });
  expect([await statusOf(orderId), await shipmentsOf(orderId)]).toEqual(["processing", [{ state: "failed" }]]);
  expect(await mailsOf(orderId, "payment-request")).toBe(1);
  expect(await mailsOf(orderId, "order-shipped")).toBe(0);
  expect(await ship(orderId)).toEqual({ ok: false, reason: "not-paid" });

  const page = await payNow(database.db, provider, orderId);
  await payOnPage(page.ok ? page.url : "");
  await expect.poll(async () => (await paymentsOf(orderId)).map(({ state }) => state)).toContain("authorized");
  expect(await alone(() => ship(orderId))).toMatchObject({ ok: true, state: "shipped" });
  expect(await mailsOf(orderId, "order-shipped")).toBe(1);
  expect((await capturedOf(orderId)).filter(Boolean)).toEqual([await totalOf(orderId)]);
});

it(`ship pressed twice by one, and by another with another parcel, ${ROUNDS} times: one capture, one shipment`, async () => {
  await inRounds(async () => {
    const orderId = await authorized();
    const parcel = aParcel(++numbers);
    await Promise.all([ship(orderId, parcel), ship(orderId), ship(orderId, parcel)]);
    await until(orderId, "shipped");
    await expectShippedOnce(orderId);
  });
});

it(`canceled by its buyer while it ships, ${ROUNDS} times: exactly one wins`, async () => {
  const won: Record<string, number> = { shipped: 0, canceled: 0 };
  const before = await unitsOf(database.pool, "travel-sleeve");
  await inRounds(async (round) => {
    const orderId = await authorized();
    const acts = [() => ship(orderId), () => cancelOrder(database.db, orderId, "guest")];
    const [first, second] = round % 2 ? acts : acts.toReversed();
    await Promise.all([first!(), second!()]);
    await isSettled(orderId);
    const status = (await statusOf(orderId)) ?? "";
    won[status]! += 1;
    if (status === "shipped") await expectShippedOnce(orderId);
    else {
      expect([await shipmentsOf(orderId), await capturedOf(orderId)]).toEqual([[], [0]]);
      expect(await paymentsOf(orderId)).toMatchObject([{ state: "closed" }]);
    }
  });
  expect(won.shipped! + won.canceled!).toBe(ROUNDS);
  expect(await unitsOf(database.pool, "travel-sleeve")).toBe(before - won.shipped!);
});

it(`staff killed between the charge and its answer, ${KILLS * AT_ONCE} times: charged, shipped and mailed once`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const staff = startStaff();
    const orderIds = await Promise.all(Array.from({ length: AT_ONCE }, () => authorized()));
    const { captured } = await sandbox.books();
    const total = (await Promise.all(orderIds.map(totalOf))).reduce((sum, cents) => sum + cents, 0);
    await jobs.stop();
    const order = {
      on: "call",
      fault: "hang",
      when: "after",
      method: "POST",
      path: "/v1/payment_intents/*/capture",
    } as const;
    await sandbox.control({ do: "fail", order, times: AT_ONCE });
    const { apiUrl, secretKey, webhookSecret } = sandbox;
    const keys = { apiUrl, secretKey, webhookSecret };
    numbers += AT_ONCE;
    const from = numbers - AT_ONCE + 1;
    staff.ship({ databaseUrl: database.url, sandbox: keys, shop: { url: shop.url }, orderIds, from });
    await expect.poll(async () => (await sandbox.books()).captured - captured).toBe(total);
    for (const orderId of orderIds) expect(await statusOf(orderId)).toBe("processing");
    await staff.kill();
    startJobs();
    for (const orderId of orderIds) {
      await until(orderId, "shipped");
      await expectShippedOnce(orderId);
    }
  }
});

it("a canceled line is not charged, and what is left is refunded in parts, each told once", async () => {
  const guest = await paying.guestWith("travel-sleeve", 3);
  const held = await paying.place(guest);
  await paying.comeBack(held, await pay(held));
  const { orderId } = held;
  const [line] = await query<{ id: string; price: number }>("SELECT id, price FROM order_items WHERE order_id = $1", [
    orderId,
  ]);
  const { id: itemId, price } = line!;
  expect(
    await cancelLine(database.db, orderId, { itemId, keep: 2, returnsStock: true, reason: "damaged" }, null),
  ).toEqual({
    ok: true,
    repeated: false,
  });
  expect(await alone(() => ship(orderId))).toMatchObject({ ok: true, state: "shipped" });
  const charged = (await totalOf(orderId)) - price;
  expect(await capturedOf(orderId)).toEqual([charged]);
  for (const cents of [5_00, charged - 5_00]) {
    const refunded = await alone(() =>
      refundOrder(database.db, provider, orderId, { cents, reason: "goodwill" }, null),
    );
    expect(refunded).toEqual({ ok: true, state: "done" });
  }
  expect(await refundOrder(database.db, provider, orderId, { cents: 1, reason: "goodwill" }, null)).toMatchObject({
    ok: false,
    leftCents: 0,
  });
  expect(await mailsOf(orderId, "refund-issued")).toBe(2);
});

it("staff at the command line charge by themselves, and are told in a sentence where the bank refuses", async () => {
  const env = {
    DATABASE_URL: database.url,
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_API_URL: sandbox.apiUrl,
  };
  const order = (orderId: string, ...args: string[]) => alone(() => typeOrder(env, [orderId.slice(0, 8), ...args]));
  const toShip = ["ship", "--carrier", "ups", "--tracking", aParcel(++numbers).trackingNumber];
  const [good, bad] = [await authorized(), await authorized({ number: REFUSES_CAPTURE })];
  expect(await order(good, ...toShip)).toMatchObject({ code: 0, error: "" });
  await expectShippedOnce(good);
  expect(await order(good, "refund", "--amount", "1.00", "--reason", "late")).toMatchObject({
    code: 0,
    out: "$1.00 is refunded, and the customer is told.\n",
  });
  expect(await order(bad, ...toShip)).toMatchObject({
    code: 1,
    error: "The bank refused the charge, so it must not ship. Its customer has the link to pay again.\n",
  });
  const listed = await typeOrder(env, ["list"]);
  expect(listed.out).toMatch(new RegExp(`Payment problems \\(\\d+\\)\\n(.*\\n)*.*${bad.slice(0, 8)}`));
});

it("an order from before there were payments is asked to be paid, and ships once it is", async () => {
  const orderId = await authorized();
  await query("DELETE FROM payments WHERE order_id = $1", [orderId]);
  expect(await askForPayment(database.db, provider, orderId, null)).toEqual({ ok: true, repeated: false });
  expect(await mailsOf(orderId, "payment-request")).toBe(1);
  const page = await payNow(database.db, provider, orderId);
  await payOnPage(page.ok ? page.url : "");
  await expect.poll(async () => (await paymentsOf(orderId)).map(({ state }) => state)).toEqual(["authorized"]);
  expect(await alone(() => ship(orderId))).toMatchObject({ ok: true, state: "shipped" });
});

it("what staff cancel is let go at the bank, and its customer told once", async () => {
  const orderId = await authorized();
  expect(await cancelByStaff(database.db, orderId, null)).toEqual({ ok: true, repeated: false });
  await isSettled(orderId);
  expect(await eventsOf(orderId)).toEqual(["held", "authorized", "canceled", "payment-voided"]);
  expect(await mailsOf(orderId, "order-canceled")).toBe(1);
});

// The last, because the clock of the bank goes forward.
it("a refund that the bank does later is told when it is done", async () => {
  const orderId = await authorized({ number: "4000 0000 0000 7726" });
  await ship(orderId);
  expect(await refundOrder(database.db, provider, orderId, { cents: 5_00, reason: "late" }, null)).toEqual({
    ok: true,
    state: "waiting",
  });
  expect(await mailsOf(orderId, "refund-issued")).toBe(0);
  await sandbox.control({ do: "forward", seconds: 86_400 });
  await expect.poll(() => mailsOf(orderId, "refund-issued")).toBe(1);
  expect((await eventsOf(orderId)).filter((type) => type === "refunded")).toHaveLength(1);
});
