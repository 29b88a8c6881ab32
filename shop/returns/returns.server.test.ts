/** Returns from the request to the close, as the database, the provider and the customer see them. Decisions are proven in memory. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { recordsOf } from "#tests/support/order-records.ts";
import { placedOrder, type Placed } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { aParcel } from "#tests/support/staff.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { returnAddress } from "#shop/contact-addresses.server.ts";
import { cancelItems, cancelRest } from "#shop/fulfillment/cancel-items.server.ts";
import { previewDelay } from "#shop/fulfillment/delay-product.server.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelByBuyer, markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { receiveBack, recordTracking, sendAgain } from "#shop/fulfillment/parcels-on-the-way.server.ts";
import { refundOrder, retryRefund } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { countUnsent } from "#shop/fulfillment/shipments.server.ts";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import { daysAfter, newYorkDay, yearsAfter } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
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
const { query, eventsOf, mailsOf, emailOf, textsOf, statusOf, fail, ...records } = recordsOf(shop);
const BOWL = "polara-pro-frost-white";
const FILTERS = "ethylene-filter-6-pack";
const [DOCK, SLEEVE] = ["charging-dock", "travel-sleeve"];
const staff: Acting = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null };
const today = newYorkDay(new Date());
let bank: MemoryProvider;
let parcels = 0;

beforeEach(async () => {
  bank = new MemoryProvider();
  for (const slug of [DOCK, SLEEVE, BOWL, FILTERS]) await setUnits(shop.pool, slug, 50);
});

const one = async <Row extends object>(text: string, values: unknown[] = []) => (await query<Row>(text, values))[0]!;
const productId = async (slug: string) =>
  (await one<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug])).id;
const priceOf = async (slug: string) => {
  const price = "SELECT coalesce(early_bird_price, price) AS price FROM products WHERE slug = $1";
  return (await one<{ price: number }>(price, [slug])).price;
};
const stockOf = (slug = DOCK) => unitsOf(shop.pool, slug);
const stateOf = async (id: string) => (await getReturn(shop.db, id))?.state;
const stageOf = async (id: string) =>
  (await one<{ stage: string }>("SELECT stage FROM orders WHERE id = $1", [id])).stage;
/** Emails of returns and refunds. */
const ofReturns = async (orderId: string) =>
  (await mailsOf(orderId)).filter((template) => /^(return|refund)/.test(template));

type Sold = Placed;
const ship = ({ id }: Sold, units?: Record<string, number>) =>
  shipOrder(shop.db, bank.providers, id, aParcel(++parcels, units), null);

