import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { emails } from "#shop/emails.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import type { Email, EmailJob } from "#shop/mail/email.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
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
import { cancelItems, cancelRest } from "./cancel-items.server.ts";
import { askForPayment, cancelByBuyer, cancelByStaff, declineByStaff, markDelivered } from "./fulfill.server.ts";
import { getOrderDetails, listOrderPage } from "./order-list.server.ts";
import { recordTracking } from "./parcels-on-the-way.server.ts";
import { check as checkOrder } from "#shop/orders/check.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { recordPayment } from "./record-payment.server.ts";
import type { ViewName } from "./views.ts";
import { countUnsent, listSlips } from "./shipments.server.ts";
import { recordSent, refundOrder, resolveRefund, retryRefund } from "./refund.server.ts";
import { shipOrder, type Parcel, type ShipResult } from "./ship.server.ts";

const shop = useFreshDatabase();
let bank: MemoryProvider;

beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of ["charging-dock", "travel-sleeve"]) await setUnits(shop.pool, slug, 50);
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const statusOf = async (id: string) =>
  (await query<{ status: OrderStatus }>("SELECT status FROM orders WHERE id = $1", [id]))[0]?.status;
const eventsOf = (id: string) =>
  query<{ type: string; actor: string }>("SELECT type, actor FROM order_events WHERE order_id = $1 ORDER BY id", [id]);
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
const mailsOf = async (id: string) =>
  (
    await query<{ template: string }>(
      "SELECT data->>'template' AS template FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1 ORDER BY created_on, id",
      [id],
    )
  ).map(({ template }) => template);
const shipmentsOf = (id: string) =>
  query<{ state: string }>("SELECT state FROM shipments WHERE order_id = $1 ORDER BY created_at, id", [id]);

let numbers = 0;
const ups = (units?: Record<string, number>): Parcel => ({
  carrier: "ups",
  trackingNumber: `1Z999AA1${String(++numbers).padStart(10, "0")}`,
  ...(units && { units }),
});
const ship = (id: string, parcel = ups()) => shipOrder(shop.db, bank.providers, id, parcel, by);
const by = null;
const check = { how: "check", reference: "1042" } as const;
const staff: Acting = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null };
const inDays = (days: number) => daysAfter(newYorkDay(new Date()), days);

/** Tries the first refund of an order again. */
async function retryFirst(id: string) {
  const [refund] = await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1 ORDER BY created_at", [id]);
  return retryRefund(shop.db, bank.providers, id, { refundId: refund!.id }, by);
}

/** Records that staff have sent the first refund of an order themselves. */
async function recordFirst(id: string, cents: number) {
  const [refund] = await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1 ORDER BY created_at", [id]);
  return recordSent(shop.db, id, { refundId: refund!.id, cents, isVerified: true }, staff);
}

async function paidOrder(units: Record<string, number> = { "charging-dock": 2, "travel-sleeve": 1 }) {
  const order = await placedOrder(shop.db, units, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  return order;
}

describe("shipping", () => {
  it("captures the payment, ships, accepts and emails", async () => {
    const { id, reference, totalCents } = await paidOrder();
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped", repeated: false });
    expect(bank.payments.get(reference)?.captured).toBe(totalCents);
    expect(await query("SELECT status, accepted_at IS NOT NULL AS accepted FROM orders WHERE id = $1", [id])).toEqual([
      { status: "shipped", accepted: true },
    ]);
    expect(await eventsOf(id)).toEqual([{ type: "shipped", actor: "staff" }]);
    expect(await mailsOf(id)).toEqual(["order-shipped"]);
  });

  it("ships an order placed without a provider once its payment is recorded", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
    expect(await shipOrder(shop.db, null, id, ups(), by)).toEqual({ ok: false, reason: "not-paid" });
    await recordPayment(shop.db, id, { ...check, cents: 49_99 }, by);
    expect(await shipOrder(shop.db, null, id, ups(), by)).toMatchObject({ ok: true, state: "shipped" });
    expect([await statusOf(id), await mailsOf(id)]).toEqual(["shipped", ["payment-received", "order-shipped"]]);
    expect((await writtenOf(id))["order-shipped"]?.text).toContain("You paid $49.99.");
  });

  it("the first of several parcels captures all, and no unit ships twice", async () => {
    const { id, lines, reference, totalCents } = await paidOrder();
    const dock = lines["charging-dock"]!;
    expect(await ship(id, ups({ [dock]: 1 }))).toMatchObject({ ok: true });
    expect(bank.payments.get(reference)?.captured).toBe(totalCents);
    expect(await ship(id, ups({ [dock]: 2 }))).toEqual({
      ok: false,
      reason: "units",
      name: "charging-dock",
      unitsLeft: 1,
    });
    expect(await ship(id, ups({ [dock]: 0 }))).toEqual({ ok: false, reason: "nothing-chosen" });
    expect(await markDelivered(shop.db, id, by)).toEqual({ ok: false, reason: "units-left" });
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped" });
    for (const parcel of [ups(), ups({ [dock]: 1 })])
      expect(await ship(id, parcel)).toEqual({ ok: false, reason: "nothing-left" });
    expect(await typesOf(id)).toEqual(["shipped", "parcel-shipped"]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "parcel-shipped"]);
    expect(bank.calls).toBe(1);
  });

  it("refuses an invalid tracking number and an unknown order", async () => {
    const { id } = await paidOrder();
    expect(await ship(id, { carrier: "ups", trackingNumber: "12345" })).toEqual({
      ok: false,
      reason: "tracking-number",
    });
    expect(await ship(randomUUID())).toEqual({ ok: false, reason: "not-found" });
    expect(await shipmentsOf(id)).toEqual([]);
  });

  it("a failed capture ships nothing, then or later, and emails a payment link", async () => {
    const { id } = await paidOrder();
    bank.faults = ["refuse"];
    const parcel = ups();
    expect(await ship(id, parcel)).toEqual({ ok: false, reason: "capture-failed" });
    expect(await statusOf(id)).toBe("processing");
    expect(await shipmentsOf(id)).toEqual([{ state: "failed" }]);
    expect(await eventsOf(id)).toEqual([{ type: "capture-failed", actor: "provider" }]);
    expect(await mailsOf(id)).toEqual(["payment-request"]);
    expect(await ship(id, parcel)).toEqual({ ok: false, reason: "not-paid" });
    expect(await ship(id)).toEqual({ ok: false, reason: "not-paid" });
    expect(await shipOrder(shop.db, null, id, ups(), by)).toEqual({ ok: false, reason: "not-paid" });
    expect([await statusOf(id), bank.sum()]).toEqual(["processing", 0]);
  });

  it.each(["silent", "lost"] as const)(
    "a missing answer (%s) leaves the parcel waiting until a repeat",
    async (fault) => {
      const { id, totalCents } = await paidOrder();
      bank.faults = [fault];
      const parcel = ups();
      expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "waiting" });
      expect([await statusOf(id), await mailsOf(id)]).toEqual(["processing", []]);
      expect(await ship(id)).toEqual({ ok: false, reason: "under-way" });
      expect(await cancel(id, await lineOf(id, 0))).toEqual({ ok: false, reason: "under-way" });
      expect(await delayOrder(shop.db, id, inDays(20), by)).toEqual({ ok: false, reason: "under-way" });
      expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "shipped", repeated: true });
      expect([bank.sum(), await typesOf(id), await mailsOf(id)]).toEqual([totalCents, ["shipped"], ["order-shipped"]]);
    },
  );

  it("the same parcel submitted 4 times at once ships once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, totalCents, reference } = await paidOrder();
      const parcel = ups();
      const results = await Promise.all(Array.from({ length: 4 }, () => ship(id, parcel)));
      expect(results.every(({ ok }) => ok)).toBe(true);
      expect(results.filter((result) => result.ok && !result.repeated)).toHaveLength(1);
      expect(await shipmentsOf(id)).toEqual([{ state: "shipped" }]);
      expect(bank.payments.get(reference)?.captured).toBe(totalCents);
      expect([await typesOf(id), await mailsOf(id)]).toEqual([["shipped"], ["order-shipped"]]);
    }
  });

  it("two concurrent parcels of all units: one ships, the other is refused", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await paidOrder();
      const results: ShipResult[] = await Promise.all([ship(id), ship(id)]);
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      const refused = results.find(({ ok }) => !ok);
      expect(refused && !refused.ok && refused.reason).toMatch(/^(under-way|nothing-left)$/);
      expect(await shipmentsOf(id)).toEqual([{ state: "shipped" }]);
      expect(await mailsOf(id)).toEqual(["order-shipped"]);
    }
  });

  it("two concurrent parcels of the last units: one ships, 20 times", async () => {
    const { id, lines } = await placedOrder(
      shop.db,
      { "charging-dock": 10, "travel-sleeve": 10 },
      { isArranged: true },
    );
    const one = (slug: string) => ups({ [lines[slug]!]: 1 });
    await shipOrder(shop.db, null, id, one("charging-dock"), by);
    for (const slug of Object.keys(lines)) {
      for (let left = slug === "charging-dock" ? 9 : 10; left > 0; left--) {
        const most = ups({ [lines[slug]!]: left });
        const both = await Promise.all([ship(id, one(slug)), ship(id, most)]);
        expect(both.filter(({ ok }) => ok)).toHaveLength(1);
        if (both[1]!.ok) break;
      }
    }
    expect(await ship(id)).toEqual({ ok: false, reason: "nothing-left" });
  });
});

