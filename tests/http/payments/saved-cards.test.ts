/**
 * Pre-orders: the card is saved now, and each parcel is charged when it ships. The sandbox has its own process.
 *
 * ROUNDS=50 repeats the race of staff and buyers that often (5 times without it), KILLS=50 kills as many processes
 * between charge and answer (one without it).
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { announceAll } from "../../support/placed-order.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { readMissedEvents, startPaymentJobs } from "#shop/payments/jobs.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { ProviderError, type PaymentProviders } from "#shop/payments/provider.ts";
import { payOnPage, type PaysWith } from "../../support/pay-page.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { aParcel, startStaff } from "../../support/staff.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const KILLS = Array.from({ length: Number(process.env.KILLS ?? 1) }, (_, kill) => kill + 1);
const AT_ONCE = 5;
const SLUG = "travel-sleeve";
const IS_REFUSED = "4000 0000 0000 0341";
const ASKS_EACH_TIME = "4000 0027 6000 3184";

// The jobs run here, so that they can pause while a process is killed.
const paying = usePayingShop({ WORKER: "outside" });
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
  await setUnits(database.pool, SLUG, 100_000);
  await query("UPDATE products SET ships_from = (now() + interval '45 days')::date WHERE slug = $1", [SLUG]);
});
afterAll(() => jobs.stop());
afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
  expect(bugs).toEqual([]);
});

/** A pre-order whose charge was announced, and whose buyer need not wait for the day. */
async function saved(by: PaysWith = {}): Promise<string> {
  const placed = await reserve(SLUG, 2);
  await comeBack(placed, await pay(placed, by));
  await until(placed.orderId, "processing");
  await announceAll(database.db, placed.orderId);
  return placed.orderId;
}

const paymentsOf = (orderId: string) =>
  query<{ kind: string; state: string; captured: number; refunded: number }>(
    "SELECT kind, state, captured, refunded FROM payments WHERE order_id = $1 ORDER BY created_at",
    [orderId],
  );
const chargesOf = async (orderId: string) =>
  (await paymentsOf(orderId)).filter(({ kind }) => kind !== "setup").map(({ captured }) => captured);
const totalOf = async (orderId: string) =>
  (await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]))[0]!.total;
const lineOf = async (orderId: string) =>
  (await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1", [orderId]))[0]!.id;
const ship = (orderId: string, parcel = aParcel(++numbers)) => shipOrder(database.db, providers, orderId, parcel, null);
const shipOne = async (orderId: string) => ship(orderId, aParcel(++numbers, { [await lineOf(orderId)]: 1 }));
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

/** Staff actions while the jobs pause, so nothing runs in between. */
async function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  await jobs.stop();
  return run().finally(startJobs);
}

/** Rounds of a race, five at a time. */
async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round).values();
  const lane = async () => {
    for (const round of rounds) await run(round);
  };
  await Promise.all(Array.from({ length: 5 }, lane));
}

