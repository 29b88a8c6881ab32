/** Returns from the request to the close: units, money, stock, events and emails. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { aParcel } from "#tests/support/staff.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { returnAddress } from "#shop/contact-addresses.server.ts";
import { emails } from "#shop/emails.server.ts";
import { cancelItems, cancelRest } from "#shop/fulfillment/cancel-items.server.ts";
import { previewDelay } from "#shop/fulfillment/delay-product.server.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelByBuyer, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { receiveBack, recordTracking, sendAgain } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { refundOrder, retryRefund } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { countUnsent } from "#shop/fulfillment/shipments.server.ts";
import { undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import type { Email, EmailJob } from "#shop/mail/email.ts";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import { daysAfter, newYorkDay, yearsAfter } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import type { Role } from "#shop/roles.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { effectsOf } from "./effects.server.ts";
import { exchangeChoices } from "./exchange.server.ts";
import {
  addLabel,
  answerQuote,
  askFee,
  authorizeReturn,
  declineReturn,
  inspectReturn,
  quoteRepair,
  receiveReturn,
  resolveReturn,
  sendChecks,
  withdrawReturn,
} from "./handle.server.ts";
import { carryOutReturns } from "./jobs.server.ts";
import { isAllowed, RETURN_STATES, type Outcome, type ReturnEvent, type ReturnState } from "./lifecycle.ts";
import { requestReturn, returnOptions, type ReturnRequest } from "./request.server.ts";
import { dueReturns, findReturn, getReturn, listReturns, listReturnsOfOrder } from "./returns.server.ts";

const shop = useFreshDatabase();
const BOWL = "polara-pro-frost-white";
const FILTERS = "ethylene-filter-6-pack";
const staff: Acting = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null };
const support: Acting = { ...staff, staffId: randomUUID(), role: "support" };
let bank: MemoryProvider;
let parcels = 0;

beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of ["charging-dock", "travel-sleeve", BOWL, FILTERS]) await setUnits(shop.pool, slug, 50);
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const one = async <Row extends object>(text: string, values: unknown[] = []) => (await query<Row>(text, values))[0]!;
const productId = async (slug: string) =>
  (await one<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug])).id;
const priceOf = async (slug: string) =>
  (
    await one<{ price: number }>("SELECT coalesce(early_bird_price, price) AS price FROM products WHERE slug = $1", [
      slug,
    ])
  ).price;
const stateOf = async (id: string) => (await getReturn(shop.db, id))?.state;
const mailsOf = async (orderId: string) =>
  (
    await query<{ template: string }>(
      `SELECT data->>'template' AS template FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1
         AND data->>'template' ~ '^(return|refund)' ORDER BY created_on, id`,
      [orderId],
    )
  ).map(({ template }) => template);
const eventsOf = async (orderId: string) =>
  (
    await query<{ event: string; actor: string }>(
      "SELECT data->>'event' AS event, actor FROM order_events WHERE order_id = $1 AND type = 'return-changed' ORDER BY id",
      [orderId],
    )
  ).map(({ event, actor }) => `${event} by ${actor}`);

/** Reads every email of an order as its reader gets it. */
async function writtenTo(orderId: string): Promise<Email[]> {
  const jobs = await query<{ data: EmailJob }>(
    "SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'orderId' = $1 ORDER BY created_on, id",
    [orderId],
  );
  const written: Email[] = [];
  for (const { data } of jobs) {
    const template = emails[data.template] as { write(...given: unknown[]): Promise<Email | null> };
    const email = await template.write(shop.db, data, emailShop);
    if (email) written.push(email);
  }
  return written;
}

type Sold = { id: string; lines: Record<string, string>; reference: string; totalCents: number };

/** A paid order of units at 40 dollars each, whose parcel has arrived. */
async function delivered(units: Record<string, number> = { "charging-dock": 2 }): Promise<Sold> {
  const order = await placedOrder(shop.db, units, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  const shipped = await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels), null);
  expect(shipped).toMatchObject({ ok: true, state: "shipped" });
  expect(await markDelivered(shop.db, order.id, null)).toMatchObject({ ok: true });
  return order;
}

const ask = ({ id, lines }: Sold, slug: string, request: Partial<ReturnRequest> & { count?: number } = {}) =>
  requestReturn(
    shop.db,
    null,
    id,
    {
      formKey: randomUUID(),
      kind: "return",
      reason: "not-for-me",
      description: "",
      units: { [lines[slug]!]: request.count ?? 1 },
      ...request,
    },
    "guest",
  );

async function asked(...given: Parameters<typeof ask>): Promise<string> {
  const result = await ask(...given);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.returnId;
}

const findings = async (id: string, isRestocked = true) =>
  Object.fromEntries(
    (await getReturn(shop.db, id))!.items.map((item) => [item.id, { condition: "new", isRestocked } as const]),
  );
async function inspected(id: string, deduction: Parameters<typeof inspectReturn>[2]["deduction"] = null) {
  const { kind, state } = (await getReturn(shop.db, id))!;
  if (state === "requested") await authorizeReturn(shop.db, id, {}, staff);
  expect(await receiveReturn(shop.db, id, staff)).toEqual({ ok: true, repeated: false });
  const lines = await findings(id, kind !== "warranty" && kind !== "repair");
  expect(await inspectReturn(shop.db, id, { lines, deduction }, staff)).toEqual({ ok: true, repeated: false });
}
/** Resolves a return, with the effect that staff read before they choose. */
async function resolve(id: string, outcome: Outcome, more: object = {}, by = staff) {
  const effect = (await effectsOf(shop.db, id)).find((each) => each.outcome === outcome);
  const resolved = await resolveReturn(
    shop.db,
    { providers: bank.providers, taxProvider: null },
    id,
    { outcome, ...more },
    by,
  );
  const dueCents = (await getReturn(shop.db, id))?.toPay?.cents ?? 0;
  if (resolved.ok)
    expect(effect).toMatchObject({ outcome, ok: true, backCents: resolved.refund?.cents ?? 0, dueCents });
  return resolved;
}
const fail = (error: unknown) => {
  throw error;
};
const chores = () => carryOutReturns(shop.db, fail);
/** Runs what was asked of the provider, as the jobs do. */
async function runAsked(): Promise<void> {
  for (const { id } of await query<{ id: string }>("SELECT id FROM payment_actions WHERE state = 'asked'"))
    await runAction(shop.db, bank.providers, id);
}
const exchangeFor = async (slug: string, count = 1): Promise<Partial<ReturnRequest> & { count: number }> => ({
  count,
  kind: "exchange",
  reason: "other-model",
  exchange: { productId: await productId(slug), differenceCents: ((await priceOf(slug)) - 40_00) * count },
});

/** Stock equals the moves, less sales that have not ended, from the opening of the shop on. */
async function expectStock(slug: string, before: number, change: number): Promise<void> {
  expect(await unitsOf(shop.pool, slug)).toBe(before + change);
}

