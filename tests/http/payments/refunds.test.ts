/** Money that is asked for, given back, fought over: once each, whatever the provider answers. */
import { afterEach, expect, it } from "vitest";
import { transaction } from "../../../db/connection.server.ts";
import { requestCapture, requestRefund } from "../../../shop/payments/actions.server.ts";
import { cancelOrder } from "../../../shop/payments/cancel.server.ts";
import { payNow } from "../../../shop/payments/payments.server.ts";
import type { PaysWith } from "../../support/pay-page.ts";
import { payOnPage } from "../../support/pay-page.ts";
import { usePayingShop } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { unitsOf } from "../../support/stock.ts";

const paying = usePayingShop();
const { hold, pay, statusOf, eventsOf, paymentsOf, mailsOf, until, shop, sandbox, query, database } = paying;
const DAY = 86_400;

afterEach(async () => {
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

async function authorized(by: PaysWith = {}): Promise<string> {
  const held = await hold();
  await pay(held, by);
  await until(held.orderId, "processing");
  return held.orderId;
}

const ask = {
  capture: (orderId: string, cents: number) =>
    transaction(database.db, (tx) => requestCapture(tx, orderId, cents, "staff")),
  refund: (orderId: string, cents: number) =>
    transaction(database.db, (tx) => requestRefund(tx, orderId, cents, { reason: "goodwill", askedBy: "staff" })),
};
const actionsOf = (orderId: string) =>
  query<{ kind: string; state: string; amount: number; attempt: number }>(
    `SELECT kind, a.state, a.amount, attempt FROM payment_actions a JOIN payments p ON p.id = payment_id
     WHERE order_id = $1 ORDER BY a.created_at`,
    [orderId],
  );
const allDone = (orderId: string) =>
  expect
    .poll(async () => (await actionsOf(orderId)).every(({ state }) => state === "done" || state === "failed"))
    .toBe(true);

/** Charged, as when it ships. */
async function captured(by: PaysWith = {}): Promise<string> {
  const orderId = await authorized(by);
  const [order] = await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [orderId]);
  await ask.capture(orderId, order?.total ?? 0);
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ state: "captured", captured: order?.total }]);
  return orderId;
}

it("a capture is asked for once, and takes what is asked for", async () => {
  const orderId = await authorized();
  const asked = await Promise.all([ask.capture(orderId, 10_00), ask.capture(orderId, 10_00)]);
  expect(asked.filter(Boolean)).toHaveLength(1);
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ state: "captured", captured: 10_00, refunded: 0 }]);
});

it("two refunds at once, over the rest together: never more than was captured, 5 times", async () => {
  const round = async () => {
    const orderId = await captured();
    const [payment] = await paymentsOf(orderId);
    const cents = payment?.captured ?? 0;
    const part = Math.floor(cents * 0.6);
    const results = await Promise.all([ask.refund(orderId, part), ask.refund(orderId, part)]);
    const refused = results.filter(({ ok }) => !ok);
    expect(refused).toEqual([{ ok: false, reason: "under-way", leftCents: cents - part }]);
    await allDone(orderId);
    expect(await ask.refund(orderId, part)).toEqual({ ok: false, reason: "too-much", leftCents: cents - part });
    expect(await ask.refund(orderId, cents - part)).toMatchObject({ ok: true });
    await allDone(orderId);
    expect(await paymentsOf(orderId)).toMatchObject([{ captured: cents, refunded: cents }]);
  };
  await Promise.all(Array.from({ length: 5 }, round));
});

const REFUND = { on: "call", path: "/v1/refunds", method: "POST" } as const;
it.each([
  ["fails before it was done, and keeps that answer", { ...REFUND, fault: "error", when: "before" }, 2],
  ["fails after it was done, and keeps that answer", { ...REFUND, fault: "error", when: "after" }, 1],
  ["loses its answer", { ...REFUND, fault: "cut", when: "after" }, 1],
  ["has no time", { ...REFUND, fault: "rate-limit", when: "before" }, 1],
] as const)("a refund at which the provider %s is one refund in the end", async (_what, order, attempt) => {
  const orderId = await captured();
  await sandbox.control({ do: "fail", order, times: 1 });
  await ask.refund(orderId, 5_00);
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ refunded: 5_00 }]);
  expect((await actionsOf(orderId)).at(-1)).toMatchObject({ kind: "refund", state: "done", attempt });
});