/** Shipped once: one parcel, one charge of all of it, one event, one email. */
async function expectShippedOnce(orderId: string): Promise<void> {
  expect((await shipmentsOf(orderId)).filter(({ state }) => state !== "failed")).toEqual([{ state: "shipped" }]);
  expect((await chargesOf(orderId)).filter(Boolean)).toEqual([await totalOf(orderId)]);
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
    const { authorized } = await sandbox.books();
    const placed = await reserve(SLUG);
    expect(await statusOf(placed.orderId)).toBe("unpaid");
    const paid = await pay(placed);
    expect(await comeBack(placed, paid)).toMatch(new RegExp(`^/orders/${placed.orderId}\\?k=`));
    expect(await statusOf(placed.orderId)).toBe("processing");
    await expectSaved(placed);
    expect((await sandbox.books()).authorized).toBe(authorized);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["its webhook", () => sandbox.control({ do: "release-webhooks" })],
    ["its webhooks in reverse order", () => sandbox.control({ do: "release-webhooks", reversed: true })],
    ["the provider's list of events", () => readMissedEvents(database.db, providers)],
  ])("whose buyer never returns is confirmed by %s", async (_what, release) => {
    await sandbox.control({ do: "hold-webhooks" });
    const placed = await reserve(SLUG);
    await pay(placed, { number: "4000 0000 0000 0002" });
    await pay(placed);
    expect(await statusOf(placed.orderId)).toBe("unpaid");
    await release();
    await expectSaved(placed);
  });

  it("after a declined card and a failed 3D Secure saves another: one order and one payment", async () => {
    const placed = await reserve(SLUG);
    await pay(placed, { number: "4000 0000 0000 9995" });
    await pay(placed, { number: ASKS_EACH_TIME, bank: "fail" });
    await pay(placed);
    await expectSaved(placed);
  });

  it.each([
    ["refuses the customer", "/v1/customers", { fault: "error", when: "before" }],
    ["loses the customer's answer", "/v1/customers", { fault: "cut", when: "after" }],
    ["refuses the page", "/v1/checkout/sessions", { fault: "error", when: "before" }],
    ["loses the page's answer", "/v1/checkout/sessions", { fault: "cut", when: "after" }],
    ["is busy", "/v1/checkout/sessions", { fault: "rate-limit", when: "before" }],
  ] as const)("is reserved when the provider %s, and its card is saved on the next try", async (_what, path, fault) => {
    await sandbox.control({ do: "fail", order: { on: "call", method: "POST", path, ...fault } });
    const placed = await reserve(SLUG);
    expect(placed.url).toMatch(/^\/payments\/wait\?order=/);
    const again = await placed.guest.fetch(placed.url);
    await payOnPage(again.headers.get("Location") ?? "");
    await until(placed.orderId, "processing");
    const kept = (await paymentsOf(placed.orderId)).filter(({ state }) => state === "saved");
    expect([kept.length, await mailsOf(placed.orderId, "order-confirmation")]).toEqual([1, 1]);
  });

  it("that nobody finishes expires, and its units return", async () => {
    const before = await unitsOf(database.pool, SLUG);
    const placed = await reserve(SLUG);
    await paying.endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    expect([await unitsOf(database.pool, SLUG), (await pay(placed)).status]).toEqual([before, 410]);
  });

  it.each<[string, (orderId: string) => Promise<unknown>]>([
    ["expires", (orderId) => paying.endReservation(orderId)],
    ["is canceled", (orderId) => cancelOrder(database.db, orderId, "guest")],
  ])("that %s before its card is saved leaves no customer at the provider", async (_what, end) => {
    const { orderId } = await reserve(SLUG);
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

describe("a parcel", () => {
  it.each([
    [IS_REFUSED, "generic_decline"],
    [ASKS_EACH_TIME, "authentication_required"],
  ])("whose charge is refused (%s) ships once its buyer has paid by the link", async (number, problem) => {
    const orderId = await saved({ number });
    expect(await alone(() => shipOne(orderId))).toEqual({ ok: false, reason: "capture-failed" });
    expect([await statusOf(orderId), await shipmentsOf(orderId)]).toEqual(["processing", [{ state: "failed" }]]);
    expect(await query("SELECT problem FROM payments WHERE order_id = $1 AND kind = 'charge'", [orderId])).toEqual([
      { problem },
    ]);
    expect([await mailsOf(orderId, "charge-refused"), await mailsOf(orderId, "order-shipped")]).toEqual([1, 0]);
    expect(await ship(orderId)).toEqual({ ok: false, reason: "not-paid" });
    const page = await openPage(database.db, providers, orderId);
    await payOnPage(page.ok ? page.url : "");
    await expect
      .poll(async () => (await paymentsOf(orderId)).map(({ state }) => state), { timeout: 30_000 })
      .toContain("authorized");
    expect(await shipOne(orderId)).toMatchObject({ ok: true });
    await until(orderId, "shipped");
    // The rest is charged to the card that paid.
    expect(await ship(orderId)).toMatchObject({ ok: true });
    await actionsEnd(orderId);
    expect((await chargesOf(orderId)).reduce((sum, cents) => sum + cents, 0)).toBe(await totalOf(orderId));
    expect(await mailsOf(orderId, "charge-refused")).toBe(1);
  });

  it(`shipped while its order is canceled: exactly one wins, ${ROUNDS} times`, async () => {
    await inRounds(async (round) => {
      const orderId = await saved();
      const both = [() => ship(orderId), () => cancelOrder(database.db, orderId, "guest")];
      const [first, second] = round % 2 ? both : both.toReversed();
      await Promise.all([first!(), second!()]);
      await actionsEnd(orderId);
      if ((await statusOf(orderId)) === "shipped") await expectShippedOnce(orderId);
      else expect([await statusOf(orderId), await chargesOf(orderId)]).toEqual(["canceled", []]);
    });
  });

  it.each(KILLS)(
    "whose process is killed between charge and answer is charged, shipped and emailed once (%i)",
    async () => {
      const staff = startStaff();
      const orderIds = await Promise.all(Array.from({ length: AT_ONCE }, () => saved()));
      const before = await sandbox.books();
      const total = (await Promise.all(orderIds.map(totalOf))).reduce((sum, cents) => sum + cents, 0);
      await jobs.stop();
      const order = {
        on: "call",
        fault: "hang",
        when: "after",
        method: "POST",
        path: "/v1/payment_intents",
      } as const;
      await sandbox.control({ do: "fail", order, times: AT_ONCE });
      const { apiUrl, payPal, secretKey, webhookSecret } = sandbox;
      const from = numbers + 1;
      numbers += AT_ONCE;
      staff.ship({
        databaseUrl: database.url,
        sandbox: { apiUrl, payPal, secretKey, webhookSecret },
        shop: { url: shop.url },
        orderIds,
        from,
      });
      await expect.poll(async () => (await sandbox.books()).captured - before.captured).toBe(total);
      for (const orderId of orderIds) expect(await statusOf(orderId)).toBe("processing");
      await staff.kill();
      startJobs();
      for (const orderId of orderIds) {
        await until(orderId, "shipped");
        await expectShippedOnce(orderId);
      }
      const charged = (await sandbox.books()).savedCardCharges.succeeded ?? 0;
      expect(charged - (before.savedCardCharges.succeeded ?? 0)).toBe(AT_ONCE);
    },
  );

  const CHARGE = { on: "call", path: "/v1/payment_intents", method: "POST" } as const;
  it.each([
    ["fails before the work", { ...CHARGE, fault: "error", when: "before" }, 2, 0],
    ["fails after the work", { ...CHARGE, fault: "error", when: "after" }, 1, 0],
    ["loses its answer", { ...CHARGE, fault: "cut", when: "after" }, 1, 0],
    ["loses its answer, and forgets the key", { ...CHARGE, fault: "cut", when: "after" }, 1, 25],
    ["never hears of it, and forgets the key", { ...CHARGE, fault: "cut", when: "before" }, 2, 25],
    ["is busy", { ...CHARGE, fault: "rate-limit", when: "before" }, 1, 0],
  ] as const)("is charged once when the provider %s", async (_what, order, attempt, hours) => {
    const orderId = await saved();
    await jobs.stop();
    await sandbox.control({ do: "fail", order });
    expect(await ship(orderId)).toMatchObject({ ok: true, state: "waiting" });
    await query(
      `UPDATE payment_actions SET sent_at = sent_at - $2 * interval '1 hour' FROM payments p
        WHERE p.id = payment_id AND order_id = $1`,
      [orderId, hours],
    );
    startJobs();
    await until(orderId, "shipped");
    await expectShippedOnce(orderId);
    expect(await actionsOf(orderId)).toMatchObject([{ kind: "charge", state: "done", attempt }]);
  });

  it("is refunded with the others of its order, never beyond what was charged", async () => {
    const orderId = await saved();
    await shipOne(orderId);
    await ship(orderId);
    await actionsEnd(orderId);
    const charged = await chargesOf(orderId);
    expect(charged).toHaveLength(2);
    const total = await totalOf(orderId);
    const refund = (cents: number) => refundOrder(database.db, null, orderId, { cents, reason: "goodwill" }, null);
    const part = Math.floor(total * 0.6);
    const results = await Promise.all([refund(part), refund(part)]);
    expect(results.filter(({ ok }) => !ok)).toEqual([{ ok: false, reason: "too-much", leftCents: total - part }]);
    await actionsEnd(orderId);
    expect(await refund(total - part + 1)).toMatchObject({ ok: false, reason: "too-much" });
    expect(await refund(total - part)).toMatchObject({ ok: true });
    await actionsEnd(orderId);
    expect((await paymentsOf(orderId)).reduce((sum, { refunded }) => sum + refunded, 0)).toBe(total);
  });
});