describe("a plain return", () => {
  it("is authorized at once, and refunds what was paid after the inspection", async () => {
    const order = await delivered({ "charging-dock": 2, "travel-sleeve": 1 });
    const before = await unitsOf(shop.pool, "charging-dock");
    const result = await ask(order, "charging-dock", { count: 2 });
    expect(result).toMatchObject({ ok: true, state: "authorized", repeated: false });
    const id = result.ok ? result.returnId : "";
    const number = result.ok ? result.number : "";
    const shipBy = daysAfter(newYorkDay(new Date()), 7);
    expect(await getReturn(shop.db, id)).toMatchObject({ number, shipBy, labelBy: "customer", staffId: null });
    expect(await findReturn(shop.db, number)).toBe(id);
    await inspected(id);
    await expectStock("charging-dock", before, 2);
    expect((await getReturn(shop.db, id))?.money).toMatchObject({
      linesCents: 80_00,
      shippingCents: 0,
      refundCents: 80_00,
    });
    const resolved = await resolve(id, "refund");
    expect(resolved).toEqual({ ok: true, refund: { cents: 80_00, state: "done" }, isSent: false });
    expect(bank.sum()).toBe(order.totalCents - 80_00);
    await chores();
    expect(await getReturn(shop.db, id)).toMatchObject({
      state: "closed",
      money: { refundCents: 80_00 },
    });
    expect(await eventsOf(order.id)).toEqual([
      "requested by guest",
      "authorized by guest",
      "received by staff",
      "inspected by staff",
      "resolved by staff",
      "closed by system",
    ]);
    expect(await mailsOf(order.id)).toEqual([
      "return-authorized",
      "return-received",
      "return-inspected",
      "refund-issued",
    ]);
    const [number_] = (await writtenTo(order.id)).filter(({ subject }) => subject.includes(number));
    expect(number_?.text).toContain(returnAddress().join("\n"));
    const audited = await query("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [`return:${id}`]);
    expect(audited).toEqual([
      { action: "return.received" },
      { action: "return.inspected" },
      { action: "return.resolved" },
    ]);
  });

  it("has the window under which its order was placed", async () => {
    const until = async ({ id }: Sold) => (await returnOptions(shop.db, id))?.[0]?.kinds.return.until;
    const placed = await delivered();
    const window = await until(placed);
    const today = newYorkDay(new Date());
    const shorter = {
      section: "returns",
      value: { returnDays: 10 },
      effectiveOn: today,
      staffId: staff.staffId,
    } as const;
    await shop.db.insert(settingsVersions).values(shorter);
    await loadSettings(shop.db);
    expect(await until(placed)).toBe(window);
    expect(await until(await delivered())).toBe(daysAfter(window ?? "", -20));
    await shop.db.delete(settingsVersions);
    await loadSettings(shop.db);
  });

  it("is of units that arrived: neither of a lost parcel, nor twice of one that was sent again", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 2 }, { isAuthorized: true });
    bank.authorize(order.reference, order.totalCents);
    const units = { [order.lines["charging-dock"]!]: 1 };
    const sent: string[] = [];
    for (const _ of [1, 2]) {
      const parcel = await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels, units), null);
      sent.push(parcel.ok ? parcel.shipmentId : "");
    }
    const hears = (parcel: string, state: "delivered" | "lost") =>
      recordTracking(shop.db, order.id, parcel, { state, at: new Date() });
    const left = async () => (await returnOptions(shop.db, order.id))?.[0]?.kinds.return;
    await hears(sent[0]!, "lost");
    expect(await left()).toMatchObject({ units: 1, why: null });
    await sendAgain(shop.db, order.id, sent[0]!, null);
    const again = await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels), null);
    for (const parcel of [sent[1]!, again.ok ? again.shipmentId : ""]) await hears(parcel, "delivered");
    expect(await left()).toMatchObject({ units: 2, why: null });
  });

  it("refunds less for a loss in value, and says why", async () => {
    const order = await delivered();
    const id = await asked(order, "charging-dock");
    await receiveReturn(shop.db, id, staff);
    const lines = await findings(id);
    for (const cents of [0, 40_01, 1.5]) {
      const wrong = { lines, deduction: { cents, reason: "used" as const } };
      expect(await inspectReturn(shop.db, id, wrong, staff)).toEqual({ ok: false, reason: "deduction" });
    }
    expect(await inspectReturn(shop.db, id, { lines: {}, deduction: null }, staff)).toEqual({
      ok: false,
      reason: "lines",
    });
    await inspectReturn(shop.db, id, { lines, deduction: { cents: 12_50, reason: "used" } }, staff);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 27_50 } });
    const text = (await writtenTo(order.id)).map((email) => email.text).join("\n");
    expect(text).toContain("reduce your refund by $12.50, to $27.50");
  });

  it("refunds the shipping once, if the return is the shop’s fault", async () => {
    const order = await delivered();
    for (const shippingCents of [9_99, 0]) {
      const id = await asked(order, "charging-dock", { reason: "wrong-item" });
      expect(await getReturn(shop.db, id)).toMatchObject({ state: "requested", labelBy: "us" });
      await inspected(id);
      const resolved = await resolve(id, "refund");
      expect(resolved).toMatchObject({ ok: true, refund: { cents: 40_00 + shippingCents } });
    }
    expect(bank.sum()).toBe(0);
  });

  it("refunds no unit and no shipping again that staff have refunded, and they none of the return’s", async () => {
    const order = await delivered({ "charging-dock": 2 });
    const dock = order.lines["charging-dock"]!;
    const byHand = (cents: number, units: number, hasShipping: boolean) => {
      const refund = { cents, items: { units: { [dock]: units }, hasShipping }, reason: "damaged" } as const;
      return refundOrder(shop.db, bank.providers, order.id, refund, null);
    };
    expect(await byHand(49_99, 1, true)).toMatchObject({ ok: true });
    const wrong = { count: 2, reason: "wrong-item" } as const;
    expect(await ask(order, "charging-dock", wrong)).toMatchObject({ why: "At most 1 of these can be returned." });
    const id = await asked(order, "charging-dock", { ...wrong, count: 1 });
    await inspected(id);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 40_00 } });
    expect(await byHand(40_00, 1, false)).toMatchObject({ ok: false, reason: "refunded-units", unitsLeft: 0 });
  });

  it("refunds no more than is left, and within the limit of a role", async () => {
    const order = await delivered({ "charging-dock": 3 });
    await refundOrder(
      shop.db,
      bank.providers,
      order.id,
      { cents: order.totalCents - 110_00, reason: "goodwill" },
      null,
    );
    const id = await asked(order, "charging-dock", { count: 3 });
    await inspected(id);
    expect((await getReturn(shop.db, id))?.money).toMatchObject({
      linesCents: 120_00,
      refundCents: 110_00,
    });
    expect(await resolve(id, "refund", {}, support)).toEqual({
      ok: false,
      reason: "limit",
      cents: 110_00,
      refundedCents: 0,
    });
    expect(await stateOf(id)).toBe("inspected");
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 110_00, state: "done" } });
    expect(bank.sum()).toBe(0);
  });

  it("refunds all that is left, while the outcome of a refund by staff is not recorded yet", async () => {
    const order = await delivered();
    const id = await asked(order, "charging-dock");
    await inspected(id);
    bank.faults = ["lost"];
    const other = { cents: order.totalCents - 40_00, reason: "goodwill" } as const;
    expect(await refundOrder(shop.db, bank.providers, order.id, other, null)).toEqual({ ok: true, state: "waiting" });
    // Its webhook came before the jobs ask again.
    await reconcileOrder(shop.db, bank.providers, order.id);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 40_00, state: "done" } });
    expect(bank.sum()).toBe(0);
  });

  it("ends without a refund where nothing was paid", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    await shipOrder(shop.db, null, order.id, aParcel(++parcels), null);
    await query("UPDATE charges SET state = 'withdrawn' WHERE order_id = $1", [order.id]);
    const id = await asked(order, "charging-dock");
    await inspected(id);
    const nothingLeft = expect.stringContaining("There’s nothing left to refund.");
    expect((await writtenTo(order.id)).at(-1)).toMatchObject({
      subject: expect.stringContaining("inspected"),
      text: nothingLeft,
    });
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: null });
    expect((await writtenTo(order.id)).at(-1)).toMatchObject({
      subject: expect.stringContaining("complete"),
      text: nothingLeft,
    });
  });

  it("is refused with the reason, and once for a form", async () => {
    const order = await delivered();
    const sent = await placedOrder(shop.db, { "charging-dock": 1 });
    const refusals: [Promise<unknown>, object][] = [
      [ask(order, "charging-dock", { reason: "power" }), { reason: "reason" }],
      [ask(order, "charging-dock", { count: 0 }), { reason: "nothing-chosen" }],
      [ask(order, "charging-dock", { count: 1.5 }), { reason: "nothing-chosen" }],
      [ask(order, "charging-dock", { units: { [randomUUID()]: 1 } }), { reason: "nothing-chosen" }],
      [ask(order, "charging-dock", { count: 3 }), { reason: "line", why: "At most 2 of these can be returned." }],
      [ask(sent, "charging-dock"), { reason: "line", name: "charging-dock" }],
      [ask({ ...order, id: randomUUID() }, "charging-dock"), { reason: "not-found" }],
    ];
    for (const [result, refusal] of refusals) expect(await result).toMatchObject({ ok: false, ...refusal });
    const form = { formKey: randomUUID(), count: 2 };
    const twice = await Promise.all([ask(order, "charging-dock", form), ask(order, "charging-dock", form)]);
    expect(twice.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
    expect(await ask(order, "charging-dock")).toMatchObject({ ok: false, reason: "line" });
    expect((await returnOptions(shop.db, order.id))?.[0]?.kinds.return).toEqual({
      units: 0,
      until: daysAfter(newYorkDay(new Date()), 30),
      why: "in-return",
    });
  });

  it("counts from the day on which the whole order had arrived", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 1, "travel-sleeve": 1 }, { isArranged: true });
    const until = async () => (await returnOptions(shop.db, order.id))!.map(({ kinds }) => kinds.return.until);
    const arrives = async (slug: string, at: string) => {
      const units = { [order.lines[slug]!]: 1 };
      const parcel = await shipOrder(shop.db, null, order.id, aParcel(++parcels, units), null);
      const shipmentId = parcel.ok ? parcel.shipmentId : "";
      await query("UPDATE shipments SET shipped_at = $2 WHERE id = $1", [shipmentId, at]);
      await recordTracking(shop.db, order.id, shipmentId, { state: "delivered", at: new Date(at) });
    };
    await arrives("charging-dock", "2026-05-01T15:00:00Z");
    expect(await until()).toContain("2026-05-31");
    await arrives("travel-sleeve", "2026-05-20T15:00:00Z");
    expect(await until()).toEqual(["2026-06-19", "2026-06-19"]);
  });

  it("counts from the promised transit where the delivery is not known", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    await shipOrder(shop.db, null, order.id, aParcel(++parcels), null);
    // Monday; seven business days are Wednesday of the week after, and 30 days later it is over.
    const shippedAt = (at: string) => query("UPDATE shipments SET shipped_at = $2 WHERE order_id = $1", [order.id, at]);
    await shippedAt("2026-03-02T15:00:00Z");
    const [line] = (await returnOptions(shop.db, order.id))!;
    expect(line?.kinds.return.until).toBe("2026-04-10");
    await shippedAt("2026-03-03T04:59:59Z");
    expect((await returnOptions(shop.db, order.id))?.[0]?.kinds.return.until).toBe("2026-04-10");
    await shippedAt("2026-03-03T05:00:00Z");
    expect((await returnOptions(shop.db, order.id))?.[0]?.kinds.return.until).toBe("2026-04-11");
  });

  it("keeps its parcel from being undone", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
    const parcel = await shipOrder(shop.db, null, order.id, aParcel(++parcels), null);
    const id = await asked(order, "charging-dock");
    const undo = () => undoShipment(shop.db, order.id, parcel.ok ? parcel.shipmentId : "", staff);
    expect(await undo()).toEqual({ ok: false, reason: "refunded" });
    await withdrawReturn(shop.db, order.id, id, "guest");
    expect(await undo()).toMatchObject({ ok: true });
  });
});

