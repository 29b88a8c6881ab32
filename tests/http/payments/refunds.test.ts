/** Refunds and disputes: once each, whatever the provider answers. */
import { afterEach, expect, it } from "vitest";
import { transaction } from "#db/connection.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { dueItems, newCharge, takeMoney } from "#shop/orders/actions/money.ts";
import { refund as ask } from "#shop/orders/actions/refund.ts";
import { decided, type DecidedBy, type Decision } from "#shop/orders/change.ts";
import { decideOn, withOrder } from "#shop/orders/run.server.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import type { OrderState } from "#shop/orders/state.ts";
import { cancelOrder } from "#shop/payments/cancel.server.ts";
import { warnOfCaptures } from "#shop/payments/jobs.server.ts";
import type { PaysWith } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { unitsOf } from "../../support/stock.ts";

const paying = usePayingShop();
const { reserve, pay, statusOf, eventsOf, paymentsOf, mailsOf, until, sandbox, query, database } = paying;
const DAY = 86_400;

afterEach(async () => {
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

async function authorized(by: PaysWith = {}): Promise<string> {
  const placed = await reserve();
  await pay(placed, by);
  await until(placed.orderId, "processing");
  return placed.orderId;
}

/** The jobs run what is asked for. */
const refund = (orderId: string, cents: number) =>
  refundOrder(database.db, null, orderId, { cents, reason: "goodwill" }, null);
const actionsOf = (orderId: string) =>
  query<{ kind: string; state: string; amount: number; attempt: number }>(
    `SELECT a.kind, a.state, a.amount, attempt FROM payment_actions a JOIN payments p ON p.id = payment_id
     WHERE order_id = $1 ORDER BY a.created_at`,
    [orderId],
  );
const allDone = (orderId: string) =>
  expect
    .poll(async () => (await actionsOf(orderId)).every(({ state }) => state === "done" || state === "failed"))
    .toBe(true);

/** Charges what is due from the authorization, without a parcel. */
function chargeNow(state: OrderState, act: DecidedBy): Decision {
  const items = dueItems(state);
  const { id, change } = newCharge(items, { state: "asked", by: "ship" }, act);
  return decided(change, takeMoney(state, id, centsOf(items), "authorization", act)!);
}

async function captured(by: PaysWith = {}): Promise<string> {
  const orderId = await authorized(by);
  const [order] = await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]);
  await withOrder(database.db, orderId, chargeNow, { by: "staff" });
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ state: "captured", captured: order?.total }]);
  return orderId;
}

it("concurrent refunds never exceed the captured amount, 5 times", async () => {
  const round = async () => {
    const orderId = await captured();
    const [payment] = await paymentsOf(orderId);
    const cents = payment?.captured ?? 0;
    const part = Math.floor(cents * 0.6);
    const results = await Promise.all([refund(orderId, part), refund(orderId, part)]);
    const refused = results.filter(({ ok }) => !ok);
    expect(refused).toEqual([{ ok: false, reason: "too-much", leftCents: cents - part }]);
    await allDone(orderId);
    expect(await refund(orderId, part)).toEqual({ ok: false, reason: "too-much", leftCents: cents - part });
    expect(await refund(orderId, cents - part)).toMatchObject({ ok: true });
    await allDone(orderId);
    expect(await paymentsOf(orderId)).toMatchObject([{ captured: cents, refunded: cents }]);
  };
  await Promise.all(Array.from({ length: 5 }, round));
});

const REFUND = { on: "call", path: "/v1/refunds", method: "POST" } as const;
it.each([
  ["fails before the work", { ...REFUND, fault: "error", when: "before" }, 2],
  ["fails after the work", { ...REFUND, fault: "error", when: "after" }, 1],
  ["loses its answer", { ...REFUND, fault: "cut", when: "after" }, 1],
  ["is busy", { ...REFUND, fault: "rate-limit", when: "before" }, 1],
] as const)("a refund is made once when the provider %s", async (_what, order, attempt) => {
  const orderId = await captured();
  await sandbox.control({ do: "fail", order, times: 1 });
  await refund(orderId, 5_00);
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ refunded: 5_00 }]);
  expect((await actionsOf(orderId)).at(-1)).toMatchObject({ kind: "refund", state: "done", attempt });
});

it("a refund with a key older than a day is read first and not repeated", async () => {
  const orderId = await captured();
  await sandbox.control({ do: "fail", order: { ...REFUND, fault: "cut", when: "after" }, times: 1 });
  await transaction(database.db, async (tx) => {
    const request = { reason: "goodwill", goodwillCents: 5_00 };
    const asked = await decideOn(tx, orderId, (state, act) => ask(state, request, act), { by: "staff" });
    if (!asked.ok) throw new Error(asked.reason);
    await tx.execute(
      `UPDATE payment_actions SET state = 'sent', sent_at = now() - interval '25 hours' WHERE id = '${asked.change.run![0]}'`,
    );
  });
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ refunded: 5_00 }]);
});