describe("correcting a tracking number", () => {
  const correct = (id: string, shipmentId: string, parcel: Parcel = ups()) =>
    correctTracking(shop.db, id, shipmentId, parcel, by);
  const shipped = async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    const parcel = ups();
    const result = await shipOrder(shop.db, null, id, parcel, by);
    return { id, parcel, shipmentId: result.ok ? result.shipmentId : "" };
  };

  it("changes number and carrier, and emails the new link once", async () => {
    const { id, parcel, shipmentId } = await shipped();
    const right = { carrier: "fedex", trackingNumber: "9865-7878-8855" } as const;
    const results = await Promise.all([correct(id, shipmentId, right), correct(id, shipmentId, right)]);
    expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
    expect(await query("SELECT carrier, tracking_number FROM shipments WHERE order_id = $1", [id])).toEqual([
      { carrier: "fedex", tracking_number: "986578788855" },
    ]);
    expect(await eventsOf(id)).toMatchObject([{ type: "shipped" }, { type: "tracking-corrected", actor: "staff" }]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "tracking-corrected"]);
    const { text } = (await writtenOf(id))["tracking-corrected"]!;
    expect(text).toContain("trknbr=986578788855");
    expect(text).not.toContain(parcel.trackingNumber);
    expect(await query("SELECT before, after FROM audit_log WHERE action = 'order.tracking'")).toEqual([
      {
        before: { carrier: "ups", trackingNumber: `•••${parcel.trackingNumber.slice(-4)}` },
        after: { shipmentId, carrier: "fedex", trackingNumber: "•••8855" },
      },
    ]);
  });

  it("is refused for an invalid number, another order's shipment, a waiting and a delivered one", async () => {
    const { id, shipmentId } = await shipped();
    const other = await shipped();
    expect(await correct(id, shipmentId, { carrier: "ups", trackingNumber: "986578788855" })).toEqual({
      ok: false,
      reason: "tracking-number",
    });
    expect(await correct(id, other.shipmentId)).toEqual({ ok: false, reason: "unknown-shipment" });
    await markDelivered(shop.db, id, by);
    expect(await correct(id, shipmentId)).toEqual({ ok: false, reason: "not-in-transit" });
    const waiting = await paidOrder();
    bank.faults = ["silent"];
    const result = await ship(waiting.id);
    expect(await correct(waiting.id, result.ok ? result.shipmentId : "")).toEqual({ ok: false, reason: "under-way" });
    expect((await mailsOf(id)).toSorted()).toEqual(["order-delivered", "order-shipped"]);
  });
});

describe("undoing a shipment", () => {
  const undo = (id: string, { ok, ...result }: ShipResult) =>
    undoShipment(shop.db, id, ok && "shipmentId" in result ? result.shipmentId : "", by);
  const restOf = async (id: string) =>
    (await query<{ rest: boolean }>("SELECT stage = 'partly-shipped' AS rest FROM orders WHERE id = $1", [id]))[0]
      ?.rest;

  it("the whole order is to ship again, stays charged, and ships again without a second charge", async () => {
    const { id, reference, totalCents } = await paidOrder();
    const parcel = ups();
    const shipped = await ship(id, parcel);
    expect(await undo(id, shipped)).toEqual({ ok: true, repeated: false });
    expect(await undo(id, shipped)).toEqual({ ok: true, repeated: true });
    expect([await statusOf(id), await restOf(id), await shipmentsOf(id)]).toEqual([
      "processing",
      false,
      [{ state: "failed" }],
    ]);
    expect(bank.payments.get(reference)).toMatchObject({ captured: totalCents, refunds: [] });
    expect(await unitsOf(shop.pool, "charging-dock")).toBe(50);
    const { text } = (await writtenOf(id))["shipment-undone"]!;
    expect(text).toContain("still with us");
    expect(text).toMatch(/You paid \$120\.00 for these items\.\s+You won’t pay again/);
    // A part was refunded for the wait.
    await refundOrder(shop.db, bank.providers, id, { cents: 5_00, reason: "late" }, by);
    // The label may have the same number.
    expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "shipped", repeated: false });
    expect([await statusOf(id), bank.payments.get(reference)?.captured]).toEqual(["shipped", totalCents]);
    expect(await typesOf(id)).toEqual(["shipped", "shipment-undone", "refunded", "shipped"]);
    expect((await mailsOf(id)).toSorted()).toEqual([
      "order-shipped",
      "order-shipped",
      "refund-issued",
      "shipment-undone",
    ]);
  });

  it("of one parcel of several, its units are the rest", async () => {
    const { id, lines } = await paidOrder();
    const first = await ship(id, ups({ [lines["charging-dock"]!]: 1 }));
    const second = await ship(id);
    expect(await undo(id, second)).toEqual({ ok: true, repeated: false });
    expect([await statusOf(id), await restOf(id)]).toEqual(["shipped", true]);
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped" });
    expect(await undo(id, first)).toEqual({ ok: true, repeated: false });
    expect([await statusOf(id), await restOf(id)]).toEqual(["shipped", true]);
    expect(await typesOf(id)).toEqual([
      "shipped",
      "parcel-shipped",
      "parcel-undone",
      "parcel-shipped",
      "parcel-undone",
    ]);
    expect(bank.calls).toBe(1);
  });

  it("then canceled, everything is refunded and returns to stock; it can no longer be declined", async () => {
    const { id } = await paidOrder();
    await undo(id, await ship(id));
    expect(await declineByStaff(shop.db, id, "price", by)).toEqual({ ok: false, reason: "accepted" });
    expect(await cancelByStaff(shop.db, id, by)).toEqual({ ok: true, repeated: false });
    await runActions();
    expect([bank.sum(), await unitsOf(shop.pool, "charging-dock")]).toEqual([0, 52]);
    expect((await writtenOf(id))["order-canceled"]?.text).toContain("We’ve refunded the $120.00 you paid.");
  });

  it("then canceled while the outcome of a refund is recorded, the rest is refunded", async () => {
    const { id } = await paidOrder();
    await undo(id, await ship(id));
    bank.faults = ["lost"];
    await refundOrder(shop.db, bank.providers, id, { cents: 50_00, reason: "late" }, by);
    await reconcileOrder(shop.db, bank.providers, id);
    await cancelByStaff(shop.db, id, by);
    await runActions();
    expect(bank.sum()).toBe(0);
  });

  it("twice at once undoes once; against a delivery or a refund one wins", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await paidOrder();
      const shipped = await ship(id);
      const refund = () => refundOrder(shop.db, bank.providers, id, { cents: 1_00, reason: "lost" }, by);
      const rival = round % 2 ? refund : () => markDelivered(shop.db, id, by);
      const acts = [() => undo(id, shipped), () => undo(id, shipped), rival];
      await Promise.all((round % 4 < 2 ? acts : acts.toReversed()).map((act) => act()));
      const types = (await typesOf(id)).filter((type) => type === "shipment-undone");
      const status = await statusOf(id);
      expect(types).toHaveLength(status === "processing" ? 1 : 0);
      expect((await mailsOf(id)).filter((template) => template === "shipment-undone")).toEqual(types);
    }
  });
});