/** The customer pays what a return costs on the provider's page. */
async function pay(id: string): Promise<void> {
  const { orderId, toPay } = (await getReturn(shop.db, id))!;
  const { chargeId, cents } = toPay!;
  const reference = `link of ${chargeId} ${randomUUID()}`;
  bank.authorize(reference, cents);
  await query(
    `INSERT INTO payments (order_id, charge_id, provider, reference, intent_reference, state, amount)
     VALUES ($1, $2, 'stripe', $3, $3, 'open', $4)`,
    [orderId, chargeId, reference, cents],
  );
  await reconcileOrder(shop.db, bank.providers, orderId);
  await runAsked();
}
const ship = (orderId: string) => shipOrder(shop.db, bank.providers, orderId, aParcel(++parcels), null);
const statusOf = async (orderId: string) =>
  (
    await one<{ status: string }>(
      "SELECT CASE stage WHEN 'partly-shipped' THEN 'partly shipped' ELSE status END AS status FROM orders WHERE id = $1",
      [orderId],
    )
  ).status;

describe("an exchange", () => {
  it("sets the wanted product aside, asks for the difference, and ships it with its order", async () => {
    const order = await delivered({ "polara-classic-frost-white": 2 });
    const before = await unitsOf(shop.pool, BOWL);
    const difference = ((await priceOf(BOWL)) - 40_00) * 2;
    const id = await asked(order, "polara-classic-frost-white", await exchangeFor(BOWL, 2));
    expect(await getReturn(shop.db, id)).toMatchObject({ sent: "reserved", money: { moreCents: difference } });
    await expectStock(BOWL, before, -2);
    await inspected(id);
    expect(await ship(order.id)).toMatchObject({ ok: false, reason: "status" });
    expect(await resolve(id, "replacement")).toEqual({ ok: true, refund: null, isSent: true });
    expect(await getReturn(shop.db, id)).toMatchObject({
      sent: "unpaid",
      toPay: { cents: difference, why: "difference" },
    });
    expect([await ship(order.id), await statusOf(order.id)]).toMatchObject([{ reason: "status" }, "delivered"]);
    const { name } = await one<{ name: string }>("SELECT name FROM products WHERE slug = $1", [BOWL]);
    const [decided] = (await writtenTo(order.id)).filter(({ subject }) =>
      subject.startsWith(`Your ${name} is next: R-`),
    );
    expect(decided?.text).toContain(`we’re sending you ${name} in exchange.`);
    expect(decided?.text).not.toContain("polara-classic-frost-white");
    const textsWith = async (methods: Parameters<typeof setAvailableMethods>[0]) => {
      setAvailableMethods(methods);
      const texts = (await writtenTo(order.id)).map(({ text }) => text).join("\n");
      setAvailableMethods([]);
      return [texts.includes(`#returns`), texts.includes("We’ll contact you about the payment.")];
    };
    expect(await textsWith(["card"])).toEqual([true, false]);
    expect(await textsWith([])).toEqual([true, true]);
    const sum = bank.sum();
    await pay(id);
    expect([bank.sum(), await statusOf(order.id)]).toEqual([sum + difference, "partly shipped"]);
    expect(await ship(order.id)).toMatchObject({ ok: true, state: "shipped" });
    await chores();
    expect([await stateOf(id), (await getReturn(shop.db, id))!.sent]).toEqual(["closed", "sent"]);
    await expectStock(BOWL, before, -2);
    const options = (await returnOptions(shop.db, order.id))!;
    expect(options.map(({ kinds }) => kinds)).toMatchObject([
      { return: { why: "in-return" } },
      { return: { why: "free" }, warranty: { why: null } },
    ]);
  });

  it("refunds what the wanted product costs less", async () => {
    const order = await delivered({ "charging-dock": 1 });
    const less = 40_00 - (await priceOf("travel-sleeve"));
    const id = await asked(order, "charging-dock", await exchangeFor("travel-sleeve"));
    await inspected(id);
    expect(await resolve(id, "replacement")).toMatchObject({ ok: true, refund: { cents: less, state: "done" } });
    const [email] = (await writtenTo(order.id)).filter(({ subject }) => subject.startsWith("Your refund"));
    expect(email?.text).toContain("What you exchanged it for costs less.");
    expect(email?.text).not.toContain("We’ve got your return.");
    expect(await ship(order.id)).toMatchObject({ ok: true });
  });

  it("that cannot be sent is refunded, once its units are canceled", async () => {
    const order = await delivered({ "charging-dock": 1 });
    const id = await asked(order, "charging-dock", await exchangeFor(FILTERS));
    await inspected(id);
    await resolve(id, "replacement");
    await pay(id);
    const cents = 40_00 + ((await priceOf(FILTERS)) - 40_00);
    const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1 AND return_id = $2", [
      order.id,
      id,
    ]);
    const canceled = { keep: { [line!.id]: 0 }, returnsStock: true, reason: "sold-out" } as const;
    const sum = bank.sum();
    expect(await cancelItems(shop.db, bank.providers, order.id, canceled, staff)).toMatchObject({
      ok: true,
      refund: { cents, state: "done" },
    });
    await chores();
    expect([bank.sum(), await stateOf(id), await statusOf(order.id)]).toEqual([sum - cents, "closed", "delivered"]);
  });

  it("is refused for a price or stock that has changed, and for two lines", async () => {
    const order = await delivered({ "charging-dock": 1, "travel-sleeve": 1 });
    const wanted = await exchangeFor(FILTERS);
    const cheaper = { productId: wanted.exchange!.productId, differenceCents: wanted.exchange!.differenceCents! - 1 };
    expect(await ask(order, "charging-dock", { ...wanted, exchange: cheaper })).toMatchObject({
      reason: "price-changed",
    });
    const units = Object.fromEntries(Object.values(order.lines).map((line) => [line, 1]));
    expect(await ask(order, "charging-dock", { ...wanted, units })).toMatchObject({ reason: "one-line" });
    await setUnits(shop.pool, FILTERS, 0);
    expect(await ask(order, "charging-dock", wanted)).toMatchObject({ reason: "sold-out" });
    const choices = await exchangeChoices(shop.db, order.id, { lineId: order.lines["charging-dock"]!, units: 1 });
    const slugs = choices.map(({ slug }) => slug);
    expect(slugs).toContain("travel-sleeve");
    for (const slug of [FILTERS, "charging-dock", "produce-basket", "polara-classic-earth-green"])
      expect(slugs).not.toContain(slug);
    expect(await eventsOf(order.id)).toEqual([]);
  });

  it.each(["withdrawn", "expired"] as const)("returns the reserved units when it is %s", async (end) => {
    const order = await delivered();
    const before = await unitsOf(shop.pool, FILTERS);
    const id = await asked(order, "charging-dock", await exchangeFor(FILTERS));
    await expectStock(FILTERS, before, -1);
    if (end === "withdrawn") await withdrawReturn(shop.db, order.id, id, "guest");
    else {
      await query("UPDATE returns SET ship_by = ship_by - 22, reminded_at = now() WHERE id = $1", [id]);
      await chores();
    }
    expect(await stateOf(id)).toBe(end);
    await expectStock(FILTERS, before, 0);
    expect(await authorizeReturn(shop.db, id, { event: "reopened" }, staff)).toEqual({
      ok: true,
      repeated: false,
    });
    await expectStock(FILTERS, before, -1);
    expect(await stateOf(id)).toBe("authorized");
  });
});

