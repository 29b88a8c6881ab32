/** Actions of staff on an order, as the database, the provider and the customer see it. Decisions have tests of their own, in memory. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { recordsOf } from "#tests/support/order-records.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { emails } from "#shop/emails.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { formatMoney } from "#shop/money.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { correctTracking, undoShipment } from "./correct-shipment.server.ts";
import { DECLINE_REASONS, type DeclineReason } from "#shop/orders/reasons.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { lastReturnDay } from "./shipment.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { delayOrder } from "./delay.server.ts";
import { cancelItems } from "./cancel-items.server.ts";
import { askForPayment, cancelByStaff, declineByStaff, markDelivered } from "./fulfill.server.ts";
import { listOrderPage } from "./order-list.server.ts";
import { recordTracking } from "./parcels-on-the-way.server.ts";
import { check as checkOrder } from "#shop/orders/check.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { recordPayment } from "./record-payment.server.ts";
import type { ViewName } from "./views.ts";
import { countUnsent, listSlips } from "./shipments.server.ts";
import { recordSent, refundOrder, resolveRefund, retryRefund } from "./refund.server.ts";
import { shipOrder, type Parcel, type ShipResult } from "./ship.server.ts";

const shop = useFreshDatabase();
const { query, set, statusOf, typesOf, stepsOf, mailsOf, writtenOf, emailOf, runActions } = recordsOf(shop);
const [DOCK, SLEEVE] = ["charging-dock", "travel-sleeve"];
let bank: MemoryProvider;
let numbers = 0;

beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of [DOCK, SLEEVE]) await setUnits(shop.pool, slug, 50);
});

const stockOf = (slug = DOCK) => unitsOf(shop.pool, slug);
const shipmentsOf = (id: string) =>
  query<{ state: string }>("SELECT state FROM shipments WHERE order_id = $1 ORDER BY created_at, id", [id]);
const ups = (units?: Record<string, number>): Parcel => aParcel(++numbers, units);
const by = null;
const ship = (id: string, parcel = ups(), providers: typeof bank.providers | null = bank.providers) =>
  shipOrder(shop.db, providers, id, parcel, by);
const check = { how: "check", reference: "1042" } as const;
const staff: Acting = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null };
const inDays = (days: number) => daysAfter(newYorkDay(new Date()), days);
const deliver = (id: string) => markDelivered(shop.db, id, by);
const refund = (id: string, cents: number, units?: Record<string, number>) => {
  const items = units ? { units, hasShipping: false } : null;
  return refundOrder(shop.db, bank.providers, id, { cents, items, reason: "damaged" }, staff);
};
const cancel = (id: string, keep: Record<string, number>, returnsStock = true) =>
  cancelItems(shop.db, bank.providers, id, { keep, returnsStock, reason: "sold-out" }, by);
const undo = (id: string, sent: ShipResult) => undoShipment(shop.db, id, sent.ok ? sent.shipmentId : "", by);
/** The first refund of an order. */
const refundOf = async (id: string) =>
  (await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1 ORDER BY created_at", [id]))[0]!.id;

/** Units at 40 dollars each. */
async function paidOrder(units: Record<string, number> = { [DOCK]: 2, [SLEEVE]: 1 }) {
  const order = await placedOrder(shop.db, units, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  return order;
}

describe("shipping", () => {
  it("captures the payment, accepts and emails; delivered, it says so once", async () => {
    const { id, reference, totalCents } = await paidOrder();
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped", repeated: false });
    expect(bank.payments.get(reference)?.captured).toBe(totalCents);
    expect(await query("SELECT status, accepted_at IS NOT NULL AS accepted FROM orders WHERE id = $1", [id])).toEqual([
      { status: "shipped", accepted: true },
    ]);
    expect([await deliver(id), await deliver(id)]).toEqual([
      { ok: true, repeated: false },
      { ok: true, repeated: true },
    ]);
    expect([await statusOf(id), await shipmentsOf(id)]).toEqual(["delivered", [{ state: "delivered" }]]);
    expect(await stepsOf(id)).toEqual(["shipped by staff", "delivered by staff"]);
    expect(await mailsOf(id)).toEqual(["order-shipped", "order-delivered"]);
  });

  it("is refused for units and numbers that are none", async () => {
    const { id, lines } = await paidOrder();
    const dock = lines[DOCK]!;
    const refusals: [ReturnType<typeof ship>, object][] = [
      [ship(id, { carrier: "ups", trackingNumber: "12345" }), { reason: "tracking-number" }],
      [ship(id, ups({ [dock]: 3 })), { reason: "units", name: DOCK, unitsLeft: 2 }],
      [ship(id, ups({ [dock]: 0 })), { reason: "nothing-chosen" }],
      [ship(randomUUID()), { reason: "not-found" }],
    ];
    for (const [result, refusal] of refusals) expect(await result).toEqual({ ok: false, ...refusal });
    expect(await shipmentsOf(id)).toEqual([]);
    await ship(id);
    for (const parcel of [ups(), ups({ [dock]: 1 })])
      expect(await ship(id, parcel)).toEqual({ ok: false, reason: "nothing-left" });
  });

  it("a failed capture ships nothing, then or later, and emails a payment link", async () => {
    const { id } = await paidOrder();
    bank.faults = ["refuse"];
    const parcel = ups();
    expect(await ship(id, parcel)).toEqual({ ok: false, reason: "capture-failed" });
    expect([await statusOf(id), await shipmentsOf(id)]).toEqual(["processing", [{ state: "failed" }]]);
    expect([await stepsOf(id), await mailsOf(id)]).toEqual([["capture-failed by provider"], ["payment-request"]]);
    for (const again of [ship(id, parcel), ship(id), ship(id, ups(), null)])
      expect(await again).toEqual({ ok: false, reason: "not-paid" });
    expect(bank.sum()).toBe(0);
  });

  it.each(["silent", "lost"] as const)(
    "a missing answer (%s) leaves the parcel waiting until a repeat",
    async (fault) => {
      const { id, lines, totalCents } = await paidOrder();
      bank.faults = [fault];
      const parcel = ups();
      expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "waiting" });
      expect([await statusOf(id), await mailsOf(id)]).toEqual(["processing", []]);
      for (const other of [ship(id), cancel(id, { [lines[DOCK]!]: 0 }), delayOrder(shop.db, id, inDays(20), by)])
        expect(await other).toEqual({ ok: false, reason: "under-way" });
      expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "shipped", repeated: true });
      expect([bank.sum(), await typesOf(id), await mailsOf(id)]).toEqual([totalCents, ["shipped"], ["order-shipped"]]);
    },
  );

  it("the same parcel submitted 4 times at once ships once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, totalCents, reference } = await paidOrder();
      const parcel = ups();
      const results = await Promise.all(Array.from({ length: 4 }, () => ship(id, parcel)));
      expect(results.filter((result) => result.ok && !result.repeated)).toHaveLength(1);
      expect(results.every(({ ok }) => ok)).toBe(true);
      expect(await shipmentsOf(id)).toEqual([{ state: "shipped" }]);
      expect(bank.payments.get(reference)?.captured).toBe(totalCents);
      expect([await typesOf(id), await mailsOf(id)]).toEqual([["shipped"], ["order-shipped"]]);
    }
  });
});