it("a pending refund is done later, and one that fails later is told to staff and customer", async () => {
  const [pending, failing] = [
    await captured({ number: "4000000000007726" }),
    await captured({ number: "4000000000005126" }),
  ];
  await refund(pending, 5_00);
  await refund(failing, 5_00);
  await expect.poll(async () => (await actionsOf(failing)).at(-1)?.state).toBe("done");
  await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
  expect((await actionsOf(pending)).at(-1)?.state).toBe("sent");
  expect([await mailsOf(pending, "refund-issued"), await mailsOf(failing, "refund-issued")]).toEqual([0, 1]);
  await sandbox.control({ do: "forward", seconds: 120 });
  await expect.poll(async () => (await actionsOf(pending)).at(-1)?.state).toBe("done");
  await expect.poll(async () => (await actionsOf(failing)).at(-1)?.state).toBe("failed");
  expect((await eventsOf(failing)).slice(-2)).toEqual(["refunded", "refund-failed"]);
  expect((await eventsOf(pending)).at(-1)).toBe("refunded");
  expect(await mailsOf(pending, "refund-issued")).toBe(1);
  expect([await mailsOf(failing, "payment-alert"), await mailsOf(failing, "refund-failed")]).toEqual([1, 1]);
  expect(await mailsOf(pending, "refund-failed")).toBe(0);
  expect([(await paymentsOf(pending))[0]?.refunded, (await paymentsOf(failing))[0]?.refunded]).toEqual([5_00, 0]);
});

it("a refund in the provider's dashboard is recorded once", async () => {
  const orderId = await captured();
  const [payment] = await query<{ intent: string }>(
    "SELECT intent_reference AS intent FROM payments WHERE order_id = $1",
    [orderId],
  );
  await sandbox.stripe.refunds.create({ payment_intent: payment?.intent ?? "", amount: 3_00 });
  await expect
    .poll(async () => (await actionsOf(orderId)).filter(({ kind, state }) => kind === "refund" && state === "done"))
    .toHaveLength(1);
  expect(await paymentsOf(orderId)).toMatchObject([{ refunded: 3_00 }]);
  expect((await eventsOf(orderId)).filter((type) => type === "refunded")).toHaveLength(1);
  expect(await mailsOf(orderId, "refund-issued")).toBe(1);
});

it("a dispute alerts staff with its deadline and blocks refunds", async () => {
  const orderId = await captured({ number: "4000000000000259" });
  await expect.poll(() => eventsOf(orderId)).toContain("disputed");
  expect(await refund(orderId, 1_00)).toMatchObject({ ok: false, reason: "disputed" });
  const [payment] = await query<{ until: Date; intent: string }>(
    "SELECT disputed_until AS until, intent_reference AS intent FROM payments WHERE order_id = $1",
    [orderId],
  );
  expect(payment?.until.getTime()).toBeGreaterThan(Date.now());
  expect(await mailsOf(orderId, "payment-alert")).toBe(1);
  await sandbox.control({ do: "win-dispute", paymentIntent: payment?.intent ?? "" });
  await expect.poll(() => eventsOf(orderId)).toContain("dispute-closed");
  expect(await refund(orderId, 1_00)).toMatchObject({ ok: true });
  await allDone(orderId);
});

// Last, because the provider's clock moves on.
it("an authorization that ends warns staff before, asks the buyer to pay again, and keeps the units", async () => {
  const orderId = await authorized();
  const warned = async () => {
    // A late event may restore the provider's own date, so it is set each time.
    await query("UPDATE payments SET capture_before = now() + interval '40 hours' WHERE order_id = $1", [orderId]);
    await warnOfCaptures(database.db);
    return mailsOf(orderId, "payment-alert");
  };
  await expect.poll(warned).toBe(1);
  const units = await unitsOf(database.pool, "travel-sleeve");
  await sandbox.control({ do: "forward", seconds: 8 * DAY });
  await expect.poll(async () => (await paymentsOf(orderId))[0]?.state).toBe("failed");
  expect([await statusOf(orderId), await unitsOf(database.pool, "travel-sleeve")]).toEqual(["processing", units]);
  expect([await mailsOf(orderId, "payment-ended"), await mailsOf(orderId, "payment-alert")]).toEqual([1, 2]);
  expect((await eventsOf(orderId)).at(-1)).toBe("payment-failed");
  expect(await cancelOrder(database.db, orderId, "customer")).toEqual({ ok: true, repeated: false });
  expect(await unitsOf(database.pool, "travel-sleeve")).toBe(units + 1);
});