describe("a defect or a claim", () => {
  it("is answered by a replacement at no charge, also without the product", async () => {
    const order = await delivered();
    const before = await unitsOf(shop.pool, "charging-dock");
    const id = await asked(order, "charging-dock", { kind: "defect", reason: "missing" });
    const resolved = await resolve(id, "replacement");
    expect(resolved).toMatchObject({ ok: true, refund: null });
    await expectStock("charging-dock", before, -1);
    expect(await statusOf(order.id)).toBe("partly shipped");
    expect(await ship(order.id)).toMatchObject({ ok: true });
    await setUnits(shop.pool, "charging-dock", 0);
    const other = await asked(order, "charging-dock", { kind: "defect", reason: "damaged" });
    await authorizeReturn(shop.db, other, {}, staff);
    expect(await resolve(other, "replacement")).toEqual({ ok: false, reason: "sold-out" });
    expect(await resolve(other, "refund")).toMatchObject({ ok: true, refund: { cents: 40_00 + 9_99 } });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["its buyer cancels it once it is delayed", (id) => cancelByBuyer(shop.db, id, "guest")],
    ["the account is deleted", (id) => shop.db.transaction((tx) => cancelRest(tx, id, "customer", "asked"))],
  ])("whose replacement is canceled because %s is refunded by staff, within their limit", async (_why, cancel) => {
    const order = await delivered({ "charging-dock": 4 });
    const id = await asked(order, "charging-dock", { kind: "defect", reason: "damaged", count: 3 });
    await resolve(id, "replacement");
    const until = daysAfter(newYorkDay(new Date()), 20);
    expect(await delayOrder(shop.db, order.id, until, null)).toMatchObject({ ok: true });
    const before = bank.sum();
    await cancel(order.id);
    await runAsked();
    await chores();
    expect(bank.sum()).toBe(before);
    const listed = await listOrderPage(shop.db, { view: "refund-due" }, null, 100);
    expect(listed.orders.map((each) => each.id)).toContain(order.id);
    const refund = await one<{ id: string }>(
      "SELECT id FROM refunds WHERE order_id = $1 ORDER BY created_at DESC LIMIT 1",
      [order.id],
    );
    const give = (role: Role) =>
      retryRefund(shop.db, bank.providers, order.id, { refundId: refund.id }, { ...staff, role });
    expect(await give("support")).toEqual({ ok: false, reason: "limit", cents: 120_00, refundedCents: 0 });
    expect(await give("manager")).toEqual({ ok: true, state: "done" });
    expect(bank.sum()).toBe(before - 120_00);
  });

  it.each([true, false])("is refunded with thanks for its return only if it came back: %s", async (isBack) => {
    const order = await delivered();
    const id = await asked(order, "charging-dock", { kind: "defect", reason: "defective" });
    if (isBack) await inspected(id);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { state: "done" } });
    const [email] = (await writtenTo(order.id)).filter(({ subject }) => subject.startsWith("Your refund"));
    expect(email!.text.includes("We’ve got your return.")).toBe(isBack);
  });

  it("gets checks, then a part, or a repair that is covered for 90 days more", async () => {
    const order = await delivered({ [BOWL]: 2 });
    const id = await asked(order, BOWL, { kind: "warranty", reason: "gasket" });
    expect(await sendChecks(shop.db, id, "Charge it for two hours.", staff)).toMatchObject({ ok: true });
    expect(await authorizeReturn(shop.db, id, { labelUrl: "https://labels.example/1" }, staff)).toMatchObject({
      ok: true,
    });
    const partId = await productId("travel-sleeve");
    expect(await resolve(id, "part")).toEqual({ ok: false, reason: "no-part" });
    expect(await resolve(id, "refund")).toEqual({ ok: false, reason: "outcome" });
    expect(await resolve(id, "part", { partId })).toMatchObject({ ok: true });
    const repaired = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    await inspected(repaired);
    const resolved = await resolve(repaired, "repair");
    expect(resolved).toMatchObject({ ok: true, refund: null });
    expect(await ship(order.id)).toMatchObject({ ok: true });
    await markDelivered(shop.db, order.id, null);
    await chores();
    expect(await stateOf(repaired)).toBe("closed");
    await query("UPDATE orders SET created_at = now() - interval '3 years' WHERE id = $1", [order.id]);
    const [line] = (await returnOptions(shop.db, order.id))!;
    expect(line?.kinds.warranty).toEqual({ units: 1, until: daysAfter(newYorkDay(new Date()), 90), why: null });
    const texts = (await writtenTo(order.id)).map(({ text }) => text).join("\n");
    for (const words of ["Charge it for two hours.", "https://labels.example/1", "a new part", "It’s working again"])
      expect(texts).toContain(words);
  });

  it("keeps the warranty of its purchase, also for the replacement, when the product changes", async () => {
    const order = await delivered({ [BOWL]: 1 });
    const product = await one<{ category: string; specs: unknown }>("SELECT * FROM products WHERE slug = $1", [BOWL]);
    const change = (category: string, specs: unknown) =>
      query("UPDATE products SET category = $1, specs = $2 WHERE slug = $3", [category, specs, BOWL]);
    await change("Accessories", {});
    const id = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    await inspected(id);
    await resolve(id, "replacement");
    await ship(order.id);
    const [, line] = (await returnOptions(shop.db, order.id))!;
    await change(product.category, product.specs);
    const until = yearsAfter(newYorkDay(new Date()), warrantyPolicy.warrantyYears);
    expect(line?.kinds.warranty).toEqual({ units: 1, until, why: null });
  });

  it("is declined with a reason, and what is declined or withdrawn may be asked for again", async () => {
    const order = await delivered({ [BOWL]: 1 });
    const first = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    expect(await declineReturn(shop.db, first, "not-covered", staff)).toEqual({ ok: true, repeated: false });
    const second = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    expect(await withdrawReturn(shop.db, randomUUID(), second, "guest")).toEqual({ ok: false, reason: "not-found" });
    expect(await withdrawReturn(shop.db, order.id, second, "guest")).toEqual({ ok: true, repeated: false });
    expect(await withdrawReturn(shop.db, order.id, second, "guest")).toEqual({ ok: true, repeated: true });
    expect(await ask(order, BOWL, { kind: "warranty", reason: "power" })).toMatchObject({
      ok: true,
      state: "requested",
    });
    const [text] = (await writtenTo(order.id))
      .filter(({ subject }) => subject.startsWith("Your request"))
      .map((email) => email.text);
    expect(text).toContain("It isn’t covered by the warranty.");
  });

  it("goes back as it came, and what was restocked is taken again", async () => {
    const order = await delivered({ "charging-dock": 1, "travel-sleeve": 1 });
    const before = await unitsOf(shop.pool, "charging-dock");
    const units = Object.fromEntries(Object.values(order.lines).map((line) => [line, 1]));
    const id = await asked(order, "charging-dock", { units });
    await receiveReturn(shop.db, id, staff);
    const lines = {
      [order.lines["charging-dock"]!]: { condition: "used", isRestocked: true },
      [order.lines["travel-sleeve"]!]: { condition: "damaged", isRestocked: false },
    } as const;
    await inspectReturn(shop.db, id, { lines, deduction: null }, staff);
    await expectStock("charging-dock", before, 1);
    const resolved = await resolve(id, "sent-back");
    expect(resolved).toMatchObject({ ok: true, refund: null });
    await expectStock("charging-dock", before, 0);
    const moves = await shop.pool.query("SELECT reason, delta FROM stock_moves WHERE return_id = $1 ORDER BY id", [id]);
    expect(moves.rows).toEqual([
      { reason: "returned", delta: 1 },
      { reason: "resent", delta: -1 },
    ]);
    expect(await ship(order.id)).toMatchObject({ ok: true });
    await chores();
    expect([await stateOf(id), await statusOf(order.id)]).toEqual(["closed", "shipped"]);
  });
});