it("a corrected tracking number and carrier are emailed once, and audited in part", async () => {
  const { id } = await placedOrder(shop.db, { [DOCK]: 1 }, { isArranged: true });
  const { trackingNumber, ...parcel } = ups();
  const sent = await ship(id, { trackingNumber, ...parcel }, null);
  const shipmentId = sent.ok ? sent.shipmentId : "";
  const correct = (right: Parcel) => correctTracking(shop.db, id, shipmentId, right, by);
  expect(await correct({ carrier: "ups", trackingNumber: "986578788855" })).toMatchObject({
    reason: "tracking-number",
  });
  const right = { carrier: "fedex", trackingNumber: "9865-7878-8855" } as const;
  const results = await Promise.all([correct(right), correct(right)]);
  expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
  expect(await query("SELECT carrier, tracking_number FROM shipments WHERE order_id = $1", [id])).toEqual([
    { carrier: "fedex", tracking_number: "986578788855" },
  ]);
  expect(await stepsOf(id)).toEqual(["shipped by staff", "tracking-corrected by staff"]);
  const { text } = await emailOf(id, "tracking-corrected");
  expect([text.includes("trknbr=986578788855"), text.includes(trackingNumber)]).toEqual([true, false]);
  expect(await query("SELECT before, after FROM audit_log WHERE action = 'order.tracking'")).toEqual([
    {
      before: { carrier: "ups", trackingNumber: `•••${trackingNumber.slice(-4)}` },
      after: { shipmentId, carrier: "fedex", trackingNumber: "•••8855" },
    },
  ]);
});