it("a refund whose key is older than a day is looked for first, and is not made twice", async () => {
  const orderId = await captured();
  await sandbox.control({ do: "fail", order: { ...REFUND, fault: "cut", when: "after" }, times: 1 });
  await transaction(database.db, async (tx) => {
    const asked = await requestRefund(tx, orderId, 5_00, { reason: "goodwill", askedBy: "staff" });
    if (!asked.ok) throw new Error(asked.reason);
    await tx.execute(
      `UPDATE payment_actions SET state = 'sent', sent_at = now() - interval '25 hours' WHERE id = '${asked.actionIds[0]}'`,
    );
  });
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ refunded: 5_00 }]);
});

it("a refund that the bank does later is done then, and one that it refuses later is told to the staff", async () => {
  const [pending, failing] = [
    await captured({ number: "4000000000007726" }),
    await captured({ number: "4000000000005126" }),
  ];
  await ask.refund(pending, 5_00);
  await ask.refund(failing, 5_00);
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
  expect(await mailsOf(failing, "payment-alert")).toBe(1);
  expect([(await paymentsOf(pending))[0]?.refunded, (await paymentsOf(failing))[0]?.refunded]).toEqual([5_00, 0]);
});

it("a refund at the provider's own desk is ours, too, once", async () => {
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

it("a capture that is declined fails, what was authorized is given back, and the order can be paid again", async () => {
  const orderId = await authorized({ number: "4000000000004400" });
  await ask.capture(orderId, 10_00);
  await allDone(orderId);
  await expect
    .poll(async () => (await actionsOf(orderId)).map(({ kind, state }) => [kind, state]))
    .toEqual([
      ["capture", "failed"],
      ["void", "done"],
    ]);
  expect(await paymentsOf(orderId)).toMatchObject([{ state: "failed", captured: 0 }]);
  const again = await payNow(database.db, providerOf(sandbox, shop), orderId);
  if (!again.ok) throw new Error(again.reason);
  await payOnPage(again.url);
  await expect
    .poll(async () => (await paymentsOf(orderId)).map(({ state }) => state))
    .toEqual(["failed", "authorized"]);
  expect(await eventsOf(orderId)).toContain("payment-authorized");
  expect(await statusOf(orderId)).toBe("processing");
});

it("a canceled order is given back, its units return, and a capture that was asked for before wins", async () => {
  const before = await unitsOf(database.pool, "travel-sleeve");
  const orderId = await authorized();
  expect(await cancelOrder(database.db, orderId, "customer")).toEqual({ ok: true, repeated: false });
  await allDone(orderId);
  expect(await paymentsOf(orderId)).toMatchObject([{ state: "closed", captured: 0 }]);
  expect([await statusOf(orderId), await unitsOf(database.pool, "travel-sleeve")]).toEqual(["canceled", before]);
  expect(await eventsOf(orderId)).toEqual(["held", "authorized", "canceled", "payment-voided"]);
  const round = async () => {
    const other = await authorized();
    const [capture, cancel] = await Promise.all([
      ask.capture(other, 10_00).catch(() => null),
      cancelOrder(database.db, other, "customer"),
    ]);
    await allDone(other);
    const [payment] = await paymentsOf(other);
    if (cancel.ok) expect([await statusOf(other), capture, payment?.captured]).toEqual(["canceled", null, 0]);
    else expect([await statusOf(other), capture !== null, payment?.captured]).toEqual(["processing", true, 10_00]);
  };
  await Promise.all(Array.from({ length: 5 }, round));
});

it("a dispute is told to the staff with its deadline, and nothing is refunded meanwhile", async () => {
  const orderId = await captured({ number: "4000000000000259" });
  await expect.poll(() => eventsOf(orderId)).toContain("disputed");
  expect(await ask.refund(orderId, 1_00)).toMatchObject({ ok: false, reason: "disputed" });
  const [payment] = await query<{ until: Date; intent: string }>(
    "SELECT disputed_until AS until, intent_reference AS intent FROM payments WHERE order_id = $1",
    [orderId],
  );
  expect(payment?.until.getTime()).toBeGreaterThan(Date.now());
  expect(await mailsOf(orderId, "payment-alert")).toBe(1);
  const { data } = await sandbox.stripe.disputes.list({ payment_intent: payment?.intent ?? "" });
  await sandbox.control({ do: "close-dispute", dispute: data[0]?.id ?? "", as: "won" });
  await expect.poll(() => eventsOf(orderId)).toContain("dispute-closed");
  expect(await ask.refund(orderId, 1_00)).toMatchObject({ ok: true });
  await allDone(orderId);
});

// Last: the provider's clock does not go back, and opens no page for the past.
it("an authorization that runs out: the staff are warned before, the buyer pays again, and the units stay until then", async () => {
  const orderId = await authorized();
  const warned = async () => {
    // Each time: an event that was still on its way has the payment read again, with the provider's own date.
    await query("UPDATE payments SET capture_before = now() + interval '40 hours' WHERE order_id = $1", [orderId]);
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