type Canceled = Parameters<typeof cancelItems>[3];

const cancel = (id: string, items: Canceled) => cancelItems(shop.db, bank.providers, id, items, by);

/** A change of the first line: a dock. */
async function lineOf(id: string, keep: number): Promise<Canceled> {
  const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1 ORDER BY name", [id]);
  return { keep: { [line!.id]: keep }, returnsStock: true, reason: "sold-out" };
}

describe("canceling items", () => {
  it("lowers the charge, returns stock, and keeps the ordered total", async () => {
    const { id, totalCents, reference } = await paidOrder();
    const line = await lineOf(id, 1);
    expect(await cancel(id, line)).toEqual({ ok: true, repeated: false, refund: null });
    expect(await cancel(id, line)).toEqual({ ok: true, repeated: true, refund: null });
    expect(await unitsOf(shop.pool, "charging-dock")).toBe(51);
    expect(await query("SELECT total FROM orders WHERE id = $1", [id])).toEqual([{ total: totalCents }]);
    expect(await ship(id)).toMatchObject({ ok: true });
    // Free shipping at 120 dollars still applies to the remaining 80.
    expect([totalCents, bank.payments.get(reference)?.captured]).toEqual([120_00, 80_00]);
    expect(await typesOf(id)).toEqual(["line-canceled", "shipped"]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-changed", "order-shipped"]);
  });

  it("writes units off without returning stock", async () => {
    const { id } = await paidOrder();
    expect(await cancel(id, { ...(await lineOf(id, 0)), returnsStock: false })).toMatchObject({ ok: true });
    expect(await unitsOf(shop.pool, "charging-dock")).toBe(50);
    await cancelByStaff(shop.db, id, by);
    expect([await unitsOf(shop.pool, "charging-dock"), await unitsOf(shop.pool, "travel-sleeve")]).toEqual([50, 51]);
  });

  it("refuses impossible units, an unknown line and the last line", async () => {
    const { id } = await paidOrder({ "charging-dock": 2 });
    for (const keep of [3, -1, 0.5, Number.NaN])
      expect(await cancel(id, await lineOf(id, keep)), `${keep}`).toEqual({ ok: false, reason: "units" });
    const unknown = { ...(await lineOf(id, 0)), keep: { [randomUUID()]: 0 } };
    expect(await cancel(id, unknown)).toEqual({ ok: false, reason: "unknown-line" });
    expect(await cancel(id, await lineOf(id, 0))).toEqual({ ok: false, reason: "last-line" });
    expect([await typesOf(id), await mailsOf(id)]).toEqual([[], []]);
  });
});

describe("the rest of a partial order", () => {
  const partial = async () => {
    const order = await paidOrder();
    const dock = order.lines["charging-dock"]!;
    await ship(order.id, ups({ [dock]: 1 }));
    const keep = { [dock]: 1, [order.lines["travel-sleeve"]!]: 0 };
    return { ...order, rest: { keep, returnsStock: true, reason: "sold-out" } satisfies Canceled };
  };
  const orderOf = async (id: string) =>
    (
      await query(
        "SELECT stage = 'partly-shipped' AS rest, on_hold_since IS NOT NULL AS held, ship_by::text AS until FROM orders WHERE id = $1",
        [id],
      )
    )[0];

  it("is canceled: stock returns, what was charged for it is refunded, one email says so", async () => {
    const { id, rest } = await partial();
    const results = await Promise.all([cancel(id, rest), cancel(id, rest)]);
    expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
    expect(results).toContainEqual({ ok: true, repeated: false, refund: { cents: 80_00, state: "done" } });
    expect([bank.sum(), await unitsOf(shop.pool, "charging-dock"), await unitsOf(shop.pool, "travel-sleeve")]).toEqual([
      40_00, 51, 51,
    ]);
    expect([await statusOf(id), await orderOf(id)]).toMatchObject(["shipped", { rest: false }]);
    expect(await ship(id)).toEqual({ ok: false, reason: "nothing-left" });
    expect((await mailsOf(id)).toSorted()).toEqual(["order-changed", "order-shipped", "refund-issued"]);
    const written = await writtenOf(id);
    expect(written["refund-issued"]?.text).toContain("for 1 x charging-dock ($40.00) and 1 x travel-sleeve ($40.00).");
    const { text } = written["order-changed"]!;
    expect(text).toContain("removed 1 x charging-dock and 1 x travel-sleeve");
    expect(text).toContain("We’ll refund the $80.00 you paid for it");
    expect(text).toContain("Total: $40.00");
    expect(await markDelivered(shop.db, id, by)).toEqual({ ok: true, repeated: false });
  });

  it("keeps what has shipped, and its cancellation does not stop the parcel from being undone", async () => {
    const { id, rest, lines } = await partial();
    expect(await cancel(id, { ...rest, keep: { [lines["charging-dock"]!]: 0 } })).toEqual({
      ok: false,
      reason: "units",
      name: "charging-dock",
      unitsLeft: 1,
    });
    await cancel(id, rest);
    const [parcel] = await query<{ id: string }>("SELECT id FROM shipments WHERE order_id = $1", [id]);
    expect(await undoShipment(shop.db, id, parcel!.id, by)).toEqual({ ok: true, repeated: false });
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped" });
    expect(bank.sum()).toBe(40_00);
  });

  it("canceled and shipped at once: one wins", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, rest } = await partial();
      const before = bank.sum();
      const acts = [() => ship(id), () => cancel(id, rest)];
      const results = await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()));
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      const isShipped = (await shipmentsOf(id)).length === 2;
      expect(before - bank.sum()).toBe(isShipped ? 0 : 80_00);
      expect(await orderOf(id)).toMatchObject({ rest: false });
    }
  });

  it("counts as sold until it ships", async () => {
    const [dock] = await query<{ id: string }>("SELECT id FROM products WHERE slug = 'charging-dock'");
    const before = await countUnsent(shop.db, dock!.id);
    const { id } = await partial();
    expect((await countUnsent(shop.db, dock!.id)) - before).toBe(1);
    await ship(id);
    expect(await countUnsent(shop.db, dock!.id)).toBe(before);
  });

  it("is delayed, and the customer is told how to cancel it", async () => {
    const { id } = await partial();
    const until = inDays(20);
    expect(await delayOrder(shop.db, id, until, by)).toEqual({ ok: true, repeated: false });
    expect(await orderOf(id)).toMatchObject({ until });
    const { text } = (await writtenOf(id))["order-delayed"]!;
    expect(text).toContain("The rest");
    expect(text).toContain(
      "You can cancel the rest anytime before it ships, for a full refund of what you paid for it",
    );
    await ship(id);
    expect(await delayOrder(shop.db, id, inDays(30), by)).toEqual({ ok: false, reason: "status", status: "shipped" });
  });
});

