/** Labels and tracking through the sandbox of EasyPost: bought once, shipped once, refunded if not used. */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCarrierSandbox, type CarrierSandbox } from "#sandboxes/easypost/start.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import { getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { listSlips } from "#shop/fulfillment/shipments.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { setUnits } from "#tests/support/stock.ts";
import type { CarrierProvider } from "./carrier-provider.ts";
import { easyPost } from "./easypost.server.ts";
import { buyLabel, labelUrl, type LabelResult, type Providers, runLabel } from "./labels.server.ts";
import { latestQuote, quoteLabel, quoteOrder, type QuoteRefusal } from "./quotes.server.ts";
import { finishLabels } from "./watch-parcels.server.ts";

const shop = useFreshDatabase();
const from = {
  name: "Polara",
  line1: "1 Warehouse Way",
  line2: "",
  city: "Albany",
  state: "NY",
  postalCode: "12207",
  phone: "5185550100",
};
const WEBHOOK = "a webhook that only tests know";
let sandbox: CarrierSandbox;
let carrier: CarrierProvider;
let bank: MemoryProvider;
let providers: Providers;
const report = (error: unknown, what: string) => expect.fail(`${what}: ${String(error)}`);

beforeAll(async () => {
  sandbox = await startCarrierSandbox({ databaseUrl: shop.url, apiKey: randomUUID(), report });
  const { apiKey, apiUrl } = sandbox;
  carrier = easyPost({ webhookSecret: WEBHOOK, from: () => from, connect: async () => ({ apiKey, apiUrl, fetch }) });
  await setUnits(shop.pool, "charging-dock", 1_000);
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  bank = new MemoryProvider();
  providers = { carrier, payments: bank.providers };
  sandbox.faults.length = 0;
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;
const labelsOf = async (orderId: string) =>
  (await query<{ state: string }>("SELECT state FROM labels WHERE order_id = $1 ORDER BY created_at", [orderId])).map(
    ({ state }) => state,
  );
const parcelsOf = (orderId: string) =>
  query<{ id: string; state: string; carrier: string; tracking_number: string }>(
    "SELECT id, state, carrier, tracking_number FROM shipments WHERE order_id = $1 ORDER BY created_at",
    [orderId],
  );

async function authorizedOrder(units: Record<string, number> = { "charging-dock": 2 }) {
  const order = await placedOrder(shop.db, units, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  return order;
}

async function quoted(orderId: string, by: Acting | null = null, slugs = ["charging-dock"]) {
  const { lines } = await linesOf(orderId);
  const units = Object.fromEntries(lines.map(({ id, name, quantity }) => [id, slugs.includes(name) ? quantity : 0]));
  const quote = await quoteLabel(shop.db, providers, orderId, { units }, by);
  if (!quote.ok) throw new Error(quote.reason);
  return { labelId: quote.labelId, rates: quote.rates, rate: quote.rates[0]!.reference };
}

const linesOf = async (orderId: string) => ({
  lines: await query<{ id: string; name: string; quantity: number }>("SELECT * FROM order_items WHERE order_id = $1", [
    orderId,
  ]),
});

const anyone = (): Acting => ({ staffId: randomUUID(), role: "packer", address: "203.0.113.9", requestId: null });

/** As the bulk action does. */
async function packOrder(orderId: string, { carrier: by } = providers): Promise<LabelResult | QuoteRefusal> {
  const quote = await quoteOrder(shop.db, { carrier: by }, orderId, null);
  if (!quote.ok) return quote;
  return buyLabel(shop.db, providers, orderId, { labelId: quote.labelId, rate: quote.rate.reference }, null);
}

describe("rates", () => {
  it("come with the promised speed first, cheapest first, and without unknown carriers", async () => {
    const { id } = await authorizedOrder();
    await query("UPDATE orders SET shipping_method = 'express' WHERE id = $1", [id]);
    const { rates } = await quoted(id);
    expect(rates.map(({ carrier: by, service, cents, days }) => [by, service, days, cents])).toEqual([
      ["usps", "Priority", 3, 14_12],
      ["fedex", "2 Day", 2, 28_46],
      ["ups", "Next Day Air", 1, 57_70],
      ["usps", "Ground Advantage", 5, 8_82],
      ["ups", "Ground", 4, 11_56],
    ]);
  });

  it("are refused for what cannot ship, and without an answer", async () => {
    const { id } = await authorizedOrder();
    sandbox.faults.push({ path: /shipments$/, when: "before", how: "cut" });
    expect(await quoteOrder(shop.db, providers, id, null)).toEqual({ ok: false, reason: "carrier-away" });
    await query("UPDATE orders SET on_hold_since = now() WHERE id = $1", [id]);
    expect(await quoteOrder(shop.db, providers, id, null)).toEqual({ ok: false, reason: "on-hold" });
  });
});

describe("rates", () => {
  it.each([
    ["all units", ["charging-dock", "travel-sleeve"], { box: "bowl", ounces: 87 }],
    ["one of the lines", ["travel-sleeve"], { box: "mailer", ounces: 9 }],
  ])("are for %s: units, box and weight", async (_name, slugs, packing) => {
    const { id, lines } = await authorizedOrder({ "charging-dock": 3, "travel-sleeve": 1 });
    await quoted(id, null, slugs);
    const units = Object.fromEntries(slugs.map((slug) => [lines[slug], slug === "charging-dock" ? 3 : 1]));
    expect(await query("SELECT box, ounces, units FROM labels WHERE order_id = $1", [id])).toEqual([
      { ...packing, units },
    ]);
  });
});

const pasted = { carrier: "ups", trackingNumber: "1Z999AA10123456784" } as const;

describe("a label", () => {
  it("is bought, captures the payment, and ships with its number; its picture is there to print", async () => {
    const { id, totalCents } = await authorizedOrder();
    const { labelId, rate } = await quoted(id);
    const shipped = await buyLabel(shop.db, providers, id, { labelId, rate }, null);
    expect(shipped).toMatchObject({ ok: true, state: "shipped", repeated: false });
    expect(bank.sum()).toBe(totalCents);
    const [parcel] = await parcelsOf(id);
    expect(parcel).toMatchObject({
      state: "shipped",
      carrier: "usps",
      tracking_number: expect.stringMatching(/^94\d{20}$/),
    });
    expect(await listSlips(shop.db, [parcel!.id])).toMatchObject([
      { id: parcel!.id, orderId: id, hasLabel: true, lines: [{ name: "charging-dock", units: 2 }] },
    ]);
    const { type, bytes } = await carrier.print((await labelUrl(shop.db, parcel!.id)) ?? "");
    expect([type, Buffer.from(bytes.subarray(1, 4)).toString()]).toEqual(["image/png", "PNG"]);
  });

  it("is bought once, however often and by however many it is asked for", async () => {
    const before = await sandbox.count();
    const { id } = await authorizedOrder();
    const { labelId, rate } = await quoted(id);
    const buy = () => buyLabel(shop.db, providers, id, { labelId, rate }, null);
    await Promise.all([buy(), buy(), buy()]);
    await runLabel(shop.db, providers, labelId);
    expect((await sandbox.count()).bought - before.bought).toBe(1);
    expect([await labelsOf(id), (await parcelsOf(id)).map(({ state }) => state)]).toEqual([["used"], ["shipped"]]);
  });

  it.each(["cut", "error"] as const)(
    "whose answer was lost (%s) is finished by the jobs, and bought once",
    async (how) => {
      const before = await sandbox.count();
      const { id } = await authorizedOrder();
      const { labelId, rate } = await quoted(id);
      sandbox.faults.push({ path: /buy$/, when: "after", how });
      expect(await buyLabel(shop.db, providers, id, { labelId, rate }, null)).toEqual({
        ok: false,
        reason: "label-waiting",
      });
      expect(await labelsOf(id)).toEqual(["asked"]);
      // Another one cannot be bought meanwhile.
      const again = await quoted(id);
      expect(await buyLabel(shop.db, providers, id, { labelId: again.labelId, rate: again.rate }, null)).toEqual({
        ok: false,
        reason: "label-under-way",
      });
      await finishLabels(shop.db, providers, report);
      expect((await sandbox.count()).bought - before.bought).toBe(1);
      expect((await labelsOf(id)).toSorted()).toEqual(["quoted", "used"]);
      expect((await parcelsOf(id)).map(({ state }) => state)).toEqual(["shipped"]);
    },
  );

  it("is refunded if other units are left once its purchase is answered", async () => {
    const { id, lines } = await authorizedOrder();
    const { labelId, rate } = await quoted(id);
    sandbox.faults.push({ path: /buy$/, when: "after", how: "cut" });
    await buyLabel(shop.db, providers, id, { labelId, rate }, null);
    const units = { [lines["charging-dock"]!]: 1 };
    expect(await shipOrder(shop.db, bank.providers, id, { ...pasted, units }, null)).toMatchObject({ ok: true });
    await finishLabels(shop.db, providers, report);
    expect([await labelsOf(id), (await parcelsOf(id)).map(({ carrier: by }) => by)]).toEqual([["voided"], ["ups"]]);
  });

  it("that the carrier refuses is not bought, and the order can ship otherwise", async () => {
    const { id } = await authorizedOrder();
    const { labelId, rate } = await quoted(id);
    sandbox.faults.push({ path: /buy$/, when: "before", how: "refuse" });
    expect(await buyLabel(shop.db, providers, id, { labelId, rate }, null)).toEqual({
      ok: false,
      reason: "carrier-refused",
      code: "REFUSED",
    });
    expect([await labelsOf(id), await parcelsOf(id)]).toEqual([["failed"], []]);
  });

  it("is refunded if the payment is refused, or the shipment undone", async () => {
    const before = await sandbox.count();
    const unpaid = await authorizedOrder();
    bank.faults = ["refuse"];
    expect(await packOrder(unpaid.id)).toMatchObject({ ok: false, reason: "capture-failed" });
    const undone = await authorizedOrder();
    const shipped = await packOrder(undone.id);
    if (!shipped.ok) throw new Error(shipped.reason);
    await undoShipment(shop.db, undone.id, shipped.shipmentId, null);
    sandbox.faults.push({ path: /refund$/, when: "after", how: "cut" });
    await finishLabels(shop.db, providers, report);
    await finishLabels(shop.db, providers, report);
    expect((await sandbox.count()).refunded - before.refunded).toBe(2);
    expect([await labelsOf(unpaid.id), await labelsOf(undone.id)]).toEqual([["voided"], ["voided"]]);
  });

  it("is not bought for rates of another order, of an hour ago, or of the former address", async () => {
    const [one, two] = [await authorizedOrder(), await authorizedOrder()];
    const { labelId, rate } = await quoted(one.id);
    const outdated = { ok: false, reason: "outdated" };
    expect(await buyLabel(shop.db, providers, two.id, { labelId, rate }, null)).toEqual(outdated);
    expect(await buyLabel(shop.db, providers, one.id, { labelId, rate: "shp_1/rate_1" }, null)).toEqual(outdated);
    await query("INSERT INTO order_notes (order_id, kind, text, at) VALUES ($1, 'address', '', now())", [one.id]);
    expect(await buyLabel(shop.db, providers, one.id, { labelId, rate }, null)).toEqual(outdated);
    const old = await quoted(two.id);
    await query("UPDATE labels SET created_at = created_at - interval '61 minutes' WHERE id = $1", [old.labelId]);
    expect(await buyLabel(shop.db, providers, two.id, { labelId: old.labelId, rate: old.rate }, null)).toEqual(
      outdated,
    );
  });

  const REASON = { returnsStock: true, reason: "sold-out" } as const;

  it.each<[string, (id: string, line: string) => Promise<unknown>]>([
    ["shipped one", (id, line) => shipOrder(shop.db, bank.providers, id, { ...pasted, units: { [line]: 1 } }, null)],
    [
      "canceled one",
      (id, line) => cancelItems(shop.db, bank.providers, id, { keep: { [line]: 1 }, ...REASON }, anyone()),
    ],
  ])("is not bought if a colleague has %s since", async (_name, change) => {
    const before = await sandbox.count();
    const { id, lines } = await authorizedOrder();
    const { labelId, rate } = await quoted(id);
    expect(await change(id, lines["charging-dock"]!)).toMatchObject({ ok: true });
    const buy = () => buyLabel(shop.db, providers, id, { labelId, rate }, null);
    expect(await buy()).toEqual({ ok: false, reason: "quote-changed" });
    expect((await sandbox.count()).bought).toBe(before.bought);
  });

  it("is bought by who asked for its rates", async () => {
    const { id } = await authorizedOrder();
    const { lines } = (await getOrderDetails(shop.db, id))!;
    const [one, two] = [anyone(), anyone()];
    const { labelId, rate } = await quoted(id, one);
    expect(await latestQuote(shop.db, { id, lines }, one)).toMatchObject({ id: labelId });
    expect(await latestQuote(shop.db, { id, lines }, two)).toBeNull();
    expect(await buyLabel(shop.db, providers, id, { labelId, rate }, two)).toMatchObject({ reason: "outdated" });
    expect(await buyLabel(shop.db, providers, id, { labelId, rate }, one)).toMatchObject({ ok: true });
  });

  it("leaves out what is pre-ordered until its day, and is refused if nothing else is left", async () => {
    const { id, lines } = await authorizedOrder({ "charging-dock": 1, "travel-sleeve": 1 });
    await query("UPDATE order_items SET ships_from = '2099-01-12' WHERE id = $1", [lines["charging-dock"]]);
    expect(await packOrder(id)).toMatchObject({ ok: true });
    const { lines: now } = (await getOrderDetails(shop.db, id))!;
    expect(now.map(({ name, unitsLeft }) => [name, unitsLeft])).toEqual([
      ["charging-dock", 1],
      ["travel-sleeve", 0],
    ]);
    expect(await packOrder(id)).toEqual({ ok: false, reason: "not-yet", day: "2099-01-12" });
  });

  it("is not bought if the address changes while the rates are asked for", async () => {
    const { id } = await authorizedOrder();
    const rates: CarrierProvider["rates"] = async (...asked) => {
      await query("INSERT INTO order_notes (order_id, kind, text, at) VALUES ($1, 'address', '', now())", [id]);
      return carrier.rates(...asked);
    };
    const meanwhile = { ...providers, carrier: { ...carrier, rates } };
    expect(await packOrder(id, meanwhile)).toEqual({ ok: false, reason: "outdated" });
    expect(await packOrder(id)).toMatchObject({ ok: true, state: "shipped" });
  });

  it("is refused in bulk for a product without a weight, and where nothing arrives as promised", async () => {
    const { id } = await authorizedOrder();
    await query("UPDATE products SET weight_oz = NULL WHERE slug = 'charging-dock'");
    expect(await packOrder(id)).toEqual({ ok: false, reason: "no-weight" });
    await query("UPDATE products SET weight_oz = 21 WHERE slug = 'charging-dock'");
    const rates: CarrierProvider["rates"] = async (...asked) =>
      (await carrier.rates(...asked)).map((rate) => ({ ...rate, days: 9 }));
    const late = { ...providers, carrier: { ...carrier, rates } };
    expect(await packOrder(id, late)).toEqual({ ok: false, reason: "not-in-time" });
  });
});

it("addresses are corrected, known or not", async () => {
  const typed = { line1: "12 Mian Stret", line2: "", city: "New York", state: "NY", postalCode: "10001" };
  expect(await carrier.check(typed)).toMatchObject({ line1: "12 MAIN STREET", postalCode: "10001-1234" });
  expect(await carrier.check({ ...typed, line1: "1 Nowhere Rd" })).toBeNull();
  for (const line1 of ["1 Down St", "1 Slow St"])
    await expect(carrier.check({ ...typed, line1 })).rejects.toMatchObject({ kind: "away" });
});

it.each([
  ["1", null],
  ["2", "in-transit"],
  ["3", "out-for-delivery"],
  ["4", "delivered"],
  ["5", "refused"],
  ["6", "lost"],
  ["7", null],
  ["0", "in-transit"],
])("a number that ends in %s is %s", async (digit, state) => {
  const tracking = await carrier.track("ups", `1Z999AA1${String(Date.now()).slice(-9)}${digit}`);
  expect(tracking?.state ?? null).toBe(state);
});

describe("a webhook", () => {
  const body = JSON.stringify({ description: "tracker.updated", result: { object: "Tracker", tracking_code: "1Z1" } });
  const sign = (text: string, secret = WEBHOOK) =>
    new Headers({
      "X-Hmac-Signature": `hmac-sha256-hex=${createHmac("sha256", secret).update(text).digest("hex")}`,
    });

  it("names a parcel if it is signed; other events name none", () => {
    expect(carrier.verify(sign(body), body)).toEqual({ trackingNumber: "1Z1" });
    const other = JSON.stringify({ description: "batch.created", result: { object: "Batch" } });
    expect(carrier.verify(sign(other), other)).toEqual({ trackingNumber: "" });
  });

  it.each([
    ["forged", sign(body, "another secret"), body],
    ["changed", sign(body), body.replace("1Z1", "1Z2")],
    ["not signed", new Headers(), body],
  ])("is refused if it is %s", (_what, headers, text) => {
    expect(carrier.verify(headers, text)).toBeNull();
  });
});