describe("a repair", () => {
  async function repair(): Promise<{ order: Sold; id: string }> {
    const order = await delivered({ [BOWL]: 1 });
    return { order, id: await asked(order, BOWL, { kind: "repair", reason: "accident" }) };
  }

  const quoted = async (id: string, cents: number) => {
    await inspected(id);
    expect(await quoteRepair(shop.db, id, cents, staff)).toMatchObject({ ok: true });
  };
  const paysFee = async (id: string) => {
    expect(await askFee(shop.db, id, staff)).toEqual({ ok: true, repeated: false });
    await pay(id);
    expect((await getReturn(shop.db, id))!.fee).toEqual({ cents: 35_00, isPaid: true });
  };

  it("costs the price in all: the paid fee is taken off", async () => {
    const { order, id } = await repair();
    await paysFee(id);
    expect(await askFee(shop.db, id, staff)).toEqual({ ok: false, reason: "asked" });
    await inspected(id);
    expect(await quoteRepair(shop.db, id, 34_99, staff)).toEqual({ ok: false, reason: "price" });
    expect(await resolve(id, "repair")).toEqual({ ok: false, reason: "quote" });
    await quoteRepair(shop.db, id, 60_00, staff);
    expect(await answerQuote(shop.db, randomUUID(), id, true, "guest")).toEqual({ ok: false, reason: "not-found" });
    const answers = await Promise.all([true, false].map((isYes) => answerQuote(shop.db, order.id, id, isYes, "guest")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("goes on with a yes, is paid once it is repaired, and then ships", async () => {
    const { order, id } = await repair();
    await paysFee(id);
    await quoted(id, 60_00);
    const asksToPay = async () => (await mailsOf(order.id)).filter((name) => name === "return-payment").length;
    expect(await answerQuote(shop.db, order.id, id, true, "guest")).toEqual({ ok: true, repeated: false });
    // Only the fee: an authorization would end during a long repair.
    expect(await asksToPay()).toBe(1);
    expect(await resolve(id, "repair")).toMatchObject({ ok: true, isSent: true });
    expect([await asksToPay(), await ship(order.id)]).toMatchObject([2, { reason: "status" }]);
    expect((await getReturn(shop.db, id))!.toPay).toMatchObject({ cents: 25_00, why: "repair" });
    await pay(id);
    expect(await ship(order.id)).toMatchObject({ ok: true });
    await chores();
    expect(await stateOf(id)).toBe("closed");
    const texts = (await writtenTo(order.id)).map(({ text }) => text).join("\n");
    for (const words of ["$60.00", "Say yes or no"]) expect(texts).toContain(words);
  });

  it("goes back with a no, and the fee is kept", async () => {
    const { order, id } = await repair();
    await paysFee(id);
    await quoted(id, 60_00);
    const before = bank.sum();
    expect(await answerQuote(shop.db, order.id, id, false, "guest")).toEqual({ ok: true, repeated: false });
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "resolved", outcome: "sent-back", sent: "waiting" });
    expect([bank.sum(), await ship(order.id)]).toMatchObject([before, { ok: true }]);
  });

  it("asks for the fee before the product goes back, if it is not paid yet", async () => {
    const { order, id } = await repair();
    await askFee(shop.db, id, staff);
    await quoted(id, 60_00);
    await answerQuote(shop.db, order.id, id, false, "guest");
    expect(await getReturn(shop.db, id)).toMatchObject({ sent: "unpaid", toPay: { cents: 35_00, why: "sent-back" } });
    expect(await ship(order.id)).toMatchObject({ reason: "status" });
    const texts = (await writtenTo(order.id)).map(({ text }) => text).join("\n");
    expect(texts).toContain("It ships as soon as you’ve paid the diagnostic fee.");
    expect(texts).not.toContain("We’re sending your product back to you");
    await pay(id);
    expect(await ship(order.id)).toMatchObject({ ok: true });
  });

  it("whose fee the bank refuses can be paid again", async () => {
    const { order, id } = await repair();
    await askFee(shop.db, id, staff);
    bank.faults = ["refuse"];
    await pay(id);
    expect((await getReturn(shop.db, id))!.toPay).toMatchObject({ cents: 35_00 });
    expect(await statusOf(order.id)).toBe("delivered");
    await pay(id);
    expect((await getReturn(shop.db, id))!.fee).toEqual({ cents: 35_00, isPaid: true });
  });

  it("whose fee is authorized, and not taken yet, pays it with the price, and the authorization is released", async () => {
    const { order, id } = await repair();
    await askFee(shop.db, id, staff);
    const { toPay } = (await getReturn(shop.db, id))!;
    await quoted(id, 60_00);
    await answerQuote(shop.db, order.id, id, true, "guest");
    bank.authorize("late fee", 35_00);
    await query(
      `INSERT INTO payments (order_id, charge_id, provider, reference, intent_reference, state, amount)
       VALUES ($1, $2, 'stripe', 'late fee', 'late fee', 'open', 3500)`,
      [order.id, toPay!.chargeId],
    );
    await reconcileOrder(shop.db, bank.providers, order.id);
    await runAsked();
    await resolve(id, "repair");
    expect((await getReturn(shop.db, id))!.toPay).toMatchObject({ cents: 60_00 });
    expect(bank.payments.get("late fee")).toMatchObject({ captured: 0, isVoided: true });
  });

  it("has its fee refunded by staff, and not again once the customer withdraws", async () => {
    const { order, id } = await repair();
    const before = bank.sum();
    await paysFee(id);
    const items = { units: {}, hasShipping: false, services: [{ returnId: id, kind: "fee" }] } as const;
    const fee = { cents: 35_00, items, reason: "goodwill" } as const;
    expect(await refundOrder(shop.db, bank.providers, order.id, fee, null)).toEqual({ ok: true, state: "done" });
    await withdrawReturn(shop.db, order.id, id, "guest");
    await runAsked();
    expect(bank.sum()).toBe(before);
  });

  it.each([false, true])(
    "refunds the fee if the customer withdraws before sending it, also after all else: %s",
    async (isAll) => {
      const { order, id } = await repair();
      const before = bank.sum();
      await paysFee(id);
      expect(bank.sum()).toBe(before + 35_00);
      const goodwill = { cents: order.totalCents, reason: "goodwill" } as const;
      if (isAll)
        expect(await refundOrder(shop.db, bank.providers, order.id, goodwill, null)).toMatchObject({ ok: true });
      await withdrawReturn(shop.db, order.id, id, "guest");
      await runAsked();
      expect(bank.sum()).toBe(isAll ? 0 : before);
    },
  );
});

describe("a label that the shop owes", () => {
  it("starts the days to send it, which no reminder and no end counts before", async () => {
    const order = await delivered({ [BOWL]: 1 });
    const id = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    await authorizeReturn(shop.db, id, {}, staff);
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "authorized", shipBy: null });
    await query("UPDATE returns SET authorized_at = now() - interval '60 days' WHERE id = $1", [id]);
    await chores();
    expect([await stateOf(id), await mailsOf(order.id)]).toEqual([
      "authorized",
      ["return-requested", "return-authorized"],
    ]);
    expect((await dueReturns(shop.db, 1_000)).returns.map((each) => each.id)).toContain(id);
    const label = "https://labels.example/1";
    expect(await addLabel(shop.db, id, label, staff)).toEqual({ ok: true, repeated: false });
    expect(await addLabel(shop.db, id, label, staff)).toEqual({ ok: true, repeated: true });
    expect(await getReturn(shop.db, id)).toMatchObject({ shipBy: daysAfter(newYorkDay(new Date()), 7) });
    expect((await dueReturns(shop.db, 1_000)).returns.map((each) => each.id)).not.toContain(id);
    expect((await writtenTo(order.id)).at(-1)!.text).toContain(label);
    const own = await asked(await delivered(), "charging-dock");
    expect(await addLabel(shop.db, own, label, staff)).toEqual({ ok: false, reason: "no-label-owed" });
  });
});