describe("a delay", () => {
  it("sets the ship date and emails once", async () => {
    const { id } = await paidOrder();
    const until = inDays(20);
    expect(await delayOrder(shop.db, id, until, by)).toEqual({ ok: true, repeated: false });
    expect(await delayOrder(shop.db, id, until, by)).toEqual({ ok: true, repeated: true });
    expect(await query("SELECT ship_by::text FROM orders WHERE id = $1", [id])).toEqual([{ ship_by: until }]);
    expect([await typesOf(id), await mailsOf(id)]).toEqual([["delayed"], ["order-delayed"]]);
  });

  it("past the end of the authorization needs a confirmation, and the email says so", async () => {
    const [{ id }, soon] = [await paidOrder(), await paidOrder()];
    await query("UPDATE payments SET capture_before = now() + interval '4 days'");
    expect(await delayOrder(shop.db, id, inDays(20), by)).toEqual({ ok: false, reason: "hold-ends" });
    expect(await mailsOf(id)).toEqual([]);
    expect(await delayOrder(shop.db, id, inDays(20), by, { paysAgain: true })).toMatchObject({ ok: true });
    expect(await delayOrder(shop.db, soon.id, inDays(3), by)).toMatchObject({ ok: true });
    expect((await writtenOf(id))["order-delayed"]?.text).toContain(
      `Your bank holds the amount only until ${dayText(inDays(4))}`,
    );
    expect((await writtenOf(soon.id))["order-delayed"]?.text).not.toContain("pay again");
  });
});