describe("undoing a shipment", () => {
  it("the whole order is to ship again, stays charged, and ships again without a second charge", async () => {
    const { id, totalCents } = await paidOrder();
    const parcel = ups();
    const sent = await ship(id, parcel);
    expect([await undo(id, sent), await undo(id, sent)]).toMatchObject([{ repeated: false }, { repeated: true }]);
    expect([await statusOf(id), await shipmentsOf(id)]).toEqual(["processing", [{ state: "failed" }]]);
    const { text } = await emailOf(id, "shipment-undone");
    expect(text).toContain("still with us");
    expect(text).toMatch(/You paid \$120\.00 for these items\.\s+You won’t pay again/);
    // The label may have the same number.
    expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "shipped", repeated: false });
    expect([bank.sum(), bank.calls, await stockOf()]).toEqual([totalCents, 1, 50]);
    expect(await typesOf(id)).toEqual(["shipped", "shipment-undone", "shipped"]);
  });

  it("then canceled, everything is refunded and returns to stock; it can no longer be declined", async () => {
    const { id } = await paidOrder();
    await undo(id, await ship(id));
    expect(await declineByStaff(shop.db, id, "price", by)).toEqual({ ok: false, reason: "accepted" });
    expect(await cancelByStaff(shop.db, id, by)).toEqual({ ok: true, repeated: false });
    await runActions(bank.providers);
    expect([bank.sum(), await stockOf()]).toEqual([0, 52]);
    expect((await emailOf(id, "order-canceled")).text).toContain("We’ve refunded the $120.00 you paid.");
  });
});

describe("canceling items", () => {
  it("lowers the charge, returns stock or not, and keeps the ordered total", async () => {
    const { id, lines, totalCents } = await paidOrder();
    const keep = { [lines[DOCK]!]: 1 };
    expect(await cancel(id, keep)).toEqual({ ok: true, repeated: false, refund: null });
    expect(await cancel(id, keep)).toEqual({ ok: true, repeated: true, refund: null });
    await cancel(id, { [lines[SLEEVE]!]: 0 }, false);
    expect([await stockOf(), await stockOf(SLEEVE)]).toEqual([51, 50]);
    expect(await query("SELECT total FROM orders WHERE id = $1", [id])).toEqual([{ total: totalCents }]);
    expect(await ship(id)).toMatchObject({ ok: true });
    // Free shipping at 120 dollars still applies to the remaining 40.
    expect([totalCents, bank.sum()]).toEqual([120_00, 40_00]);
    expect(await typesOf(id)).toEqual(["line-canceled", "line-canceled", "shipped"]);
    expect(await mailsOf(id)).toEqual(["order-changed", "order-changed", "order-shipped"]);
  });

  it("says of a rest that costs nothing that it stays, and not that it is charged", async () => {
    const { id, lines } = await paidOrder({ [DOCK]: 1, [SLEEVE]: 1 });
    await query("UPDATE order_units SET price = 0 WHERE order_item_id = $1", [lines[SLEEVE]]);
    await query("UPDATE payments SET method = $2 WHERE order_id = $1", [id, { brand: "visa", lastFour: "4242" }]);
    await cancel(id, { [lines[DOCK]!]: 0 });
    expect((await emailOf(id, "order-changed")).text).toContain("The rest of your order stays as it is.");
  });

  it("refuses impossible units, an unknown line and the last line", async () => {
    const { id, lines } = await paidOrder({ [DOCK]: 2 });
    const line = lines[DOCK]!;
    for (const keep of [3, -1, 0.5, Number.NaN])
      expect(await cancel(id, { [line]: keep }), `${keep}`).toEqual({ ok: false, reason: "units" });
    expect(await cancel(id, { [randomUUID()]: 0 })).toEqual({ ok: false, reason: "unknown-line" });
    expect(await cancel(id, { [line]: 0 })).toEqual({ ok: false, reason: "last-line" });
    expect([await typesOf(id), await mailsOf(id)]).toEqual([[], []]);
  });

  it("of a partial order refunds its rest, which is sold no more, and one email says so", async () => {
    const [product] = await query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [DOCK]);
    const before = await countUnsent(shop.db, product!.id);
    const { id, lines } = await paidOrder();
    const [dock, sleeve] = [lines[DOCK]!, lines[SLEEVE]!];
    await ship(id, ups({ [dock]: 1 }));
    expect((await countUnsent(shop.db, product!.id)) - before).toBe(1);
    const rest = () => cancel(id, { [dock]: 1, [sleeve]: 0 });
    const results = await Promise.all([rest(), rest()]);
    expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
    expect(results).toContainEqual({ ok: true, repeated: false, refund: { cents: 80_00, state: "done" } });
    expect([bank.sum(), await stockOf(), await stockOf(SLEEVE)]).toEqual([40_00, 51, 51]);
    expect([await countUnsent(shop.db, product!.id), await statusOf(id)]).toEqual([before, "shipped"]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-changed", "order-shipped", "refund-issued"]);
    const written = await writtenOf(id);
    expect(written["refund-issued"]?.text).toContain("for 1 x charging-dock ($40.00) and 1 x travel-sleeve ($40.00).");
    expect(written["order-changed"]?.text).toMatch(
      /removed 1 x charging-dock and 1 x travel-sleeve[\s\S]*We’ll refund the \$80\.00 you paid for it[\s\S]*Total: \$40\.00/,
    );
  });
});