/** Units at 40 dollars each, authorized. */
async function bought(units: Record<string, number> = { [DOCK]: 2 }): Promise<Sold> {
  const order = await placedOrder(shop.db, units, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  return order;
}
/** Paid, and arrived. */
async function delivered(units?: Record<string, number>): Promise<Sold> {
  const order = await bought(units);
  expect(await ship(order)).toMatchObject({ ok: true, state: "shipped" });
  expect(await markDelivered(shop.db, order.id, null)).toMatchObject({ ok: true });
  return order;
}

const ask = ({ id, lines }: Sold, slug: string, request: Partial<ReturnRequest> & { count?: number } = {}) => {
  const plain = { formKey: randomUUID(), kind: "return", reason: "not-for-me", description: "" } as const;
  const units = { [lines[slug]!]: request.count ?? 1 };
  return requestReturn(shop.db, null, id, { ...plain, units, ...request }, "guest");
};

async function asked(...given: Parameters<typeof ask>): Promise<string> {
  const result = await ask(...given);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.returnId;
}

const findings = async (id: string, isRestocked = true) =>
  Object.fromEntries(
    (await getReturn(shop.db, id))!.items.map((item) => [item.id, { condition: "new", isRestocked } as const]),
  );
async function inspected(id: string) {
  const { kind, state } = (await getReturn(shop.db, id))!;
  if (state === "requested") await authorizeReturn(shop.db, id, {}, staff);
  expect(await receiveReturn(shop.db, id, staff)).toEqual({ ok: true, repeated: false });
  const lines = await findings(id, kind !== "warranty" && kind !== "repair");
  expect(await inspectReturn(shop.db, id, { lines, deduction: null }, staff)).toEqual({ ok: true, repeated: false });
}
const desk = () => ({ providers: bank.providers, taxProvider: null });
/** Resolves a return, with the effect that staff read before they choose. */
async function resolve(id: string, outcome: Outcome, more: object = {}, by = staff) {
  const effect = (await effectsOf(shop.db, id)).find((each) => each.outcome === outcome);
  const resolved = await resolveReturn(shop.db, desk(), id, { outcome, ...more }, by);
  const dueCents = (await getReturn(shop.db, id))?.toPay?.cents ?? 0;
  if (resolved.ok)
    expect(effect).toMatchObject({ outcome, ok: true, backCents: resolved.refund?.cents ?? 0, dueCents });
  return resolved;
}
const chores = () => carryOutReturns(shop.db, fail);
const runAsked = () => records.runActions(bank.providers);
const optionsOf = async ({ id }: Sold) => (await returnOptions(shop.db, id))!;
const exchangeFor = async (slug: string, count = 1): Promise<Partial<ReturnRequest> & { count: number }> => ({
  count,
  kind: "exchange",
  reason: "other-model",
  exchange: { productId: await productId(slug), differenceCents: ((await priceOf(slug)) - 40_00) * count },
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

describe("a plain return", () => {
  it("is authorized at once, and refunds what was paid after the inspection", async () => {
    const order = await delivered({ [DOCK]: 2, [SLEEVE]: 1 });
    const result = await ask(order, DOCK, { count: 2 });
    expect(result).toMatchObject({ ok: true, state: "authorized", repeated: false });
    const { returnId: id, number } = result as { returnId: string; number: string };
    expect(await getReturn(shop.db, id)).toMatchObject({
      number,
      shipBy: daysAfter(today, 7),
      labelBy: "customer",
      staffId: null,
    });
    expect(await findReturn(shop.db, number)).toBe(id);
    await inspected(id);
    expect(await stockOf()).toBe(52);
    const money = { linesCents: 80_00, shippingCents: 0, refundCents: 80_00 };
    expect((await getReturn(shop.db, id))?.money).toMatchObject(money);
    const resolved = await resolve(id, "refund");
    expect(resolved).toEqual({ ok: true, refund: { cents: 80_00, state: "done" }, isSent: false });
    expect(bank.sum()).toBe(order.totalCents - 80_00);
    await chores();
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "closed", money: { refundCents: 80_00 } });
    const changes = (await eventsOf(order.id)).filter(({ type }) => type === "return-changed");
    expect(changes.map(({ data, actor }) => `${String(data!.event)} by ${actor}`)).toEqual([
      "requested by guest",
      "authorized by guest",
      "received by staff",
      "inspected by staff",
      "resolved by staff",
      "closed by system",
    ]);
    const templates = ["return-authorized", "return-received", "return-inspected", "refund-issued"];
    expect(await ofReturns(order.id)).toEqual(templates);
    const label = await emailOf(order.id, "return-authorized");
    expect([label.subject.includes(number), label.text.includes(returnAddress().join("\n"))]).toEqual([true, true]);
    const audited = await query("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [`return:${id}`]);
    expect(audited).toEqual(["received", "inspected", "resolved"].map((action) => ({ action: `return.${action}` })));
  });

  it("has the window under which its order was placed", async () => {
    const until = async (order: Sold) => (await optionsOf(order))[0]?.kinds.return.until;
    const placed = await delivered();
    const window = await until(placed);
    const shorter = { section: "returns", value: { returnDays: 10 }, effectiveOn: today, staffId: staff.staffId };
    await shop.db.insert(settingsVersions).values(shorter as typeof settingsVersions.$inferInsert);
    await loadSettings(shop.db);
    expect(await until(placed)).toBe(window);
    expect(await until(await delivered())).toBe(daysAfter(window ?? "", -20));
    await shop.db.delete(settingsVersions);
    await loadSettings(shop.db);
  });

  it("refunds less for a loss in value, and says why", async () => {
    const order = await delivered();
    const id = await asked(order, DOCK);
    await receiveReturn(shop.db, id, staff);
    const lines = await findings(id);
    const inspect = (cents: number, found = lines) =>
      inspectReturn(shop.db, id, { lines: found, deduction: { cents, reason: "used" } }, staff);
    for (const cents of [0, 40_01, 1.5]) expect(await inspect(cents)).toEqual({ ok: false, reason: "deduction" });
    expect(await inspect(12_50, {})).toEqual({ ok: false, reason: "lines" });
    await inspect(12_50);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 27_50 } });
    expect(await textsOf(order.id)).toContain("reduce your refund by $12.50, to $27.50");
  });

  it("that is the shop’s fault refunds the shipping, and nothing that staff have refunded", async () => {
    const order = await delivered();
    const byHand = {
      cents: 40_00,
      items: { units: { [order.lines[DOCK]!]: 1 }, hasShipping: false },
      reason: "late",
    } as const;
    expect(await refundOrder(shop.db, bank.providers, order.id, byHand, null)).toMatchObject({ ok: true });
    const wrong = { count: 2, reason: "wrong-item" } as const;
    expect(await ask(order, DOCK, wrong)).toMatchObject({ why: "At most 1 of these can be returned." });
    const id = await asked(order, DOCK, { ...wrong, count: 1 });
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "requested", labelBy: "us" });
    await inspected(id);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 49_99 } });
    expect(bank.sum()).toBe(0);
  });

  it("refunds no more than is left, and within the limit of a role", async () => {
    const order = await delivered({ [DOCK]: 3 });
    const rest = { cents: order.totalCents - 110_00, reason: "goodwill" } as const;
    await refundOrder(shop.db, bank.providers, order.id, rest, null);
    const id = await asked(order, DOCK, { count: 3 });
    await inspected(id);
    const money = { linesCents: 120_00, refundCents: 110_00 };
    expect((await getReturn(shop.db, id))?.money).toMatchObject(money);
    const support: Acting = { ...staff, staffId: randomUUID(), role: "support" };
    const limit = { ok: false, reason: "limit", cents: 110_00, refundedCents: 0 };
    expect([await resolve(id, "refund", {}, support), await stateOf(id)]).toEqual([limit, "inspected"]);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { cents: 110_00, state: "done" } });
    expect(bank.sum()).toBe(0);
  });

  it("ends without a refund where nothing was paid", async () => {
    const order = await placedOrder(shop.db, { [DOCK]: 1 }, { isArranged: true });
    await ship(order);
    await query("UPDATE charges SET state = 'withdrawn' WHERE order_id = $1", [order.id]);
    const id = await asked(order, DOCK);
    await inspected(id);
    const said = async () => {
      const { subject, text } = await emailOf(order.id);
      return [subject, text.includes("There’s nothing left to refund.")];
    };
    expect(await said()).toEqual([expect.stringContaining("inspected"), true]);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: null });
    expect(await said()).toEqual([expect.stringContaining("complete"), true]);
  });

  it("is refused with the reason, and once for a form", async () => {
    const order = await delivered();
    const sent = await placedOrder(shop.db, { [DOCK]: 1 });
    const refusals: [Promise<unknown>, object][] = [
      [ask(order, DOCK, { reason: "power" }), { reason: "reason" }],
      [ask(order, DOCK, { count: 0 }), { reason: "nothing-chosen" }],
      [ask(order, DOCK, { count: 1.5 }), { reason: "nothing-chosen" }],
      [ask(order, DOCK, { units: { [randomUUID()]: 1 } }), { reason: "nothing-chosen" }],
      [ask(order, DOCK, { count: 3 }), { reason: "line", why: "At most 2 of these can be returned." }],
      [ask(sent, DOCK), { reason: "line", name: DOCK }],
      [ask({ ...order, id: randomUUID() }, DOCK), { reason: "not-found" }],
    ];
    for (const [result, refusal] of refusals) expect(await result).toMatchObject({ ok: false, ...refusal });
    const form = { formKey: randomUUID(), count: 2 };
    const twice = await Promise.all([ask(order, DOCK, form), ask(order, DOCK, form)]);
    expect(twice.map((result) => result.ok && result.repeated).toSorted()).toEqual([false, true]);
    expect(await ask(order, DOCK)).toMatchObject({ ok: false, reason: "line" });
    const inReturn = { units: 0, until: daysAfter(today, 30), why: "in-return" };
    expect((await optionsOf(order))[0]?.kinds.return).toEqual(inReturn);
  });

  it("counts from the day on which the whole order had arrived, or its promised transit is over", async () => {
    const order = await placedOrder(shop.db, { [DOCK]: 1, [SLEEVE]: 1 }, { isArranged: true });
    const until = async () => (await optionsOf(order)).map(({ kinds }) => kinds.return.until);
    const sends = async (slug: string, at: string) => {
      const sent = await ship(order, { [order.lines[slug]!]: 1 });
      const id = sent.ok ? sent.shipmentId : "";
      await query("UPDATE shipments SET shipped_at = $2 WHERE id = $1", [id, at]);
      return id;
    };
    const arrives = (id: string, at: string) =>
      recordTracking(shop.db, order.id, id, { state: "delivered", at: new Date(at) });
    await arrives(await sends(DOCK, "2026-05-01T15:00:00Z"), "2026-05-01T15:00:00Z");
    expect(await until()).toContain("2026-05-31");
    // Monday; seven business days are Wednesday of the week after, and 30 days later it is over.
    const second = await sends(SLEEVE, "2026-05-04T15:00:00Z");
    expect(await until()).toEqual(["2026-05-31", "2026-06-12"]);
    await arrives(second, "2026-05-20T15:00:00Z");
    expect(await until()).toEqual(["2026-06-19", "2026-06-19"]);
  });
});