describe("a refund", () => {
  const refund = (id: string, cents: number) =>
    refundOrder(shop.db, bank.providers, id, { cents: cents, reason: "damaged" }, by);

  it("is emailed once done, and limited to what was captured", async () => {
    const { id, totalCents } = await paidOrder();
    await ship(id);
    expect(await refund(id, 24_00)).toEqual({ ok: true, state: "done" });
    expect(bank.sum()).toBe(totalCents - 24_00);
    expect(await typesOf(id)).toEqual(["shipped", "refunded"]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "refund-issued"]);
    expect(await refund(id, totalCents)).toMatchObject({ ok: false, reason: "too-much" });
  });

  it.each([0, -1, 0.5, Number.NaN])("of %s cents is refused", async (cents) => {
    const { id } = await paidOrder();
    expect(await refund(id, cents)).toEqual({ ok: false, reason: "amount" });
  });

  describe("of items", () => {
    const dock = async (id: string) => (await getOrderDetails(shop.db, id))!.lines[0]!;
    const refundUnits = async (id: string, units: number, cents = units * 40_00) => {
      const items = { units: { [(await dock(id)).id]: units }, hasShipping: false };
      return refundOrder(shop.db, bank.providers, id, { cents, items, reason: "damaged" }, by);
    };
    const tooMany = { ok: false, reason: "refunded-units", name: "charging-dock" };

    it("gives each unit back once, by two tabs at once, too, and only for the sum that was seen", async () => {
      const { id } = await paidOrder({ "charging-dock": 3 });
      await ship(id);
      expect(await refundUnits(id, 1, 39_99)).toEqual({ ok: false, reason: "sum", cents: 40_00 });
      const both = await Promise.all([refundUnits(id, 2), refundUnits(id, 2)]);
      expect(both).toContainEqual({ ok: true, state: "done" });
      expect(both).toContainEqual({ ...tooMany, unitsLeft: 1 });
      expect((await dock(id)).refunded).toBe(2);
      expect(await refundUnits(id, 1)).toEqual({ ok: true, state: "done" });
      expect(await refundUnits(id, 1)).toEqual({ ...tooMany, unitsLeft: 0 });
    });

    it("after a refund of an amount pays the rest and counts as refunded", async () => {
      const { id } = await paidOrder({ "charging-dock": 2 });
      await ship(id);
      const { state } = (await getOrderDetails(shop.db, id))!;
      await refund(id, state.money.leftCents - 25_00);
      expect(await refundUnits(id, 1)).toEqual({ ok: false, reason: "sum", cents: 25_00 });
      expect(await refundUnits(id, 1, 25_00)).toEqual({ ok: true, state: "done" });
      expect(await dock(id)).toMatchObject({ refunded: 2 });
      expect(await refundUnits(id, 1)).toEqual({ ...tooMany, unitsLeft: 0 });
      expect(bank.sum()).toBe(0);
    });

    it("that failed at the bank is tried again, and not refunded beside that", async () => {
      const { id, reference, totalCents } = await paidOrder({ "charging-dock": 2 });
      await ship(id);
      await refundUnits(id, 2);
      bank.failRefunds(reference);
      await reconcileOrder(shop.db, bank.providers, id);
      expect(await refundUnits(id, 2)).toEqual({ ...tooMany, unitsLeft: 0 });
      expect([await retryFirst(id), bank.sum()]).toEqual([{ ok: true, state: "done" }, totalCents - 80_00]);
    });

    it("with the shipping refunds it once", async () => {
      const { id } = await paidOrder({ "charging-dock": 2 });
      await ship(id);
      const shipping = { cents: 9_99, items: { units: {}, hasShipping: true }, reason: "late" } as const;
      expect(await refundOrder(shop.db, bank.providers, id, shipping, by)).toEqual({ ok: true, state: "done" });
      expect(await refundOrder(shop.db, bank.providers, id, shipping, by)).toMatchObject({
        reason: "refunded-shipping",
      });
    });
  });

  it("without a payment is refused, and a failed one alerts staff only", async () => {
    const { id } = await paidOrder();
    expect(await refund(id, 1_00)).toMatchObject({ ok: false, reason: "nothing-paid" });
    await ship(id);
    bank.faults = ["refuse"];
    expect(await refund(id, 1_00)).toEqual({ ok: true, state: "failed" });
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "payment-alert"]);
  });

  it.each<[string, number, number[], boolean, number]>([
    ["in one part", 24_00, [24_00], false, 24_00],
    ["in two parts", 24_00, [14_00, 10_00], false, 24_00],
    ["in part", 24_00, [10_00], false, 24_00],
    ["and the shop's own is made nonetheless", 24_00, [24_00], true, 48_00],
  ])("that a colleague makes in the dashboard meanwhile counts once: %s", async (_name, asked, made, isLost, cents) => {
    const { id, reference } = await paidOrder();
    await ship(id);
    bank.faults = ["silent"];
    expect(await refund(id, asked)).toEqual({ ok: true, state: "waiting" });
    const { refunds } = bank.payments.get(reference)!;
    const actions = () =>
      query<{ id: string; state: string }>(
        "SELECT a.id, a.state FROM payment_actions a JOIN payments p ON p.id = payment_id WHERE order_id = $1 AND a.kind = 'refund'",
        [id],
      );
    const [own] = await actions();
    for (const part of made) refunds.push({ reference: `${id} ${part}`, actionId: null, cents: part, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    if (isLost) refunds.push({ reference: `${id} own`, actionId: own!.id, cents: asked, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    for (const action of await actions()) await runAction(shop.db, bank.providers, action.id);
    await reconcileOrder(shop.db, bank.providers, id);
    const books = checkOrder((await readFacts(shop.db, id))!);
    const sums = await query("SELECT sum(refunded)::int AS refunded FROM payments WHERE order_id = $1", [id]);
    const promised = await query("SELECT sum(cents)::int AS cents FROM refund_items WHERE order_id = $1", [id]);
    expect([books, sums, promised]).toEqual([[], [{ refunded: cents }], [{ cents }]]);
    expect(await mailsOf(id)).not.toContain("payment-alert");
  });

  it("that the provider refuses at once alerts staff only, also after a cancellation", async () => {
    const { id } = await paidOrder();
    const shipped = await ship(id);
    await undoShipment(shop.db, id, shipped.ok ? shipped.shipmentId : "", by);
    await cancelByBuyer(shop.db, id, "customer");
    const [refunding] = await query<{ id: string }>(
      "SELECT a.id FROM payment_actions a JOIN payments p ON p.id = payment_id WHERE order_id = $1 AND a.kind = 'refund'",
      [id],
    );
    bank.faults = ["refuse"];
    expect(await runAction(shop.db, bank.providers, refunding!.id)).toBe("failed");
    expect((await mailsOf(id)).slice(-2).toSorted()).toEqual(["order-canceled", "payment-alert"]);
  });
});

describe("a refund that fails at the bank later", () => {
  const refund = (id: string, cents: number) =>
    refundOrder(shop.db, bank.providers, id, { cents, reason: "damaged" }, staff);
  const fail = async ({ id, reference }: { id: string; reference: string }) => {
    bank.failRefunds(reference);
    await reconcileOrder(shop.db, bank.providers, id);
  };
  const isProblem = async (id: string) =>
    (await listOrderPage(shop.db, { view: "problems" })).orders.some((order) => order.id === id);
  async function failedRefund() {
    const order = await paidOrder();
    await ship(order.id);
    await refund(order.id, 24_00);
    await fail(order);
    return order;
  }

  it("is a payment problem, and the customer is told", async () => {
    const { id } = await failedRefund();
    expect(await isProblem(id)).toBe(true);
    expect((await mailsOf(id)).slice(-2).toSorted()).toEqual(["payment-alert", "refund-failed"]);
    const written = await writtenOf(id);
    expect(written["refund-failed"]?.text).toContain("$24.00");
    expect(written["payment-alert"]?.text).toContain(`Open the order: ${emailShop.baseUrl}/admin/orders/${id}`);
  });

  it.each([
    ["is sent again", 0],
    ["is read, because its key is over", 25],
  ])("or before it %s, is told too", async (_what, hours) => {
    const { id, reference } = await paidOrder();
    await ship(id);
    bank.faults = ["lost"];
    expect(await refund(id, 24_00)).toEqual({ ok: true, state: "waiting" });
    bank.failRefunds(reference);
    await query(
      `UPDATE payment_actions SET sent_at = now() - $2 * interval '1 hour' FROM payments
       WHERE payments.id = payment_id AND order_id = $1 AND payment_actions.kind = 'refund'`,
      [id, hours],
    );
    await runActions();
    expect((await mailsOf(id)).toSorted()).toEqual(["order-shipped", "payment-alert", "refund-failed"]);
  });

  it("is made once for a canceled order, and left to staff", async () => {
    const order = await paidOrder();
    const shipped = await ship(order.id);
    await undoShipment(shop.db, order.id, shipped.ok ? shipped.shipmentId : "", by);
    await cancelByStaff(shop.db, order.id, by);
    await runActions();
    expect(bank.sum()).toBe(0);
    for (let read = 0; read < 2; read++) {
      await fail(order);
      await runActions();
    }
    expect([bank.sum(), await isProblem(order.id)]).toEqual([order.totalCents, true]);
    expect((await mailsOf(order.id)).filter((template) => template === "refund-failed")).toHaveLength(1);
    expect(await retryFirst(order.id)).toEqual({ ok: true, state: "done" });
  });

  it("stays one until staff mark it as resolved, with a note and an email", async () => {
    const [{ id }, other] = [await failedRefund(), await failedRefund()];
    const [refund] = await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1", [id]);
    const resolved = { refundId: refund!.id, text: "Sent a check" };
    expect(await resolveRefund(shop.db, other.id, resolved, staff)).toEqual({ ok: false, reason: "unknown-refund" });
    expect(await resolveRefund(shop.db, id, resolved, staff)).toEqual({ ok: true, repeated: false });
    expect(await resolveRefund(shop.db, id, resolved, staff)).toEqual({ ok: true, repeated: true });
    expect([await isProblem(id), await isProblem(other.id)]).toEqual([false, true]);
    expect(await query("SELECT kind, text FROM order_notes WHERE order_id = $1", [id])).toEqual([
      { kind: "refund", text: "Sent a check" },
    ]);
    const [, byHand] = await query<{ data: EmailJob }>(
      "SELECT data FROM pgboss.job WHERE data->>'orderId' = $1 AND data->>'template' = 'refund-issued' ORDER BY created_on",
      [id],
    );
    const email = await emails["refund-issued"].write(shop.db, byHand!.data as never, emailShop);
    expect(email?.text).toMatch(/we’ve refunded \$24\.00[\s\S]*so we’ve sent it another way\./i);
    expect((await eventsOf(id)).at(-1)).toEqual({ type: "refunded", actor: "staff" });
    // A refund counts, however it was sent.
    const more = { cents: 96_01, reason: "damaged", isVerified: true } as const;
    expect(await refundOrder(shop.db, bank.providers, id, more, staff)).toMatchObject({
      reason: "too-much",
      leftCents: 96_00,
    });
  });
});

describe("recording a payment", () => {
  const record = (id: string, more = {}) => recordPayment(shop.db, id, { ...check, cents: 80_00, ...more }, staff);
  const placed = async () => (await placedOrder(shop.db, { "charging-dock": 2 })).id;
  const totalOf = async (id: string) =>
    (await query<{ total: number }>("SELECT total FROM orders WHERE id = $1", [id]))[0]!.total;
  const viewsOf = async (id: string) => {
    const listed = async (view: ViewName) => (await listOrderPage(shop.db, { view, search: id.slice(0, 8) })).orders;
    const views: ViewName[] = ["arrange", "to-ship", "refund-due"];
    const found = await Promise.all(views.map(listed));
    return views.filter((_, i) => found[i]!.length > 0);
  };

  it("captures what the order charges, once, however often it is sent", async () => {
    const id = await placed();
    const cents = await totalOf(id);
    const results = await Promise.all(Array.from({ length: 4 }, () => record(id, { cents })));
    expect(results.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true, true, true]);
    expect(
      await query("SELECT provider, state, captured, arrangement FROM payments WHERE order_id = $1", [id]),
    ).toEqual([{ provider: "manual", state: "captured", captured: cents, arrangement: check }]);
    expect(await query("SELECT actor, data FROM order_events WHERE order_id = $1", [id])).toEqual([
      { actor: "staff", data: { how: "check", cents } },
    ]);
    expect(await query("SELECT after FROM audit_log WHERE subject = $1", [`order:${id}`])).toEqual([
      { after: { how: "check", cents } },
    ]);
    expect(await record(id, { cents, how: "other" })).toEqual({ ok: false, reason: "paid" });
    expect(await mailsOf(id)).toEqual(["payment-received"]);
    expect((await writtenOf(id))["payment-received"]?.text).toContain(`received ${formatMoney(cents)} for your order`);
  });

  it("is refused with another sum than the order's, and for an authorized one", async () => {
    const id = await placed();
    expect(await record(id, { cents: 1 })).toEqual({ ok: false, reason: "meanwhile" });
    const paid = await paidOrder();
    expect(await record(paid.id, { cents: paid.totalCents })).toEqual({ ok: false, reason: "paid" });
    expect(await typesOf(id)).toEqual([]);
  });

  it("moves the order from those to arrange to those to ship", async () => {
    const id = await placed();
    expect(await viewsOf(id)).toEqual(["arrange"]);
    await record(id, { cents: await totalOf(id) });
    expect(await viewsOf(id)).toEqual(["to-ship"]);
  });

  it("leaves those to ship once all of it was refunded, until staff cancel the rest", async () => {
    const { id, lines, totalCents } = await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true });
    const line = lines["charging-dock"]!;
    await shipOrder(shop.db, null, id, ups({ [line]: 1 }), by);
    const named = { units: { [line]: 2 }, hasShipping: false };
    expect(await refundOrder(shop.db, null, id, { cents: 80_00, items: named, reason: "damaged" }, by)).toEqual({
      ok: false,
      reason: "not-shipped",
      name: "charging-dock",
    });
    await refundOrder(shop.db, null, id, { cents: totalCents, reason: "goodwill" }, by);
    expect(await viewsOf(id)).toEqual(["refund-due"]);
    await recordFirst(id, totalCents);
    expect(await viewsOf(id)).toEqual([]);
    expect(await shipOrder(shop.db, null, id, ups(), by)).toEqual({ ok: false, reason: "to-cancel" });
    expect(await listSlips(shop.db, [id])).toMatchObject([{ stop: null, lines: [] }]);
    expect((await listOrderPage(shop.db, { search: id.slice(0, 8) })).orders).toMatchObject([{ contents: [] }]);
    const keep = { [line]: 1 };
    await cancelItems(shop.db, null, id, { keep, returnsStock: true, reason: "asked", isRefunded: true }, by);
    expect(await query("SELECT stage, attention FROM orders WHERE id = $1", [id])).toEqual([
      { stage: "shipped", attention: [] },
    ]);
  });

  it("its refunds are owed until they are recorded, never above what was paid", async () => {
    const id = await placed();
    const cents = await totalOf(id);
    await record(id, { cents });
    await shipOrder(shop.db, null, id, ups(), by);
    const refunds = await Promise.all(
      [60_00, 60_00].map((sum) => refundOrder(shop.db, null, id, { cents: sum, reason: "damaged" }, by)),
    );
    expect(refunds).toContainEqual({ ok: true, state: "owed", byHandCents: 60_00 });
    expect(refunds).toContainEqual({ ok: false, reason: "too-much", leftCents: cents - 60_00 });
    expect([await viewsOf(id), await mailsOf(id)]).toEqual([
      ["refund-due"],
      expect.not.arrayContaining(["refund-issued"]),
    ]);
    expect(await recordFirst(id, 59_99)).toEqual({ ok: false, reason: "meanwhile" });
    const recorded = await Promise.all([recordFirst(id, 60_00), recordFirst(id, 60_00)]);
    expect(recorded).toEqual(expect.arrayContaining([false, true].map((repeated) => ({ ok: true, repeated }))));
    expect(await query("SELECT refunded FROM payments WHERE order_id = $1", [id])).toEqual([{ refunded: 60_00 }]);
    expect(await query("SELECT payment_status AS status FROM orders WHERE id = $1", [id])).toEqual([
      { status: "partly-refunded" },
    ]);
    expect(await mailsOf(id)).toContain("refund-issued");
    expect((await typesOf(id)).at(-1)).toBe("refunded");
  });

  it("its canceled units are owed", async () => {
    const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true });
    await shipOrder(shop.db, null, id, ups({ [lines["charging-dock"]!]: 1 }), by);
    expect(await cancel(id, await lineOf(id, 1))).toMatchObject({
      refund: { cents: 40_00, state: "owed", byHandCents: 40_00 },
    });
  });

  it("its emails speak of no card, and of no refund before it is recorded", async () => {
    const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true });
    const sent = await shipOrder(shop.db, null, id, ups({ [lines["charging-dock"]!]: 1 }), by);
    await undoShipment(shop.db, id, sent.ok ? sent.shipmentId : "", by);
    await cancel(id, await lineOf(id, 1));
    expect(await mailsOf(id)).not.toContain("refund-issued");
    await recordFirst(id, 40_00);
    const written = await writtenOf(id);
    expect(written["shipment-undone"]?.text).toContain("You paid $40.00 for these items. You won’t pay again");
    expect(written["refund-issued"]?.text).toMatch(/refunded \$40\.00[\s\S]*the same way you paid/);
    expect(written["order-changed"]?.text).toContain("We’ll refund the $40.00 you paid for it");
    for (const email of Object.values(written)) expect(email?.text).not.toMatch(/charge(d| you)|payment method/);
  });

  it("the rest that a late answer cancels is still to be refunded, of what was paid", async () => {
    const { id, lines } = await placedOrder(shop.db, { "charging-dock": 2 }, { isArranged: true });
    await shipOrder(shop.db, null, id, ups({ [lines["charging-dock"]!]: 1 }), by);
    await cancelRest(shop.db, id, "customer", "late");
    expect((await writtenOf(id))["order-changed"]?.text).toContain("We’ll refund the $40.00 you paid for it");
  });

  it("a canceled order stays listed until its refund is recorded", async () => {
    const id = await placed();
    const cents = await totalOf(id);
    await record(id, { cents });
    await cancelByStaff(shop.db, id, by);
    expect(await viewsOf(id)).toEqual(["refund-due"]);
    expect((await writtenOf(id))["order-canceled"]?.text).toContain(`We’ll refund the ${formatMoney(cents)} you paid`);
    expect(await recordFirst(id, cents)).toEqual({ ok: true, repeated: false });
    expect(await viewsOf(id)).toEqual([]);
    expect((await writtenOf(id))["order-canceled"]?.text).toContain(
      `We’ve refunded the ${formatMoney(cents)} you paid`,
    );
  });

  it("a refund that a dispute has stopped is listed once that is over, whoever promised it", async () => {
    const { id } = await paidOrder();
    await ship(id);
    await query("INSERT INTO refunds (id, order_id, reason, asked_by) VALUES ($1, $1, 'goodwill', 'staff')", [id]);
    await query(
      "INSERT INTO refund_items (refund_id, order_id, kind, cents, tax) VALUES ($1, $1, 'goodwill', 500, 0)",
      [id],
    );
    const seen = [];
    for (const dispute of ["open", "won"]) {
      await query("UPDATE payments SET dispute = $2 WHERE order_id = $1", [id, dispute]);
      await writeSummary(shop.db, id);
      seen.push(await viewsOf(id));
    }
    expect(seen).toEqual([[], ["refund-due"]]);
  });
});