it("a delay past the end of the authorization needs a confirmation, and the email says so", async () => {
  const [{ id }, soon] = [await paidOrder(), await paidOrder()];
  await query("UPDATE payments SET capture_before = now() + interval '4 days'");
  expect(await delayOrder(shop.db, id, inDays(20), by)).toEqual({ ok: false, reason: "hold-ends" });
  expect(await delayOrder(shop.db, id, inDays(20), by, { paysAgain: true })).toMatchObject({ ok: true });
  expect(await delayOrder(shop.db, soon.id, inDays(3), by)).toMatchObject({ ok: true });
  expect((await emailOf(id)).text).toContain(`Your bank holds the amount only until ${dayText(inDays(4))}`);
  expect((await emailOf(soon.id)).text).not.toContain("pay again");
});

describe("a refund", () => {
  it("is emailed once done, limited to what was captured; one that fails at once alerts staff only", async () => {
    const { id, totalCents } = await paidOrder();
    expect(await refund(id, 1_00)).toMatchObject({ ok: false, reason: "nothing-paid" });
    await ship(id);
    for (const cents of [0, -1, 0.5, Number.NaN])
      expect(await refund(id, cents)).toEqual({ ok: false, reason: "amount" });
    expect(await refund(id, 24_00)).toEqual({ ok: true, state: "done" });
    expect([bank.sum(), await typesOf(id)]).toEqual([totalCents - 24_00, ["shipped", "refunded"]]);
    expect(await refund(id, totalCents)).toMatchObject({ ok: false, reason: "too-much" });
    bank.faults = ["refuse"];
    expect(await refund(id, 1_00)).toEqual({ ok: true, state: "failed" });
    expect(await mailsOf(id)).toEqual(["order-shipped", "refund-issued", "payment-alert"]);
  });

  it("of items gives each unit back once, by two tabs at once, too, and only for the sum that was seen", async () => {
    const { id, lines } = await paidOrder({ [DOCK]: 3 });
    await ship(id);
    const docks = (units: number, cents = units * 40_00) => refund(id, cents, { [lines[DOCK]!]: units });
    expect(await docks(1, 39_99)).toEqual({ ok: false, reason: "sum", cents: 40_00 });
    const both = await Promise.all([docks(2), docks(2)]);
    expect(both).toContainEqual({ ok: true, state: "done" });
    expect(both).toContainEqual({ ok: false, reason: "refunded-units", name: DOCK, unitsLeft: 1 });
    expect([await docks(1), bank.sum()]).toEqual([{ ok: true, state: "done" }, 0]);
  });

  it.each<[string, number[], boolean, number]>([
    ["in two parts", [14_00, 10_00], false, 24_00],
    ["and the shop's own is made nonetheless", [24_00], true, 48_00],
  ])("that a colleague makes in the dashboard meanwhile counts once: %s", async (_name, made, isLost, cents) => {
    const { id, reference } = await paidOrder();
    await ship(id);
    bank.faults = ["silent"];
    expect(await refund(id, 24_00)).toEqual({ ok: true, state: "waiting" });
    const { refunds } = bank.payments.get(reference)!;
    const actions = () =>
      query<{ id: string; state: string }>(
        "SELECT a.id, a.state FROM payment_actions a JOIN payments p ON p.id = payment_id WHERE order_id = $1 AND a.kind = 'refund'",
        [id],
      );
    const [own] = await actions();
    for (const part of made) refunds.push({ reference: `${id} ${part}`, actionId: null, cents: part, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    if (isLost) refunds.push({ reference: `${id} own`, actionId: own!.id, cents: 24_00, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    for (const action of await actions()) await runAction(shop.db, bank.providers, action.id);
    await reconcileOrder(shop.db, bank.providers, id);
    const books = checkOrder((await readFacts(shop.db, id))!);
    const sums = await query("SELECT sum(refunded)::int AS refunded FROM payments WHERE order_id = $1", [id]);
    const promised = await query("SELECT sum(cents)::int AS cents FROM refund_items WHERE order_id = $1", [id]);
    expect([books, sums, promised]).toEqual([[], [{ refunded: cents }], [{ cents }]]);
    expect(await mailsOf(id)).not.toContain("payment-alert");
  });
});

describe("a refund that fails at the bank later", () => {
  const fail = async ({ id, reference }: { id: string; reference: string }) => {
    bank.failRefunds(reference);
    await reconcileOrder(shop.db, bank.providers, id);
  };
  const isProblem = async (id: string) =>
    (await listOrderPage(shop.db, { view: "problems" })).orders.some((order) => order.id === id);

  it("is a payment problem that the customer is told, until staff mark it as resolved", async () => {
    const order = await paidOrder();
    const { id } = order;
    await ship(id);
    await refund(id, 24_00);
    await fail(order);
    expect([await isProblem(id), (await mailsOf(id)).slice(-2).toSorted()]).toEqual([
      true,
      ["payment-alert", "refund-failed"],
    ]);
    const written = await writtenOf(id);
    expect(written["refund-failed"]?.text).toContain("$24.00");
    expect(written["payment-alert"]?.text).toContain(`Open the order: ${emailShop.baseUrl}/admin/orders/${id}`);
    const resolved = { refundId: await refundOf(id), text: "Sent a check" };
    expect(await resolveRefund(shop.db, id, resolved, staff)).toEqual({ ok: true, repeated: false });
    expect(await resolveRefund(shop.db, id, resolved, staff)).toEqual({ ok: true, repeated: true });
    expect([await isProblem(id), (await stepsOf(id)).at(-1)]).toEqual([false, "refunded by staff"]);
    expect(await query("SELECT kind, text FROM order_notes WHERE order_id = $1", [id])).toEqual([
      { kind: "refund", text: "Sent a check" },
    ]);
    expect((await emailOf(id, "refund-issued")).text).toMatch(
      /we’ve refunded \$24\.00[\s\S]*so we’ve sent it another way\./i,
    );
  });

  it.each([
    ["is sent again", 0],
    ["is read, because its key is over", 25],
  ])("or before it %s, is told too, and tried again by staff", async (_what, hours) => {
    const { id, reference, totalCents } = await paidOrder();
    await ship(id);
    bank.faults = ["lost"];
    expect(await refund(id, 24_00)).toEqual({ ok: true, state: "waiting" });
    bank.failRefunds(reference);
    await query(
      `UPDATE payment_actions SET sent_at = now() - $2 * interval '1 hour' FROM payments
       WHERE payments.id = payment_id AND order_id = $1 AND payment_actions.kind = 'refund'`,
      [id, hours],
    );
    await runActions(bank.providers);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "payment-alert", "refund-failed"]);
    const again = await retryRefund(shop.db, bank.providers, id, { refundId: await refundOf(id) }, by);
    expect([again, bank.sum()]).toEqual([{ ok: true, state: "done" }, totalCents - 24_00]);
  });
});

describe("recording a payment", () => {
  const record = (id: string, more = {}) => recordPayment(shop.db, id, { ...check, cents: 89_99, ...more }, staff);
  const recordFirst = async (id: string, cents: number) =>
    recordSent(shop.db, id, { refundId: await refundOf(id), cents, isVerified: true }, staff);
  const placed = async () => (await placedOrder(shop.db, { [DOCK]: 2 })).id;
  const viewsOf = async (id: string) => {
    const listed = async (view: ViewName) => (await listOrderPage(shop.db, { view, search: id.slice(0, 8) })).orders;
    const views: ViewName[] = ["arrange", "to-ship", "refund-due"];
    const found = await Promise.all(views.map(listed));
    return views.filter((_, i) => found[i]!.length > 0);
  };

  it("captures what the order charges, once, however often it is sent, and the order is to ship", async () => {
    const id = await placed();
    expect([await viewsOf(id), await ship(id, ups(), null)]).toMatchObject([["arrange"], { reason: "not-paid" }]);
    expect(await record(id, { cents: 1 })).toEqual({ ok: false, reason: "meanwhile" });
    const results = await Promise.all(Array.from({ length: 4 }, () => record(id)));
    expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true, true, true]);
    expect(
      await query("SELECT provider, state, captured, arrangement FROM payments WHERE order_id = $1", [id]),
    ).toEqual([{ provider: "manual", state: "captured", captured: 89_99, arrangement: check }]);
    expect(await query("SELECT actor, data FROM order_events WHERE order_id = $1", [id])).toEqual([
      { actor: "staff", data: { how: "check", cents: 89_99 } },
    ]);
    expect(await query("SELECT after FROM audit_log WHERE subject = $1", [`order:${id}`])).toEqual([
      { after: { how: "check", cents: 89_99 } },
    ]);
    expect([await record(id, { how: "other" }), await viewsOf(id)]).toEqual([
      { ok: false, reason: "paid" },
      ["to-ship"],
    ]);
    expect(await ship(id, ups(), null)).toMatchObject({ ok: true, state: "shipped" });
    expect(await mailsOf(id)).toEqual(["payment-received", "order-shipped"]);
    const written = await writtenOf(id);
    expect(written["payment-received"]?.text).toContain(`received ${formatMoney(89_99)} for your order`);
    expect(written["order-shipped"]?.text).toContain("You paid $89.99.");
  });

  it("its refunds are owed until they are recorded, never above what was paid", async () => {
    const { id } = await placedOrder(shop.db, { [DOCK]: 2 }, { isArranged: true });
    await ship(id, ups(), null);
    const refunds = await Promise.all([refund(id, 60_00), refund(id, 60_00)]);
    expect(refunds).toContainEqual({ ok: true, state: "owed", byHandCents: 60_00 });
    expect(refunds).toContainEqual({ ok: false, reason: "too-much", leftCents: 29_99 });
    expect([await viewsOf(id), await mailsOf(id)]).toEqual([["refund-due"], ["order-shipped"]]);
    await set(id, "attention = '{refund-owed, disputed}'");
    expect(await viewsOf(id)).toEqual([]);
    expect(await recordFirst(id, 59_99)).toEqual({ ok: false, reason: "meanwhile" });
    const recorded = await Promise.all([recordFirst(id, 60_00), recordFirst(id, 60_00)]);
    expect(recorded).toEqual(expect.arrayContaining([false, true].map((repeated) => ({ ok: true, repeated }))));
    expect(await query("SELECT refunded FROM payments WHERE order_id = $1", [id])).toEqual([{ refunded: 60_00 }]);
    expect([await viewsOf(id), (await typesOf(id)).at(-1), (await mailsOf(id)).at(-1)]).toEqual([
      [],
      "refunded",
      "refund-issued",
    ]);
  });

  it("once all of it was refunded, nothing is to pack", async () => {
    const { id, lines, totalCents } = await placedOrder(shop.db, { [DOCK]: 2 }, { isArranged: true });
    await ship(id, ups({ [lines[DOCK]!]: 1 }), null);
    await refund(id, totalCents);
    await recordFirst(id, totalCents);
    expect([await viewsOf(id), await ship(id, ups(), null)]).toMatchObject([[], { reason: "to-cancel" }]);
    expect(await listSlips(shop.db, [id])).toMatchObject([{ stop: null, lines: [] }]);
    expect((await listOrderPage(shop.db, { search: id.slice(0, 8) })).orders).toMatchObject([{ contents: [] }]);
  });

  it("its emails speak of no card, and of no refund before it is recorded", async () => {
    const { id, lines } = await placedOrder(shop.db, { [DOCK]: 2 }, { isArranged: true });
    const dock = lines[DOCK]!;
    await undo(id, await ship(id, ups({ [dock]: 1 }), null));
    expect(await cancel(id, { [dock]: 1 })).toMatchObject({
      refund: { cents: 40_00, state: "owed", byHandCents: 40_00 },
    });
    await recordFirst(id, 40_00);
    const written = await writtenOf(id);
    expect(written["shipment-undone"]?.text).toContain("You paid $40.00 for these items. You won’t pay again");
    expect(written["refund-issued"]?.text).toMatch(/refunded \$40\.00[\s\S]*the same way you paid/);
    expect(written["order-changed"]?.text).toContain("We’ll refund the $40.00 you paid for it");
    for (const email of Object.values(written)) expect(email?.text).not.toMatch(/charge(d| you)|payment method/);
  });

  it("a canceled order stays listed until its refund is recorded", async () => {
    const { id, totalCents } = await placedOrder(shop.db, { [DOCK]: 2 }, { isArranged: true });
    await cancelByStaff(shop.db, id, by);
    const paid = formatMoney(totalCents);
    expect(await viewsOf(id)).toEqual(["refund-due"]);
    expect((await emailOf(id)).text).toContain(`We’ll refund the ${paid} you paid`);
    expect(await recordFirst(id, totalCents)).toEqual({ ok: true, repeated: false });
    expect(await viewsOf(id)).toEqual([]);
    expect((await emailOf(id, "order-canceled")).text).toContain(`We’ve refunded the ${paid} you paid`);
  });
});