describe("an exchange", () => {
  it("sets the wanted product aside, asks for the difference, and ships it with its order", async () => {
    const order = await delivered({ "polara-classic-frost-white": 2 });
    const difference = ((await priceOf(BOWL)) - 40_00) * 2;
    const id = await asked(order, "polara-classic-frost-white", await exchangeFor(BOWL, 2));
    expect(await getReturn(shop.db, id)).toMatchObject({
      sent: "reserved",
      money: { worthCents: 80_00, moreCents: difference },
    });
    expect(await stockOf(BOWL)).toBe(48);
    await inspected(id);
    expect(await resolve(id, "replacement")).toEqual({ ok: true, refund: null, isSent: true });
    const unpaid = { sent: "unpaid", toPay: { cents: difference, why: "difference" } };
    expect(await getReturn(shop.db, id)).toMatchObject(unpaid);
    expect([await ship(order), await statusOf(order.id)]).toMatchObject([{ reason: "status" }, "delivered"]);
    const { name } = await one<{ name: string }>("SELECT name FROM products WHERE slug = $1", [BOWL]);
    const decided = await emailOf(order.id, "return-resolved");
    expect(decided.subject).toContain(`Your ${name} is next: R-`);
    expect(decided.text).toContain(`, and we’re sending you ${name} in exchange.`);
    expect(decided.text).not.toContain("is fine");
    expect(decided.text).not.toContain("polara-classic-frost-white");
    const textsWith = async (methods: Parameters<typeof setAvailableMethods>[0]) => {
      setAvailableMethods(methods);
      const texts = await textsOf(order.id);
      setAvailableMethods([]);
      return [texts.includes(`#returns`), texts.includes("We’ll contact you about the payment.")];
    };
    expect([await textsWith(["card"]), await textsWith([])]).toEqual([
      [true, false],
      [true, true],
    ]);
    const sum = bank.sum();
    await pay(id);
    expect([bank.sum(), await stageOf(order.id)]).toEqual([sum + difference, "partly-shipped"]);
    expect(await ship(order)).toMatchObject({ ok: true, state: "shipped" });
    await chores();
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "closed", sent: "sent" });
    expect(await stockOf(BOWL)).toBe(48);
    expect((await optionsOf(order)).map(({ kinds }) => kinds)).toMatchObject([
      { return: { why: "in-return" } },
      { return: { why: "free" }, warranty: { why: null } },
    ]);
  });

  it("refunds what the wanted product costs less", async () => {
    const order = await delivered({ [DOCK]: 1 });
    const less = 40_00 - (await priceOf(SLEEVE));
    const id = await asked(order, DOCK, await exchangeFor(SLEEVE));
    await inspected(id);
    expect(await resolve(id, "replacement")).toMatchObject({ ok: true, refund: { cents: less, state: "done" } });
    const { text } = await emailOf(order.id, "refund-issued");
    expect(text).toContain("What you exchanged it for costs less.");
    expect(text).not.toContain("We’ve got your return.");
  });

  it("that cannot be sent is refunded, once its units are canceled", async () => {
    const order = await delivered({ [DOCK]: 1 });
    const id = await asked(order, DOCK, await exchangeFor(FILTERS));
    await inspected(id);
    await resolve(id, "replacement");
    await pay(id);
    const line = await one<{ id: string }>("SELECT id FROM order_items WHERE return_id = $1", [id]);
    const canceled = { keep: { [line.id]: 0 }, returnsStock: true, reason: "sold-out" } as const;
    const [sum, cents] = [bank.sum(), await priceOf(FILTERS)];
    expect(await cancelItems(shop.db, bank.providers, order.id, canceled, staff)).toMatchObject({
      ok: true,
      refund: { cents, state: "done" },
    });
    await chores();
    expect([bank.sum(), await stateOf(id), await statusOf(order.id)]).toEqual([sum - cents, "closed", "delivered"]);
  });

  it("is refused for a price or stock that has changed, and for two lines", async () => {
    const order = await delivered({ [DOCK]: 1, [SLEEVE]: 1 });
    const wanted = await exchangeFor(FILTERS);
    const { productId: filters, differenceCents } = wanted.exchange!;
    const cheaper = { productId: filters, differenceCents: differenceCents! - 1 };
    expect(await ask(order, DOCK, { ...wanted, exchange: cheaper })).toMatchObject({ reason: "price-changed" });
    const units = Object.fromEntries(Object.values(order.lines).map((line) => [line, 1]));
    expect(await ask(order, DOCK, { ...wanted, units })).toMatchObject({ reason: "one-line" });
    await setUnits(shop.pool, FILTERS, 0);
    expect(await ask(order, DOCK, wanted)).toMatchObject({ reason: "sold-out" });
    const choices = await exchangeChoices(shop.db, order.id, { lineId: order.lines[DOCK]!, units: 1 });
    const slugs = choices.map(({ slug }) => slug);
    expect(slugs).toContain(SLEEVE);
    for (const slug of [FILTERS, DOCK, "produce-basket", "polara-classic-earth-green"])
      expect(slugs).not.toContain(slug);
    expect(await listReturnsOfOrder(shop.db, order.id)).toEqual([]);
  });

  it.each(["withdrawn", "expired"] as const)("returns the reserved units when it is %s", async (end) => {
    const order = await delivered();
    const id = await asked(order, DOCK, await exchangeFor(FILTERS));
    expect(await stockOf(FILTERS)).toBe(49);
    if (end === "withdrawn") await withdrawReturn(shop.db, order.id, id, "guest");
    else await query("UPDATE returns SET ship_by = ship_by - 22, reminded_at = now() WHERE id = $1", [id]);
    await chores();
    expect([await stateOf(id), await stockOf(FILTERS)]).toEqual([end, 50]);
    expect(await authorizeReturn(shop.db, id, { event: "reopened" }, staff)).toEqual({ ok: true, repeated: false });
    expect([await stateOf(id), await stockOf(FILTERS)]).toEqual(["authorized", 49]);
  });
});