describe("by itself", () => {
  const shipBy = (id: string, days: number) =>
    query("UPDATE returns SET ship_by = (now() AT TIME ZONE 'America/New_York')::date + $2::int WHERE id = $1", [
      id,
      days,
    ]);

  it("a return is reminded of on the fifth day, once", async () => {
    const order = await delivered();
    const id = await asked(order, "charging-dock");
    await shipBy(id, 3);
    await chores();
    expect(await mailsOf(order.id)).toEqual(["return-authorized"]);
    await shipBy(id, 2);
    await Promise.all([chores(), chores(), chores()]);
    expect(await mailsOf(order.id)).toEqual(["return-authorized", "return-reminder"]);
  });

  it("an authorization ends the day after two weeks, and not before", async () => {
    const order = await delivered();
    const id = await asked(order, "charging-dock");
    await shipBy(id, -14);
    await chores();
    expect(await stateOf(id)).toBe("authorized");
    await shipBy(id, -15);
    await Promise.all([chores(), chores()]);
    expect(await stateOf(id)).toBe("expired");
    expect(await mailsOf(order.id)).toEqual(["return-authorized", "return-reminder", "return-expired"]);
    expect(await ask(order, "charging-dock", { count: 2 })).toMatchObject({ ok: true });
  });

  it("a return ends once its package is lost or refused before it arrives", async () => {
    const order = await placedOrder(shop.db, { "charging-dock": 2 }, { isAuthorized: true });
    bank.authorize(order.reference, order.totalCents);
    const units = { [order.lines["charging-dock"]!]: 1 };
    const [stays, goes] = [
      await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels, units), null),
      await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels), null),
    ].map((sent) => (sent.ok ? sent.shipmentId : ""));
    const before = await unitsOf(shop.pool, "travel-sleeve");
    const id = await asked(order, "charging-dock", await exchangeFor("travel-sleeve", 2));
    await recordTracking(shop.db, order.id, stays!, { state: "delivered", at: new Date() });
    await chores();
    expect([await stateOf(id), await unitsOf(shop.pool, "travel-sleeve")]).toEqual(["authorized", before - 2]);
    await recordTracking(shop.db, order.id, goes!, { state: "refused", at: new Date() });
    await Promise.all([chores(), chores()]);
    expect([await stateOf(id), await unitsOf(shop.pool, "travel-sleeve")]).toEqual(["withdrawn", before]);
    expect(await mailsOf(order.id)).toEqual(["return-authorized", "return-not-needed"]);
    const ended = (await writtenTo(order.id)).at(-1)!;
    expect(ended.subject).toMatch(/^You don’t need to send R-/);
    expect((await returnOptions(shop.db, order.id))?.[0]?.kinds.return).toMatchObject({ units: 1, why: null });
  });

  it("a return closes only after its refund is done", async () => {
    const order = await delivered();
    const id = await asked(order, "charging-dock");
    await inspected(id);
    bank.faults = ["silent"];
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { state: "waiting" } });
    await chores();
    expect(await stateOf(id)).toBe("resolved");
    for (const { id: actionId } of await query<{ id: string }>(
      "SELECT id FROM payment_actions WHERE refund_id IN (SELECT id FROM refunds WHERE return_id = $1)",
      [id],
    ))
      expect(await runAction(shop.db, bank.providers, actionId)).toBe("done");
    await chores();
    expect(await stateOf(id)).toBe("closed");
    expect(bank.sum()).toBe(order.totalCents - 40_00);
    expect((await mailsOf(order.id)).filter((template) => template === "refund-issued")).toHaveLength(1);
  });
});