describe("asking for payment", () => {
  it("emails the link for an unpaid order, and refuses a paid one", async () => {
    const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
    expect(await askForPayment(shop.db, null, id, by)).toEqual({ ok: false, reason: "provider" });
    expect(await askForPayment(shop.db, bank.providers, id, by)).toEqual({ ok: true, repeated: false });
    expect(await askForPayment(shop.db, bank.providers, id, by)).toEqual({ ok: true, repeated: true });
    expect([await typesOf(id), await mailsOf(id)]).toEqual([["payment-requested"], ["payment-request"]]);
    // An order with a payment request does not ship unpaid.
    expect(await ship(id)).toEqual({ ok: false, reason: "not-paid" });
    const paid = await paidOrder();
    expect(await askForPayment(shop.db, bank.providers, paid.id, by)).toEqual({ ok: false, reason: "paid" });
  });
});

describe("delivered", () => {
  it("delivers order and parcels, emails once, and may be repeated", async () => {
    const { id } = await paidOrder();
    await ship(id);
    expect(await markDelivered(shop.db, id, by)).toEqual({ ok: true, repeated: false });
    expect(await markDelivered(shop.db, id, by)).toEqual({ ok: true, repeated: true });
    expect([await statusOf(id), await shipmentsOf(id)]).toEqual(["delivered", [{ state: "delivered" }]]);
    expect((await mailsOf(id)).toSorted()).toEqual(["order-delivered", "order-shipped"]);
  });
});