describe("a defect or a claim", () => {
  it("is answered by a replacement at no charge, also without the product", async () => {
    const order = await delivered();
    const id = await asked(order, DOCK, { kind: "defect", reason: "missing" });
    expect(await resolve(id, "replacement")).toMatchObject({ ok: true, refund: null });
    expect([await stockOf(), await stageOf(order.id)]).toEqual([49, "partly-shipped"]);
    expect(await ship(order)).toMatchObject({ ok: true });
    await setUnits(shop.pool, DOCK, 0);
    const other = await asked(order, DOCK, { kind: "defect", reason: "damaged" });
    await authorizeReturn(shop.db, other, {}, staff);
    expect(await resolve(other, "replacement")).toEqual({ ok: false, reason: "sold-out" });
    expect(await resolve(other, "refund")).toMatchObject({ ok: true, refund: { cents: 40_00 + 9_99 } });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["its buyer cancels it once it is delayed", (id) => cancelByBuyer(shop.db, id, "guest")],
    ["the account is deleted", (id) => shop.db.transaction((tx) => cancelRest(tx, id, "customer", "asked"))],
  ])("whose replacement is canceled because %s is refunded by staff, within their limit", async (_why, cancel) => {
    const order = await delivered({ [DOCK]: 4 });
    const id = await asked(order, DOCK, { kind: "defect", reason: "damaged", count: 3 });
    await resolve(id, "replacement");
    expect(await delayOrder(shop.db, order.id, daysAfter(today, 20), null)).toMatchObject({ ok: true });
    const before = bank.sum();
    await cancel(order.id);
    await runAsked();
    await chores();
    expect(bank.sum()).toBe(before);
    const listed = await listOrderPage(shop.db, { view: "refund-due" }, null, 100);
    expect(listed.orders.map((each) => each.id)).toContain(order.id);
    const latest = "SELECT id FROM refunds WHERE order_id = $1 ORDER BY created_at DESC LIMIT 1";
    const { id: refundId } = await one<{ id: string }>(latest, [order.id]);
    const give = (role: Role) => retryRefund(shop.db, bank.providers, order.id, { refundId }, { ...staff, role });
    expect(await give("support")).toEqual({ ok: false, reason: "limit", cents: 120_00, refundedCents: 0 });
    expect(await give("manager")).toEqual({ ok: true, state: "done" });
    expect(bank.sum()).toBe(before - 120_00);
  });

  it.each([
    [DOCK, false],
    [BOWL, true],
  ])("is promised the cover of a warranty for a replaced %s: %s", async (slug, isCovered) => {
    const order = await delivered({ [slug]: 1 });
    const id = await asked(order, slug, { kind: "defect", reason: "missing" });
    await resolve(id, "replacement");
    expect((await emailOf(order.id, "return-resolved")).text.includes("whichever is longer")).toBe(isCovered);
    await ship(order);
    const [, line] = await optionsOf(order);
    expect(line?.kinds.warranty.why === null).toBe(isCovered);
  });

  it.each([true, false])("is refunded with thanks for its return only if it came back: %s", async (isBack) => {
    const order = await delivered();
    const id = await asked(order, DOCK, { kind: "defect", reason: "defective" });
    if (isBack) await inspected(id);
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { state: "done" } });
    expect((await emailOf(order.id, "refund-issued")).text.includes("We’ve got your return.")).toBe(isBack);
  });

  it("gets checks, then a part, or a repair that is covered for 90 days more", async () => {
    const order = await delivered({ [BOWL]: 2 });
    const id = await asked(order, BOWL, { kind: "warranty", reason: "gasket" });
    expect(await sendChecks(shop.db, id, "Charge it for two hours.", staff)).toMatchObject({ ok: true });
    const labelUrl = "https://labels.example/1";
    expect(await authorizeReturn(shop.db, id, { labelUrl }, staff)).toMatchObject({ ok: true });
    expect(await resolve(id, "part")).toEqual({ ok: false, reason: "no-part" });
    expect(await resolve(id, "refund")).toEqual({ ok: false, reason: "outcome" });
    expect(await resolve(id, "part", { partId: await productId(SLEEVE) })).toMatchObject({ ok: true });
    const part = await emailOf(order.id, "return-resolved");
    const repaired = await asked(order, BOWL, { kind: "warranty", reason: "power" });
    await inspected(repaired);
    expect(await resolve(repaired, "repair")).toMatchObject({ ok: true, refund: null });
    expect(await ship(order)).toMatchObject({ ok: true });
    await markDelivered(shop.db, order.id, null);
    await chores();
    expect(await stateOf(repaired)).toBe("closed");
    await query("UPDATE orders SET created_at = now() - interval '3 years' WHERE id = $1", [order.id]);
    const [line] = await optionsOf(order);
    expect(line?.kinds.warranty).toEqual({ units: 1, until: daysAfter(today, 90), why: null });
    const texts = `${part.text}\n${await textsOf(order.id)}`;
    for (const words of ["Charge it for two hours.", "a new part", "It’s working again"])
      expect(texts).toContain(words);
    expect(texts).toContain(labelUrl);
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
    await ship(order);
    const [, line] = await optionsOf(order);
    await change(product.category, product.specs);
    const until = yearsAfter(today, warrantyPolicy.warrantyYears);
    expect(line?.kinds.warranty).toEqual({ units: 1, until, why: null });
  });

  it("is declined with a reason, and what is declined or withdrawn may be asked for again", async () => {
    const order = await delivered({ [BOWL]: 1 });
    const claims = { kind: "warranty", reason: "power" } as const;
    const first = await asked(order, BOWL, claims);
    expect(await declineReturn(shop.db, first, "not-covered", staff)).toEqual({ ok: true, repeated: false });
    expect((await emailOf(order.id)).text).toContain("It isn’t covered by the warranty.");
    const second = await asked(order, BOWL, claims);
    expect(await withdrawReturn(shop.db, randomUUID(), second, "guest")).toEqual({ ok: false, reason: "not-found" });
    for (const repeated of [false, true])
      expect(await withdrawReturn(shop.db, order.id, second, "guest")).toEqual({ ok: true, repeated });
    expect(await ask(order, BOWL, claims)).toMatchObject({ ok: true, state: "requested" });
  });

  it("goes back as it came, and what was restocked is taken again", async () => {
    const order = await delivered({ [DOCK]: 1, [SLEEVE]: 1 });
    const [dock, sleeve] = [order.lines[DOCK]!, order.lines[SLEEVE]!];
    const id = await asked(order, DOCK, { units: { [dock]: 1, [sleeve]: 1 } });
    await receiveReturn(shop.db, id, staff);
    const lines = {
      [dock]: { condition: "used", isRestocked: true },
      [sleeve]: { condition: "damaged", isRestocked: false },
    } as const;
    await inspectReturn(shop.db, id, { lines, deduction: null }, staff);
    expect([await stockOf(), await stockOf(SLEEVE)]).toEqual([51, 50]);
    expect(await resolve(id, "sent-back")).toMatchObject({ ok: true, refund: null });
    expect(await stockOf()).toBe(50);
    expect(await query("SELECT reason, delta FROM stock_moves WHERE return_id = $1 ORDER BY id", [id])).toEqual([
      { reason: "returned", delta: 1 },
      { reason: "resent", delta: -1 },
    ]);
    const sent = await ship(order);
    await chores();
    expect([await stateOf(id), await statusOf(order.id)]).toEqual(["closed", "shipped"]);
    const refused = { state: "refused", at: new Date() } as const;
    await recordTracking(shop.db, order.id, sent.ok ? sent.shipmentId : "", refused);
    const { text } = await emailOf(order.id, "parcel-refused");
    expect([text.includes("Once we have it back, we’ll send it to you again."), text.includes("refund")]).toEqual([
      true,
      false,
    ]);
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
  const answers = ({ id: orderId }: Sold, id: string, isYes: boolean) =>
    answerQuote(shop.db, orderId, id, isYes, "guest");
  const paysFee = async (id: string) => {
    expect(await askFee(shop.db, id, staff)).toEqual({ ok: true, repeated: false });
    await pay(id);
    expect((await getReturn(shop.db, id))!.fee).toEqual({ cents: 35_00, isPaid: true });
  };

  it("goes on with a yes, is paid once it is repaired, less the paid fee, and then ships", async () => {
    const { order, id } = await repair();
    await paysFee(id);
    expect(await askFee(shop.db, id, staff)).toEqual({ ok: false, reason: "asked" });
    await inspected(id);
    expect(await quoteRepair(shop.db, id, 34_99, staff)).toEqual({ ok: false, reason: "price" });
    expect(await resolve(id, "repair")).toEqual({ ok: false, reason: "quote" });
    await quoteRepair(shop.db, id, 60_00, staff);
    expect(await answers({ ...order, id: randomUUID() }, id, true)).toEqual({ ok: false, reason: "not-found" });
    expect(await answers(order, id, true)).toEqual({ ok: true, repeated: false });
    const asksToPay = async () => (await ofReturns(order.id)).filter((name) => name === "return-payment").length;
    // Only the fee: an authorization would end during a long repair.
    expect(await asksToPay()).toBe(1);
    expect(await resolve(id, "repair")).toMatchObject({ ok: true, isSent: true });
    expect([await asksToPay(), await ship(order)]).toMatchObject([2, { reason: "status" }]);
    expect((await getReturn(shop.db, id))!.toPay).toMatchObject({ cents: 25_00, why: "repair" });
    await pay(id);
    expect(await ship(order)).toMatchObject({ ok: true });
    await chores();
    expect(await stateOf(id)).toBe("closed");
    const texts = await textsOf(order.id);
    for (const words of ["$60.00", "Say yes or no"]) expect(texts).toContain(words);
  });

  it("goes back with a no, and the fee is kept", async () => {
    const { order, id } = await repair();
    await paysFee(id);
    await quoted(id, 60_00);
    const before = bank.sum();
    const both = await Promise.all([answers(order, id, false), answers(order, id, false)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await getReturn(shop.db, id)).toMatchObject({ state: "resolved", outcome: "sent-back", sent: "waiting" });
    expect([bank.sum(), await ship(order)]).toMatchObject([before, { ok: true }]);
  });

  it("asks for the fee before the product goes back, and again if the bank refuses it", async () => {
    const { order, id } = await repair();
    await askFee(shop.db, id, staff);
    await quoted(id, 60_00);
    await answers(order, id, false);
    expect(await getReturn(shop.db, id)).toMatchObject({ sent: "unpaid", toPay: { cents: 35_00, why: "sent-back" } });
    expect(await ship(order)).toMatchObject({ reason: "status" });
    const texts = await textsOf(order.id);
    expect(texts).toContain("It ships as soon as you’ve paid the diagnostic fee.");
    expect(texts).not.toContain("We’re sending your product back to you");
    bank.faults = ["refuse"];
    await pay(id);
    expect((await getReturn(shop.db, id))!.toPay).toMatchObject({ cents: 35_00 });
    await pay(id);
    expect(await ship(order)).toMatchObject({ ok: true });
  });

  it("whose fee is authorized, and not taken yet, pays it with the price, and the authorization is released", async () => {
    const { order, id } = await repair();
    await askFee(shop.db, id, staff);
    const { toPay } = (await getReturn(shop.db, id))!;
    await quoted(id, 60_00);
    await answers(order, id, true);
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

  it.each([true, false])(
    "refunds the fee, by staff (%s) or because the customer withdraws, once",
    async (isByStaff) => {
      const { order, id } = await repair();
      const before = bank.sum();
      await paysFee(id);
      expect(bank.sum()).toBe(before + 35_00);
      const items = { units: {}, hasShipping: false, services: [{ returnId: id, kind: "fee" }] } as const;
      const fee = { cents: 35_00, items, reason: "goodwill" } as const;
      if (isByStaff)
        expect(await refundOrder(shop.db, bank.providers, order.id, fee, null)).toEqual({ ok: true, state: "done" });
      await withdrawReturn(shop.db, order.id, id, "guest");
      await runAsked();
      expect(bank.sum()).toBe(before);
    },
  );
});

it("a label that the shop owes starts the days to send it, which no reminder and no end counts before", async () => {
  const order = await delivered({ [BOWL]: 1 });
  const id = await asked(order, BOWL, { kind: "warranty", reason: "power" });
  await authorizeReturn(shop.db, id, {}, staff);
  expect(await getReturn(shop.db, id)).toMatchObject({ state: "authorized", shipBy: null });
  await query("UPDATE returns SET authorized_at = now() - interval '60 days' WHERE id = $1", [id]);
  await chores();
  const isDue = async () => (await dueReturns(shop.db, 1_000)).returns.some((each) => each.id === id);
  expect([await stateOf(id), await isDue()]).toEqual(["authorized", true]);
  expect(await ofReturns(order.id)).toEqual(["return-requested", "return-authorized"]);
  const label = "https://labels.example/1";
  for (const repeated of [false, true])
    expect(await addLabel(shop.db, id, label, staff)).toEqual({ ok: true, repeated });
  expect(await getReturn(shop.db, id)).toMatchObject({ shipBy: daysAfter(today, 7) });
  expect([await isDue(), (await emailOf(order.id)).text.includes(label)]).toEqual([false, true]);
  const own = await asked(await delivered(), DOCK);
  expect(await addLabel(shop.db, own, label, staff)).toEqual({ ok: false, reason: "no-label-owed" });
});

describe("by itself", () => {
  it("a return is reminded of on the fifth day, once, and ends the day after two weeks", async () => {
    const order = await delivered();
    const id = await asked(order, DOCK);
    const at = async (days: number) => {
      await query("UPDATE returns SET ship_by = $2 WHERE id = $1", [id, daysAfter(today, days)]);
      await Promise.all([chores(), chores()]);
      return [await stateOf(id), (await ofReturns(order.id)).at(-1)];
    };
    expect([await at(3), await at(2), await at(-14), await at(-15)]).toEqual([
      ["authorized", "return-authorized"],
      ["authorized", "return-reminder"],
      ["authorized", "return-reminder"],
      ["expired", "return-expired"],
    ]);
    expect(await ofReturns(order.id)).toHaveLength(3);
    expect(await ask(order, DOCK, { count: 2 })).toMatchObject({ ok: true });
  });

  it("a return ends once its package is lost or refused before it arrives", async () => {
    const order = await bought();
    const units = { [order.lines[DOCK]!]: 1 };
    const sent = [await ship(order, units), await ship(order)].map((parcel) => (parcel.ok ? parcel.shipmentId : ""));
    const hears = (place: number, state: "delivered" | "refused") =>
      recordTracking(shop.db, order.id, sent[place]!, { state, at: new Date() });
    const id = await asked(order, DOCK, await exchangeFor(SLEEVE, 2));
    await hears(0, "delivered");
    await chores();
    expect([await stateOf(id), await stockOf(SLEEVE)]).toEqual(["authorized", 48]);
    await hears(1, "refused");
    await Promise.all([chores(), chores()]);
    expect([await stateOf(id), await stockOf(SLEEVE)]).toEqual(["withdrawn", 50]);
    expect(await ofReturns(order.id)).toEqual(["return-authorized", "return-not-needed"]);
    expect((await emailOf(order.id)).subject).toMatch(/^You don’t need to send R-/);
    expect((await optionsOf(order))[0]?.kinds.return).toMatchObject({ units: 1, why: null });
  });

  it("a return closes only after its refund is done", async () => {
    const order = await delivered();
    const id = await asked(order, DOCK);
    await inspected(id);
    bank.faults = ["silent"];
    expect(await resolve(id, "refund")).toMatchObject({ ok: true, refund: { state: "waiting" } });
    await chores();
    expect(await stateOf(id)).toBe("resolved");
    await runAsked();
    await chores();
    expect([await stateOf(id), bank.sum()]).toEqual(["closed", order.totalCents - 40_00]);
    expect((await ofReturns(order.id)).filter((template) => template === "refund-issued")).toHaveLength(1);
  });
});

describe("at once", () => {
  it("two members inspect or refund, and one counts", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await setUnits(shop.pool, DOCK, 50);
      const id = await asked(await delivered(), DOCK);
      await receiveReturn(shop.db, id, staff);
      const lines = await findings(id);
      const deductions = [null, { cents: 5_00, reason: "used" as const }];
      const both = await Promise.all(
        deductions.map((deduction) => inspectReturn(shop.db, id, { lines, deduction }, staff)),
      );
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: "state", state: "inspected" });
      expect(await stockOf()).toBe(51);
      const before = bank.sum();
      const ends = await Promise.all([resolve(id, "refund"), resolve(id, "refund"), resolve(id, "sent-back")]);
      expect(ends.filter(({ ok }) => ok)).toHaveLength(1);
      const { outcome, deductionCents } = (await getReturn(shop.db, id))!;
      expect(bank.sum()).toBe(before - (outcome === "refund" ? 40_00 - deductionCents : 0));
    }
  });

  it("a customer withdraws while it is received, and one of the two happens", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await setUnits(shop.pool, FILTERS, 50);
      const order = await delivered();
      const id = await asked(order, DOCK, await exchangeFor(FILTERS));
      const [withdrawn, received] = await Promise.all([
        withdrawReturn(shop.db, order.id, id, "guest"),
        receiveReturn(shop.db, id, staff),
      ]);
      expect([withdrawn.ok, received.ok].toSorted()).toEqual([false, true]);
      expect([await stateOf(id), await stockOf(FILTERS)]).toEqual(withdrawn.ok ? ["withdrawn", 50] : ["received", 49]);
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
      const results = await Promise.all(both.map((order) => ask(order, DOCK, wanted)));
      const won = results.filter(({ ok }) => ok).length + ((await sale).rowCount ?? 0);
      expect([won, await stockOf(FILTERS)]).toEqual([1, 0]);
      for (const result of results) if (!result.ok) expect(result.reason).toBe("sold-out");
    }
  });

  it("the same units are asked for twice, and once given", async () => {
    const order = await delivered();
    const results = await Promise.all(Array.from({ length: 4 }, () => ask(order, DOCK, { count: 2 })));
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

it("lists the board by state and kind in pages, what is due by its day, and the returns of an order", async () => {
  const order = await delivered({ [BOWL]: 2, [DOCK]: 1 });
  const first = await asked(order, BOWL, { kind: "warranty", reason: "power" });
  const second = await asked(order, DOCK);
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
  const until = daysAfter(today, 60);
  const ofStock = async () => {
    const { orders } = (await previewDelay(shop.db, product, { until, paysAgain: true }))!;
    return [await countUnsent(shop.db, product), orders];
  };
  const [unsent, delayed] = await ofStock();
  const id = await asked(order, BOWL);
  await inspected(id);
  expect(await resolve(id, "sent-back")).toMatchObject({ ok: true });
  expect(await ofStock()).toEqual([unsent, delayed]);
  const sent = await ship(order);
  const parcel = sent.ok ? sent.shipmentId : "";
  await chores();
  const state = how.startsWith("lost") ? "lost" : "refused";
  await recordTracking(shop.db, order.id, parcel, { state, at: new Date() });
  if (state === "refused") await receiveBack(shop.db, order.id, parcel, { returnsStock: false }, null);
  expect(await sendAgain(shop.db, order.id, parcel, null)).toMatchObject({ ok: true });
  expect(await ofStock()).toEqual([unsent! + more, delayed! + more]);
});