describe("at once", () => {
  it("two members inspect, and one counts", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const order = await delivered();
      const before = await unitsOf(shop.pool, "charging-dock");
      const id = await asked(order, "charging-dock");
      await receiveReturn(shop.db, id, staff);
      const lines = await findings(id);
      const deductions = [null, { cents: 5_00, reason: "used" as const }];
      const both = await Promise.all(
        deductions.map((deduction) => inspectReturn(shop.db, id, { lines, deduction }, staff)),
      );
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: "state", state: "inspected" });
      await expectStock("charging-dock", before, 1);
    }
  });

  it("two members refund, and the money goes back once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const order = await delivered();
      const id = await asked(order, "charging-dock");
      await inspected(id);
      const before = bank.sum();
      const both = await Promise.all([resolve(id, "refund"), resolve(id, "refund"), resolve(id, "sent-back")]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      const isRefunded = (await getReturn(shop.db, id))?.outcome === "refund";
      expect(bank.sum()).toBe(before - (isRefunded ? 40_00 : 0));
    }
  });

  it("a customer withdraws while it is received, and one of the two happens", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const order = await delivered();
      const before = await unitsOf(shop.pool, FILTERS);
      const id = await asked(order, "charging-dock", await exchangeFor(FILTERS));
      const [withdrawn, received] = await Promise.all([
        withdrawReturn(shop.db, order.id, id, "guest"),
        receiveReturn(shop.db, id, staff),
      ]);
      expect([withdrawn.ok, received.ok].toSorted()).toEqual([false, true]);
      expect(await stateOf(id)).toBe(withdrawn.ok ? "withdrawn" : "received");
      await expectStock(FILTERS, before, withdrawn.ok ? 0 : -1);
    }
  });

  it("exchanges and sales never take more than there is", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const both = [await delivered(), await delivered()];
      await setUnits(shop.pool, FILTERS, 1);
      const wanted = await exchangeFor(FILTERS);
      const sale = shop.db.execute(
        `UPDATE stock SET inventory_count = inventory_count - 1 WHERE inventory_count >= 1 AND product_id = '${await productId(FILTERS)}'`,
      );
      const results = await Promise.all(both.map((order) => ask(order, "charging-dock", wanted)));
      const won = results.filter(({ ok }) => ok).length + ((await sale).rowCount ?? 0);
      expect(won).toBe(1);
      expect(await unitsOf(shop.pool, FILTERS)).toBe(0);
      for (const result of results) if (!result.ok) expect(result.reason).toBe("sold-out");
    }
  });

  it("the same units are asked for twice, and once given", async () => {
    const order = await delivered();
    const results = await Promise.all(Array.from({ length: 4 }, () => ask(order, "charging-dock", { count: 2 })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe("every act in every state", () => {
  type Act = {
    events: ReturnEvent[];
    kind?: "repair";
    run: (id: string, orderId: string) => Promise<{ ok: boolean; reason?: string }>;
  };
  const acts: Record<string, Act> = {
    authorize: { events: ["authorized"], run: (id) => authorizeReturn(shop.db, id, {}, staff) },
    decline: { events: ["declined"], run: (id) => declineReturn(shop.db, id, "late", staff) },
    checks: { events: ["checks-sent"], run: (id) => sendChecks(shop.db, id, "Try this.", staff) },
    fee: { events: ["fee-asked"], run: (id) => askFee(shop.db, id, staff) },
    reopen: { events: ["reopened"], run: (id) => authorizeReturn(shop.db, id, { event: "reopened" }, staff) },
    withdraw: { events: ["withdrawn"], run: (id, orderId) => withdrawReturn(shop.db, orderId, id, "guest") },
    receive: { events: ["received"], run: (id) => receiveReturn(shop.db, id, staff) },
    inspect: {
      events: ["inspected"],
      run: async (id) => inspectReturn(shop.db, id, { lines: await findings(id, false), deduction: null }, staff),
    },
    quote: { events: ["quoted"], run: (id) => quoteRepair(shop.db, id, 60_00, staff) },
    yes: { events: ["quote-accepted"], run: (id, orderId) => answerQuote(shop.db, orderId, id, true, "guest") },
    no: { events: ["quote-refused"], run: (id, orderId) => answerQuote(shop.db, orderId, id, false, "guest") },
    resolve: { events: ["resolved"], run: (id) => resolve(id, "sent-back") },
  };
  /** Pressed again, these say the same. */
  const repeats: Partial<Record<string, ReturnState>> = {
    reopen: "authorized",
    decline: "declined",
    withdraw: "withdrawn",
    receive: "received",
  };

  async function repairIn(state: ReturnState): Promise<{ id: string; orderId: string }> {
    const order = await delivered({ [BOWL]: 1 });
    const id = await asked(order, BOWL, { kind: "repair", reason: "accident" });
    // Written past the trigger, whose pairs have a test of their own.
    await shop.pool.query(`
      BEGIN; ALTER TABLE returns DISABLE TRIGGER USER;
      UPDATE returns SET state = '${state}', ship_by = '2099-01-01', quote = 6000,
        outcome = ${state === "resolved" || state === "closed" ? "'repair'" : "NULL"},
        refuse_reason = ${state === "declined" ? "'late'" : "NULL"} WHERE id = '${id}';
      ALTER TABLE returns ENABLE TRIGGER USER; COMMIT`);
    return { id, orderId: order.id };
  }

  it.each(RETURN_STATES)("%s: refused unless the lifecycle allows it", async (state) => {
    let repair = await repairIn(state);
    for (const [name, { events, run }] of Object.entries(acts)) {
      const result = await run(repair.id, repair.orderId);
      const mayHappen = events.some((event) => isAllowed(event, state)) || repeats[name] === state;
      // A repair ends after its inspection, not before.
      const isOutcome = name !== "resolve" || state === "inspected";
      expect([name, result.ok], JSON.stringify(result)).toEqual([name, mayHappen && isOutcome]);
      if (!mayHappen) expect(result).toEqual({ ok: false, reason: "state", state });
      // A refused answer changes nothing, and serves again.
      if (result.ok) repair = await repairIn(state);
    }
  });
});

it("a product that is refused on its way back to its owner is said to go out again", async () => {
  const order = await delivered({ [BOWL]: 1 });
  const id = await asked(order, BOWL);
  await inspected(id);
  expect(await resolve(id, "sent-back")).toMatchObject({ ok: true });
  const sent = await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels), null);
  await recordTracking(shop.db, order.id, sent.ok ? sent.shipmentId : "", { state: "refused", at: new Date() });
  const { text } = (await writtenTo(order.id)).at(-1)!;
  expect(text).toContain("Once we have it back, we’ll send it to you again.");
  expect(text).not.toContain("refund");
});

it("lists the board by state and kind in pages, what is due by its day, and the returns of an order", async () => {
  const order = await delivered({ [BOWL]: 2, "charging-dock": 1 });
  const first = await asked(order, BOWL, { kind: "warranty", reason: "power" });
  const second = await asked(order, "charging-dock");
  const third = await asked(order, BOWL, { kind: "repair", reason: "accident" });
  await receiveReturn(shop.db, second, staff);
  const mine = (rows: { id: string }[]) => rows.map(({ id }) => id).filter((id) => [first, second, third].includes(id));
  expect(mine(await listReturns(shop.db, {}))).toEqual([third, second, first]);
  expect(mine(await listReturns(shop.db, { state: "requested" }))).toEqual([third, first]);
  expect(mine(await listReturns(shop.db, { kind: "return" }))).toEqual([second]);
  expect(mine(await listReturns(shop.db, { before: second }))).toEqual([first]);
  const due = async () => mine((await dueReturns(shop.db, 1_000)).returns);
  expect(await due()).toEqual([second, first, third]);
  expect(mine(await listReturnsOfOrder(shop.db, order.id))).toEqual([third, second, first]);
  expect((await listReturns(shop.db, {})).find(({ id }) => id === third)).toMatchObject({
    name: "Ada Lovelace",
    products: BOWL,
  });
  // A price that is not answered is the customer's turn, until its promised day is over.
  await inspected(third);
  await quoteRepair(shop.db, third, 60_00, staff);
  expect(await due()).toEqual([second, first]);
  await query("UPDATE returns SET due_on = '2026-01-02' WHERE id = $1", [third]);
  expect(await due()).toEqual([third, second, first]);
});

it.each([
  ["lost, another one is sent", 1],
  ["refused, it is sent again", 0],
])("a product that goes back to its owner is none of the shop's; once it is %s", async (how, more) => {
  const order = await delivered({ [BOWL]: 1 });
  const product = await productId(BOWL);
  const until = daysAfter(newYorkDay(new Date()), 60);
  const ofStock = async () => {
    const { orders } = (await previewDelay(shop.db, product, { until, paysAgain: true }))!;
    return [await countUnsent(shop.db, product), orders];
  };
  const [unsent, delayed] = await ofStock();
  const id = await asked(order, BOWL);
  await inspected(id);
  expect(await resolve(id, "sent-back")).toMatchObject({ ok: true });
  expect(await ofStock()).toEqual([unsent, delayed]);
  const sent = await shipOrder(shop.db, bank.providers, order.id, aParcel(++parcels), null);
  const parcel = sent.ok ? sent.shipmentId : "";
  await chores();
  await recordTracking(shop.db, order.id, parcel, {
    state: how.startsWith("lost") ? "lost" : "refused",
    at: new Date(),
  });
  if (how.startsWith("refused")) await receiveBack(shop.db, order.id, parcel, { returnsStock: false }, null);
  expect(await sendAgain(shop.db, order.id, parcel, null)).toMatchObject({ ok: true });
  expect(await ofStock()).toEqual([unsent! + more, delayed! + more]);
});