/** Runs the payment jobs. */
async function runActions(): Promise<void> {
  const asked = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')");
  for (const { id } of asked) await runAction(shop.db, bank.providers, id);
}

describe("canceling and declining", () => {
  it.each([
    ["canceled", "order-canceled", (id: string) => cancelByStaff(shop.db, id, by)],
    ["declined", "order-declined", (id: string) => declineByStaff(shop.db, id, "sold-out", by)],
  ] as const)("%s: stock returns, the payment is voided, and one email is sent", async (status, template, act) => {
    const { id, reference } = await paidOrder();
    expect(await act(id)).toEqual({ ok: true, repeated: false });
    expect(await act(id)).toEqual({ ok: true, repeated: true });
    await runActions();
    expect(bank.payments.get(reference)?.isVoided).toBe(true);
    expect([await statusOf(id), await unitsOf(shop.pool, "charging-dock")]).toEqual([status, 52]);
    expect([await typesOf(id), await mailsOf(id)]).toEqual([[status, "payment-voided"], [template]]);
    const email = (await writtenOf(id))[template];
    expect(email?.text).toContain("Nothing was charged. Your bank will release the authorization");
    if (status === "declined") expect(email?.text).toContain("can’t say when we will");
    expect(await ship(id)).toEqual({ ok: false, reason: "status", status });
  });

  it("captured and refunded in part by the provider meanwhile, the rest is refunded", async () => {
    const { id, reference, totalCents } = await paidOrder();
    await cancelByStaff(shop.db, id, by);
    const payment = bank.payments.get(reference)!;
    payment.captured = totalCents;
    payment.refunds.push({ reference: `refund of ${id}`, actionId: null, cents: 50_00, state: "done" });
    await reconcileOrder(shop.db, bank.providers, id);
    await runActions();
    expect(bank.sum()).toBe(0);
  });

  it("an unpaid order is canceled without an email", async () => {
    const unpaid = await placedOrder(shop.db, { "charging-dock": 1 }, { status: "unpaid" });
    expect(await cancelByStaff(shop.db, unpaid.id, by)).toMatchObject({ ok: true });
    expect(await mailsOf(unpaid.id)).toEqual([]);
  });

  it("a concurrent cancel and shipment: exactly one wins, whatever the provider answers", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await setUnits(shop.pool, "charging-dock", 50);
      const { id, reference, totalCents } = await paidOrder();
      bank.faults = round % 3 === 0 ? ["lost"] : [];
      const acts = [() => ship(id), () => cancelByStaff(shop.db, id, by)];
      await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()));
      await runActions();
      const status = await statusOf(id);
      const held = bank.payments.get(reference);
      if (status === "shipped") {
        expect(held).toMatchObject({ captured: totalCents, isVoided: false });
        expect([await unitsOf(shop.pool, "charging-dock"), await mailsOf(id)]).toEqual([50, ["order-shipped"]]);
      } else {
        expect([status, held?.captured, held?.isVoided]).toEqual(["canceled", 0, true]);
        expect([await unitsOf(shop.pool, "charging-dock"), await mailsOf(id)]).toEqual([52, ["order-canceled"]]);
        expect(await shipmentsOf(id)).toEqual([]);
      }
    }
  });
});

/** Emails of an order, by template. */
async function writtenOf(id: string): Promise<Record<string, Email | null>> {
  const jobs = await query<{ data: EmailJob }>("SELECT data FROM pgboss.job WHERE data->>'orderId' = $1", [id]);
  const written = jobs.map(async ({ data }) => [
    data.template,
    await emails[data.template].write(shop.db, data as never, emailShop),
  ]);
  return Object.fromEntries(await Promise.all(written));
}