it("asking for payment emails the link of an unpaid order, which does not ship unpaid, and refuses a paid one", async () => {
  const { id } = await placedOrder(shop.db, { [DOCK]: 1 });
  expect(await askForPayment(shop.db, null, id, by)).toEqual({ ok: false, reason: "provider" });
  expect(await askForPayment(shop.db, bank.providers, id, by)).toEqual({ ok: true, repeated: false });
  expect(await askForPayment(shop.db, bank.providers, id, by)).toEqual({ ok: true, repeated: true });
  expect([await typesOf(id), await mailsOf(id)]).toEqual([["payment-requested"], ["payment-request"]]);
  expect(await ship(id)).toEqual({ ok: false, reason: "not-paid" });
  const paid = await paidOrder();
  expect(await askForPayment(shop.db, bank.providers, paid.id, by)).toEqual({ ok: false, reason: "paid" });
});

describe("canceling and declining", () => {
  it.each([
    ["canceled", "order-canceled", (id: string) => cancelByStaff(shop.db, id, by)],
    ["declined", "order-declined", (id: string) => declineByStaff(shop.db, id, "sold-out", by)],
  ] as const)("%s: stock returns, the payment is voided, and one email is sent", async (status, template, act) => {
    const { id, reference } = await paidOrder();
    expect([await act(id), await act(id)]).toMatchObject([{ ok: true, repeated: false }, { repeated: true }]);
    await runActions(bank.providers);
    expect(bank.payments.get(reference)?.isVoided).toBe(true);
    expect([await statusOf(id), await stockOf()]).toEqual([status, 52]);
    expect([await typesOf(id), await mailsOf(id)]).toEqual([[status, "payment-voided"], [template]]);
    expect((await emailOf(id)).text).toContain("Nothing was charged. Your bank will release the authorization");
    expect(await ship(id)).toEqual({ ok: false, reason: "status", status });
  });

  it("captured and refunded in part by the provider meanwhile, the rest is refunded", async () => {
    const { id, reference, totalCents } = await paidOrder();
    await cancelByStaff(shop.db, id, by);
    const payment = bank.payments.get(reference)!;
    payment.captured = totalCents;
    payment.refunds.push({ reference: `refund of ${id}`, actionId: null, cents: 50_00, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    await runActions(bank.providers);
    expect(bank.sum()).toBe(0);
  });

  it("a concurrent cancel and shipment: exactly one wins, whatever the provider answers", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await setUnits(shop.pool, DOCK, 50);
      const { id, reference, totalCents } = await paidOrder();
      bank.faults = round % 3 === 0 ? ["lost"] : [];
      const acts = [() => ship(id), () => cancelByStaff(shop.db, id, by)];
      await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()));
      await runActions(bank.providers);
      const status = await statusOf(id);
      const isShipped = status === "shipped";
      expect(["shipped", "canceled"]).toContain(status);
      expect(bank.payments.get(reference)).toMatchObject({
        captured: isShipped ? totalCents : 0,
        isVoided: !isShipped,
      });
      expect([await stockOf(), await mailsOf(id)]).toEqual(
        isShipped ? [50, ["order-shipped"]] : [52, ["order-canceled"]],
      );
      if (!isShipped) expect(await shipmentsOf(id)).toEqual([]);
    }
  });
});

describe("the emails", () => {
  it("link to the order, state the facts, and name no unverified customer; without its address there are none", async () => {
    const { id, lines } = await paidOrder({ [DOCK]: 3, [SLEEVE]: 1 });
    await cancel(id, { [lines[SLEEVE]!]: 0 });
    await delayOrder(shop.db, id, inDays(20), by);
    const first = ups({ [lines[DOCK]!]: 1 });
    await ship(id, first);
    await ship(id);
    await deliver(id);
    await refund(id, 12_34);
    const written = await writtenOf(id);
    for (const [template, email] of Object.entries(written)) {
      expect(email?.to, template).toBe(`${id}@example.com`);
      expect(email?.text, template).toContain(orderUrl({ id, linkVersion: 1 }, emailShop));
      expect(`${email?.text}${email?.html}`, template).not.toMatch(/Ada|Lovelace|Analytical/);
    }
    const words: Record<string, (string | RegExp)[]> = {
      "order-shipped": [
        `tracknum=${first.trackingNumber}`,
        "The rest will follow",
        "We charged $120.00 to your Visa ending in 4242.",
      ],
      "parcel-shipped": ["2 x charging-dock  $80.00", "complete"],
      "order-changed": ["Total: $120.00"],
      "order-delayed": [dayText(inDays(20)), /&intent=keep[\s\S]*&intent=cancel/],
      "order-delivered": [`until ${dayText(lastReturnDay(new Date(), FIRST_SETTINGS.returns))}`],
      "refund-issued": [/\$12\.34[\s\S]*damaged[\s\S]*3-5 days/],
    };
    expect(Object.keys(written).toSorted()).toEqual(Object.keys(words).toSorted());
    for (const [template, said] of Object.entries(words))
      for (const each of said)
        expect(written[template]?.text, template)[typeof each === "string" ? "toContain" : "toMatch"](each as string);
    await shop.db.update(orders).set({ email: "" });
    expect(Object.values(await writtenOf(id))).toEqual(Object.keys(words).map(() => null));
  });

  const BOWL = "polara-classic-frost-white";
  it.each<[string, asks: boolean, days?: number, isCanceled?: boolean]>([
    [BOWL, true],
    ["lid-gasket-set", true],
    [DOCK, false],
    [BOWL, true, 30],
    [BOWL, false, 31],
    [BOWL, false, 0, true],
  ])("ask to register %s: %s, %i days after the purchase", async (slug, asks, days = 0, isCanceled = false) => {
    const { id, lines } = await paidOrder({ [slug]: 1, [SLEEVE]: 1 });
    await query("UPDATE orders SET created_at = $2 WHERE id = $1", [id, new Date(`${inDays(-days)}T17:00:00Z`)]);
    if (isCanceled) await cancel(id, { [lines[slug]!]: 0 });
    await ship(id);
    await deliver(id);
    const email = await emailOf(id, "order-delivered");
    expect(/register/i.test(`${email.text}${email.html}`)).toBe(asks);
  });

  it.each([
    ["nothing", 0, FIRST_SETTINGS.returns.returnDays, true],
    ["nothing", 0, FIRST_SETTINGS.returns.returnDays + 1, false],
    ["a part", 1, 0, true],
    ["everything", 2, 0, false],
  ])(
    "of a delivery hope for nothing once %s is refunded, and name no day to return it %#",
    async (_what, units, days, names) => {
      const { id, lines } = await paidOrder({ [DOCK]: 2 });
      await ship(id);
      const all = units === 2;
      if (units > 0) expect(await refund(id, units * 40_00, { [lines[DOCK]!]: units })).toMatchObject({ ok: true });
      await deliver(id);
      const at = new Date(`${inDays(-days)}T17:00:00Z`);
      await query("UPDATE shipments SET delivered_at = $2 WHERE order_id = $1", [id, at]);
      const { text } = await emailOf(id, "order-delivered");
      const said = ["You can return it until", "We hope you like it.", "We’ve refunded it."];
      expect(said.map((words) => text.includes(words))).toEqual([names, !all, all]);
    },
  );

  it.each([
    ["refused", 0, "Once we have it back, we’ll refund what you paid"],
    ["refused", 40_00, "Once we have it back, we’ll refund what you paid"],
    ["refused", 120_00, "Would you like to have these items sent again?"],
    ["lost", 0, "you won’t pay for them twice"],
    ["lost", 40_00, "you won’t pay for them twice"],
    ["lost", 120_00, "Would you like to have these items sent again?"],
  ] as const)("of a parcel that is %s, after a refund of %i cents", async (state, cents, words) => {
    const { id, lines } = await paidOrder();
    const sent = await ship(id);
    const isPart = cents === 40_00;
    if (cents > 0) await refund(id, cents, { [lines[DOCK]!]: isPart ? 0 : 2, [lines[SLEEVE]!]: 1 });
    await recordTracking(shop.db, id, sent.ok ? sent.shipmentId : "", { state, at: new Date() });
    const { text } = await emailOf(id, `parcel-${state}`);
    expect([words, "refund", SLEEVE].map((each) => text.includes(each))).toEqual([true, cents < 120_00, !isPart]);
  });

  it.each([true, false])("about a new order are no acceptance of it, paid or not: %s", async (isAuthorized) => {
    const { id } = await placedOrder(shop.db, { [SLEEVE]: 1 }, { isAuthorized });
    const email = await emails["order-confirmation"].write(shop.db, { orderId: id }, emailShop);
    expect(email?.text).toContain("This email confirms that we received your order. We accept it when we ship it.");
    expect(email?.text.includes("should arrive")).toBe(isAuthorized);
  });

  it.each(Object.keys(DECLINE_REASONS) as DeclineReason[])(
    "of a declined order give the reason '%s' alone",
    async (reason) => {
      const { id } = await placedOrder(shop.db, { [SLEEVE]: 1 });
      await declineByStaff(shop.db, id, reason, by);
      const { subject, text } = await emailOf(id);
      expect(text).toContain(DECLINE_REASONS[reason]);
      expect(`${subject} ${text}`.replace(DECLINE_REASONS[reason], "")).not.toMatch(/deliver/i);
    },
  );
});