describe("the emails", () => {
  it("link to the order, state the facts, and name no unverified customer", async () => {
    const { id, lines } = await paidOrder({ "charging-dock": 3, "travel-sleeve": 1 });
    await cancel(id, { keep: { [lines["travel-sleeve"]!]: 0 }, returnsStock: true, reason: "sold-out" });
    await delayOrder(shop.db, id, inDays(20), by);
    const first = ups({ [lines["charging-dock"]!]: 1 });
    await ship(id, first);
    await ship(id);
    await markDelivered(shop.db, id, by);
    await refundOrder(shop.db, bank.providers, id, { cents: 12_34, reason: "damaged" }, by);
    const written = await writtenOf(id);
    expect(Object.keys(written).toSorted()).toEqual([
      "order-changed",
      "order-delayed",
      "order-delivered",
      "order-shipped",
      "parcel-shipped",
      "refund-issued",
    ]);
    for (const [template, email] of Object.entries(written)) {
      expect(email?.to, template).toBe(`${id}@example.com`);
      expect(email?.text, template).toContain(orderUrl({ id, linkVersion: 1 }, emailShop));
      expect(`${email?.text}${email?.html}`, template).not.toMatch(/Ada|Lovelace|Analytical/);
    }
    expect(written["order-shipped"]?.text).toContain(`tracknum=${first.trackingNumber}`);
    expect(written["order-shipped"]?.text).toContain("The rest will follow");
    expect(written["order-shipped"]?.text).toContain("We charged $120.00 to your Visa ending in 4242.");
    expect(written["parcel-shipped"]?.text).toContain("2 x charging-dock  $80.00");
    expect(written["parcel-shipped"]?.text).toContain("complete");
    expect(written["order-changed"]?.text).toContain("Total: $120.00");
    expect(written["order-delayed"]?.text).toContain(dayText(inDays(20)));
    expect(written["order-delayed"]?.text).toMatch(/&intent=keep[\s\S]*&intent=cancel/);
    expect(written["order-delivered"]?.text).toContain(
      `until ${dayText(lastReturnDay(new Date(), FIRST_SETTINGS.returns))}`,
    );
    expect(written["refund-issued"]?.text).toMatch(/\$12\.34[\s\S]*damaged[\s\S]*3-5 days/);
  });

  it.each([
    ["polara-classic-frost-white", true],
    ["lid-gasket-set", true],
    ["ethylene-filter-2-pack", false],
    ["charging-dock", false],
  ])("ask to register %s: %s", async (slug, hasWarranty) => {
    const { id } = await paidOrder({ [slug]: 1, "travel-sleeve": 1 });
    await ship(id);
    await markDelivered(shop.db, id, by);
    const email = (await writtenOf(id))["order-delivered"];
    expect(/register/i.test(`${email?.text}${email?.html}`)).toBe(hasWarranty);
  });

  it.each([
    [30, true],
    [31, false],
  ])("%i days after the purchase ask to register: %s", async (days, asks) => {
    const { id } = await paidOrder({ "polara-classic-frost-white": 1 });
    const purchased = new Date(`${inDays(-days)}T17:00:00Z`);
    await query("UPDATE orders SET created_at = $2 WHERE id = $1", [id, purchased]);
    await ship(id);
    await markDelivered(shop.db, id, by);
    const email = (await writtenOf(id))["order-delivered"];
    expect(/register/i.test(`${email?.text}${email?.html}`)).toBe(asks);
  });

  it.each([
    [FIRST_SETTINGS.returns.returnDays, 0, true],
    [FIRST_SETTINGS.returns.returnDays + 1, 0, false],
    [0, 1, false],
  ])(
    "%i days after the delivery, with %i of 1 refunded, name the last day to return it: %s",
    async (days, units, names) => {
      const { id, lines } = await paidOrder({ "charging-dock": 1 });
      await ship(id);
      await markDelivered(shop.db, id, by);
      if (units > 0) {
        const items = { units: { [lines["charging-dock"]!]: units }, hasShipping: false };
        const refunded = await refundOrder(shop.db, bank.providers, id, { cents: 40_00, items, reason: "damaged" }, by);
        expect(refunded).toMatchObject({ ok: true });
      }
      const at = new Date(`${inDays(-days)}T17:00:00Z`);
      await query("UPDATE shipments SET delivered_at = $2 WHERE order_id = $1", [id, at]);
      expect((await writtenOf(id))["order-delivered"]?.text.includes("You can return it until")).toBe(names);
    },
  );

  it.each([
    ["refused", 0, "Once we have it back, we’ll refund what you paid"],
    ["refused", 120_00, "Would you like to have these items sent again?"],
    ["lost", 0, "you won’t pay for them twice"],
    ["lost", 120_00, "Would you like to have these items sent again?"],
  ] as const)("of a parcel that is %s, after a refund of %i cents", async (state, cents, words) => {
    const { id, lines } = await paidOrder();
    const sent = await ship(id);
    const items = { units: { [lines["charging-dock"]!]: 2, [lines["travel-sleeve"]!]: 1 }, hasShipping: false };
    if (cents > 0) await refundOrder(shop.db, bank.providers, id, { cents, items, reason: "late" }, by);
    await recordTracking(shop.db, id, sent.ok ? sent.shipmentId : "", { state, at: new Date() });
    const { text } = (await writtenOf(id))[`parcel-${state}`]!;
    expect(text).toContain(words);
    expect(text.includes("refund")).toBe(cents === 0);
  });

  it.each([
    ["everything", 2, true],
    ["a part", 1, false],
  ])(
    "of a delivery hope for nothing, and name no day to return it, once %s is refunded",
    async (_what, docks, isAll) => {
      const { id, lines } = await paidOrder();
      await ship(id);
      const units = { [lines["charging-dock"]!]: docks, ...(isAll && { [lines["travel-sleeve"]!]: 1 }) };
      const cents = isAll ? 120_00 : 40_00;
      await refundOrder(
        shop.db,
        bank.providers,
        id,
        { cents, items: { units, hasShipping: false }, reason: "late" },
        by,
      );
      await markDelivered(shop.db, id, by);
      const text = (await writtenOf(id))["order-delivered"]?.text ?? "";
      expect([text.includes("We hope you like it."), text.includes("You can return it until")]).toEqual([
        !isAll,
        !isAll,
      ]);
      expect(text.includes("We’ve refunded it.")).toBe(isAll);
    },
  );

  it.each([true, false])("about a new order are no acceptance of it, paid or not: %s", async (isAuthorized) => {
    const { id } = await placedOrder(shop.db, { "travel-sleeve": 1 }, { isAuthorized });
    const email = await emails["order-confirmation"].write(shop.db, { orderId: id }, emailShop);
    expect(email?.text).toContain("This email confirms that we received your order. We accept it when we ship it.");
    expect(email?.text.includes("should arrive")).toBe(isAuthorized);
  });

  it("do not ask to register a bowl that was canceled", async () => {
    const { id, lines } = await paidOrder({ "polara-classic-frost-white": 1, "travel-sleeve": 1 });
    await cancel(id, { ...(await lineOf(id, 0)), keep: { [lines["polara-classic-frost-white"]!]: 0 } });
    await ship(id);
    await markDelivered(shop.db, id, by);
    expect((await writtenOf(id))["order-delivered"]?.text).not.toMatch(/register/i);
  });

  it.each(Object.keys(DECLINE_REASONS) as DeclineReason[])(
    "of a declined order give the reason '%s' alone",
    async (reason) => {
      const { id } = await placedOrder(shop.db, { "travel-sleeve": 1 });
      await declineByStaff(shop.db, id, reason, by);
      const email = (await writtenOf(id))["order-declined"];
      expect(email?.text).toContain(DECLINE_REASONS[reason]);
      expect(`${email?.subject} ${email?.text}`.replace(DECLINE_REASONS[reason], "")).not.toMatch(/deliver/i);
    },
  );

  it("of every kind are not sent once the account is deleted", async () => {
    const { id, lines } = await paidOrder({ "charging-dock": 3, "travel-sleeve": 1 });
    await cancel(id, { keep: { [lines["travel-sleeve"]!]: 0 }, returnsStock: true, reason: "sold-out" });
    await delayOrder(shop.db, id, inDays(20), by);
    bank.faults = ["refuse"];
    await ship(id);
    await cancelByStaff(shop.db, id, by);
    const other = await paidOrder();
    await declineByStaff(shop.db, other.id, "price", by);
    const sent = await paidOrder({ "charging-dock": 2 });
    await ship(sent.id, ups({ [sent.lines["charging-dock"]!]: 1 }));
    await ship(sent.id);
    await markDelivered(shop.db, sent.id, by);
    await refundOrder(shop.db, bank.providers, sent.id, { cents: 1_00, reason: "late" }, by);
    await shop.db.update(orders).set({ email: "" });
    const written = await Promise.all([id, other.id, sent.id].map(writtenOf));
    expect(Object.assign({}, ...written)).toEqual({
      "order-canceled": null,
      "order-changed": null,
      "order-declined": null,
      "order-delayed": null,
      "order-delivered": null,
      "order-shipped": null,
      "parcel-shipped": null,
      "payment-request": null,
      "refund-issued": null,
    });
  });
});
