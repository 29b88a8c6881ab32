import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { recordsOf } from "#tests/support/order-records.ts";
import { announceAll, placedOrder, type Placed } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";
import { toApprove } from "#shop/orders/actions/announce.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import { orderState } from "#shop/orders/state.ts";
import { clock, setClockOffset } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { askToPay } from "#shop/orders/actions/pay.ts";
import { decided } from "#shop/orders/change.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { cancelOrders } from "#shop/payments/cancel.server.ts";
import { startPaymentJobs } from "#shop/payments/jobs.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { providePayments } from "#shop/payments/open-provider.server.ts";
import {
  ProviderError,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentProviders,
} from "#shop/payments/provider.ts";
import { reconcileOrder, reconcilePayment } from "#shop/payments/reconcile.server.ts";
import { dayText } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { shipBy, shippingDay } from "#shop/shipping/methods.ts";
import { announceByStaff, announceCharges, cancelRefused, remindOfRefusals, shipNow } from "./charges.server.ts";
import { undoShipment } from "./correct-shipment.server.ts";
import { cancelItems } from "./cancel-items.server.ts";
import { carryOutDelays, delayOrder } from "./delay.server.ts";
import { askForPayment, cancelByStaff, declineByStaff } from "./fulfill.server.ts";
import { listOrderPage } from "./order-list.server.ts";
import { shipOrder, type Parcel } from "./ship.server.ts";

const shop = useFreshDatabase();
const { query, typesOf, mailsOf, emailOf, fail } = recordsOf(shop);
let bank: MemoryProvider;
let opened: PaymentOrder[];
let providers: PaymentProviders;

beforeEach(async () => {
  bank = new MemoryProvider();
  opened = [];
  const stripe: PaymentProvider = {
    ...bank.provider,
    open(order) {
      opened.push(order);
      const reference = `page of ${order.paymentId}`;
      return Promise.resolve({ reference, url: `https://pay.example/${reference}`, expiresAt: order.expiresAt });
    },
  };
  providers = { stripe };
  providePayments(providers, { baseUrl: "http://localhost", secret: "a secret that only tests know, and long enough" });
  for (const slug of ["charging-dock", "travel-sleeve"]) await setUnits(shop.pool, slug, 50);
});

const DOCK = "charging-dock";
const SLEEVE = "travel-sleeve";
const by = null;
const inDays = (days: number) => daysAfter(newYorkDay(new Date()), days);
/** The first day for a charge that is announced now. */
const SOON = shippingDay(inDays(3));

const stateOf = async (id: string) => {
  const sql = "SELECT status, payment_status AS payment FROM orders WHERE id = $1";
  return (await query<{ status: string; payment: string }>(sql, [id]))[0];
};
const stageOf = async (id: string) =>
  (await query<{ stage: string }>("SELECT stage FROM orders WHERE id = $1", [id]))[0]?.stage;

const chargesOf = (id: string) =>
  query("SELECT kind, state, captured FROM payments WHERE order_id = $1 AND kind <> 'setup' ORDER BY created_at", [id]);

let numbers = 0;
const ups = (units?: Record<string, number>): Parcel => aParcel(++numbers, units);
const ship = (id: string, parcel = ups()) => shipOrder(shop.db, providers, id, parcel, by);
const shipOne = ({ id, lines }: Placed, slug: string) => ship(id, ups({ [lines[slug]!]: 1 }));

/** Two units at 40 dollars each and 9.99 for shipping, on a saved card. */
async function waitingOrder(shipsFrom: Record<string, string> = {}) {
  const order = await placedOrder(shop.db, { [DOCK]: 1, [SLEEVE]: 1 }, { keepsCard: true, shipsFrom });
  bank.keepCard(order.reference, { customer: `customer of ${order.id}`, method: `card of ${order.id}` });
  return order;
}

/** The same, announced, and the buyer need not wait for the day. */
async function keptOrder() {
  const order = await waitingOrder();
  await announceAll(shop.db, order.id);
  return order;
}

/** As if checkout or a notice had promised a day. */
async function promise(id: string, day: string | null) {
  await query("UPDATE orders SET ship_by = $2 WHERE id = $1", [id, day]);
  await writeSummary(shop.db, id);
}
/** The buyer has read the sum of what was announced. */
async function approve(id: string) {
  const charges = toApprove(orderState((await readFacts(shop.db, id))!));
  return shipNow(shop.db, id, centsOf(charges), "guest");
}
const announce = () => announceCharges(shop.db, fail);

/** Runs the payment jobs until `isDone`. */
async function runJobs(isDone: () => Promise<boolean>): Promise<void> {
  const jobs = startPaymentJobs({ db: shop.db, providers, report: fail });
  await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
  await jobs.stop();
}

/** The page that was opened first is authorized. */
async function authorizes(cents: number, card?: { customer: string; method: string }) {
  const { paymentId } = opened[0]!;
  bank.authorize(`page of ${paymentId}`, cents, card);
  await reconcilePayment(shop.db, providers, paymentId);
  return bank.payments.get(`page of ${paymentId}`)!;
}
const NEW_CARD = { customer: "new customer", method: "new card" };

const isForgotten = (id: string) => async () => bank.forgotten.has(`customer of ${id}`);

describe("an order with a saved card", () => {
  it("charges each parcel for its own lines, shipping with the first, and then forgets the card", async () => {
    const order = await keptOrder();
    const { id, totalCents } = order;
    expect(await stateOf(id)).toEqual({ status: "processing", payment: "card-saved" });
    expect(await shipOne(order, SLEEVE)).toMatchObject({ ok: true, state: "shipped" });
    expect(await stateOf(id)).toEqual({ status: "shipped", payment: "partly-charged" });
    await runJobs(async () => true);
    expect(await isForgotten(id)()).toBe(false);
    expect((await emailOf(id, "order-shipped")).text).toMatch(
      /We charged \$49\.99 to your Visa ending in 4242\.\s+The rest will follow in another package\. We’ll charge you for it when it ships\./,
    );
    expect(await shipOne(order, DOCK)).toMatchObject({ ok: true, state: "shipped" });
    expect((await emailOf(id, "parcel-shipped")).text).toContain("We charged $40.00 to your Visa ending in 4242.");
    expect(await chargesOf(id)).toEqual([
      { kind: "charge", state: "captured", captured: 49_99 },
      { kind: "charge", state: "captured", captured: 40_00 },
    ]);
    expect([bank.sum(), bank.calls]).toEqual([totalCents, 2]);
    expect(await typesOf(id)).toEqual(["shipped", "parcel-shipped"]);
    await runJobs(isForgotten(id));
    expect(await stateOf(id)).toEqual({ status: "shipped", payment: "captured" });
    expect(
      await query("SELECT state, saved_customer, saved_method FROM payments WHERE order_id = $1 AND kind = 'setup'", [
        id,
      ]),
    ).toEqual([{ state: "forgotten", saved_customer: null, saved_method: null }]);
    // The provider still has its page.
    await reconcilePayment(
      shop.db,
      providers,
      (await query<{ id: string }>("SELECT id FROM payments WHERE order_id = $1 AND kind = 'setup'", [id]))[0]!.id,
    );
    expect(await stateOf(id)).toEqual({ status: "shipped", payment: "captured" });
  });

  it("is never asked to pay again while it waits", async () => {
    const { id } = await waitingOrder({ [DOCK]: inDays(60), [SLEEVE]: inDays(60) });
    for (let week = 0; week < 8; week++) await reconcileOrder(shop.db, providers, id);
    await remindOfRefusals(shop.db);
    await cancelRefused(shop.db);
    expect([await mailsOf(id), await typesOf(id), await stateOf(id)]).toEqual([
      [],
      [],
      { status: "processing", payment: "card-saved" },
    ]);
  });

  it.each(["silent", "lost"] as const)("is charged once if the answer is missing (%s)", async (fault) => {
    const { id, totalCents } = await keptOrder();
    bank.faults = [fault];
    const parcel = ups();
    expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "waiting" });
    expect([await cancelByStaff(shop.db, id, by), await ship(id)]).toEqual([
      { ok: false, reason: "too-late", status: "shipped" },
      { ok: false, reason: "under-way" },
    ]);
    // A day later the provider has forgotten the key, and the charge is looked for first.
    await query(
      `UPDATE payment_actions SET sent_at = now() - interval '25 hours' FROM payments
       WHERE payments.id = payment_id AND order_id = $1`,
      [id],
    );
    expect(await ship(id, parcel)).toMatchObject({ ok: true, state: "shipped", repeated: true });
    expect([bank.sum(), await mailsOf(id)]).toEqual([totalCents, ["order-shipped"]]);
  });

  it("names what was paid for an undone parcel alone, also once it shipped without a charge", async () => {
    const order = await keptOrder();
    await shipOne(order, SLEEVE);
    const undoneText = async () => {
      const sent = await shipOne(order, DOCK);
      await undoShipment(shop.db, order.id, sent.ok ? sent.shipmentId : "", by);
      return (await emailOf(order.id, "shipment-undone")).text;
    };
    for (let time = 0; time < 2; time++)
      expect(await undoneText()).toMatch(/You paid \$40\.00 for these items\.\s+You won’t pay again/);
  });

  it("says of a rest that is paid already that it follows, and not that it is charged", async () => {
    const order = await keptOrder();
    const sent = await shipOne(order, DOCK);
    await undoShipment(shop.db, order.id, sent.ok ? sent.shipmentId : "", by);
    await shipOne(order, SLEEVE);
    const { text } = await emailOf(order.id, "order-shipped");
    expect(text).toContain("The rest will follow");
    expect(text).not.toContain("We’ll charge you");
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["canceled", (id) => cancelByStaff(shop.db, id, by)],
    ["declined", (id) => declineByStaff(shop.db, id, "sold-out", by)],
    ["canceled with its account", (id) => cancelOrders(shop.db, eq(orders.id, id), "customer")],
  ])("is %s: nothing to void, the card is forgotten, stock returns", async (_how, end) => {
    const { id } = await keptOrder();
    await end(id);
    await runJobs(isForgotten(id));
    expect(
      await query("SELECT FROM payment_actions JOIN payments ON payments.id = payment_id WHERE order_id = $1", [id]),
    ).toEqual([]);
    expect([bank.calls, await unitsOf(shop.pool, DOCK)]).toEqual([0, 51]);
  });
});

it("each charge has a page of its own beside the one to change the card", async () => {
  const order = await keptOrder();
  await shipOne(order, SLEEVE);
  const fee = { kind: "fee", unit: null, cents: 35_00, taxCents: 0 } as const;
  for (const returnId of [randomUUID(), randomUUID()]) {
    const ask: Parameters<typeof withOrder>[2] = (_state, act) => decided(askToPay([fee], { returnId }, act));
    const asked = await withOrder(shop.db, order.id, ask, { by: "staff" });
    const chargeId = asked.ok ? asked.change.charges![0]!.id : "";
    expect(await openPage(shop.db, providers, order.id, { chargeId })).toMatchObject({ ok: true });
  }
  expect(await openPage(shop.db, providers, order.id, "card")).toMatchObject({ ok: true });
  expect(opened.map(({ mode }) => mode)).toEqual(["authorize", "authorize", "save"]);
});

it("a card that is saved after its reservation, for sold units, is forgotten, and the buyer is told", async () => {
  const order = await placedOrder(shop.db, { [DOCK]: 1 }, { status: "expired", keepsCard: true });
  bank.keepCard(order.reference, { customer: `customer of ${order.id}`, method: `card of ${order.id}` });
  await query("UPDATE payments SET state = 'open', saved_customer = NULL, saved_method = NULL WHERE order_id = $1", [
    order.id,
  ]);
  await setUnits(shop.pool, DOCK, 0);
  await reconcileOrder(shop.db, providers, order.id);
  expect([await stateOf(order.id), await mailsOf(order.id)]).toMatchObject([
    { status: "expired" },
    ["order-not-charged"],
  ]);
  const { text } = await emailOf(order.id, "order-not-charged");
  expect(text).toContain("Nothing was charged, and we’ll delete your saved card.");
  expect(text).not.toContain("release");
  await runJobs(isForgotten(order.id));
});

it("an order that was placed without a payment is promised by its first one, which a page alone is not", async () => {
  const { id, totalCents } = await placedOrder(shop.db, { [DOCK]: 1 });
  await query("UPDATE orders SET ship_by = '2026-01-12' WHERE id = $1", [id]);
  await askForPayment(shop.db, providers, id, null);
  expect(await openPage(shop.db, providers, id)).toMatchObject({ ok: true });
  const run = () => carryOutDelays(shop.db, (error) => expect(error).toBeNull());
  const promised = async () => {
    await run();
    return (await query("SELECT ship_by::text, attention FROM orders WHERE id = $1", [id]))[0];
  };
  expect(await promised()).toEqual({ ship_by: "2026-01-12", attention: ["arrange"] });
  await authorizes(totalCents);
  const { paymentId } = opened[0]!;
  const day = shipBy(FIRST_SETTINGS.shipping, "standard", clock.now());
  expect(await promised()).toEqual({ ship_by: day, attention: [] });
  expect(await mailsOf(id)).toEqual(["payment-request"]);
  expect(
    await query("SELECT data FROM order_events WHERE order_id = $1 AND type = 'payment-authorized'", [id]),
  ).toEqual([{ data: { paymentId } }]);
});

it("what was captured for less in the dashboard goes back, and its order is paid again", async () => {
  const { id, reference, totalCents } = await placedOrder(shop.db, { [DOCK]: 1 }, { isAuthorized: true });
  bank.authorize(reference, totalCents);
  bank.payments.get(reference)!.captured = 20_00;
  expect(await ship(id)).toEqual({ ok: false, reason: "capture-failed" });
  expect(await openPage(shop.db, providers, id)).toMatchObject({ ok: true });
  const page = await authorizes(totalCents);
  expect(await openPage(shop.db, providers, id)).toEqual({ ok: false, reason: "paid" });
  expect(await ship(id)).toMatchObject({ ok: true, state: "shipped" });
  expect(page).toMatchObject({ captured: totalCents, isVoided: false });
  expect((await mailsOf(id)).filter((template) => template === "payment-request")).toHaveLength(1);
});

describe("a refused charge", () => {
  async function refusedOrder() {
    const order = await keptOrder();
    bank.faults = ["refuse"];
    expect(await shipOne(order, SLEEVE)).toEqual({ ok: false, reason: "capture-failed" });
    return order;
  }

  it("ships nothing, stands among the payment issues, and emails a link to pay", async () => {
    const { id } = await refusedOrder();
    expect(await stateOf(id)).toEqual({ status: "processing", payment: "failed" });
    expect(await typesOf(id)).toEqual(["charge-refused"]);
    expect((await listOrderPage(shop.db, { view: "problems" })).orders.map((each) => each.id)).toContain(id);
    const { text, subject } = await emailOf(id, "charge-refused");
    expect(subject).toMatch(/^Please pay for your Polara order/);
    expect(text).toContain("charge of $49.99 to your Visa •••• 4242");
    expect(text).toContain(`Please pay by ${dayText(inDays(7))}`);
    expect(await ship(id)).toEqual({ ok: false, reason: "not-paid" });
    expect(await unitsOf(shop.pool, SLEEVE)).toBe(50);
  });

  it("is paid by the link: the page is for the parcel, and its card is charged for the rest", async () => {
    const order = await refusedOrder();
    const { id, totalCents } = order;
    expect(await openPage(shop.db, providers, id)).toMatchObject({ ok: true });
    expect(opened).toMatchObject([{ mode: "authorize", savesFor: "later", amountCents: 49_99, shippingCents: 0 }]);
    await authorizes(49_99, NEW_CARD);
    expect(await stateOf(id)).toEqual({ status: "processing", payment: "authorized" });
    expect(await openPage(shop.db, providers, id)).toEqual({ ok: false, reason: "paid" });
    expect(await shipOne(order, SLEEVE)).toMatchObject({ ok: true, state: "shipped" });
    expect(await shipOne(order, DOCK)).toMatchObject({ ok: true, state: "shipped" });
    expect(await chargesOf(id)).toEqual([
      { kind: "charge", state: "failed", captured: 0 },
      { kind: "page", state: "captured", captured: 49_99 },
      { kind: "charge", state: "captured", captured: 40_00 },
    ]);
    expect(bank.sum()).toBe(totalCents);
    await runJobs(async () => bank.forgotten.has("new customer") && bank.forgotten.has(`customer of ${id}`));
    expect(await stateOf(id)).toEqual({ status: "shipped", payment: "captured" });
  });

  it("is for what is still due of it, on the page and in the email", async () => {
    const order = await keptOrder();
    bank.faults = ["refuse"];
    expect(await ship(order.id)).toEqual({ ok: false, reason: "capture-failed" });
    expect((await emailOf(order.id, "charge-refused")).text).toContain("charge of $89.99 to");
    const items = { keep: { [order.lines[SLEEVE]!]: 0 }, returnsStock: true, reason: "damaged" } as const;
    expect(await cancelItems(shop.db, providers, order.id, items, by)).toMatchObject({ ok: true });
    expect(await openPage(shop.db, providers, order.id)).toMatchObject({ ok: true });
    expect(opened).toMatchObject([{ amountCents: 49_99 }]);
    await query(
      `INSERT INTO payments (order_id, kind, provider, state, amount, created_at)
       VALUES ($1, 'page', 'stripe', 'failed', 3500, now() + interval '1 second')`,
      [order.id],
    );
    expect((await emailOf(order.id, "charge-refused")).text).toContain("charge of $49.99 to");
  });

  it("is paid after a page to change the card could not be opened", async () => {
    const { id } = await refusedOrder();
    const open = () => Promise.reject(new ProviderError("busy"));
    const busy = { stripe: { ...providers.stripe!, open } };
    expect(await openPage(shop.db, busy, id, "card")).toEqual({ ok: false, reason: "busy" });
    expect(await openPage(shop.db, providers, id)).toMatchObject({ ok: true });
    expect(opened).toMatchObject([{ mode: "authorize", amountCents: 49_99 }]);
  });

  it("is over once another card is saved", async () => {
    const order = await refusedOrder();
    expect(await openPage(shop.db, providers, order.id, "card")).toMatchObject({ ok: true });
    const { paymentId, mode } = opened[0]!;
    expect(mode).toBe("save");
    bank.keepCard(`page of ${paymentId}`, NEW_CARD);
    await reconcilePayment(shop.db, providers, paymentId);
    expect([await stateOf(order.id), await typesOf(order.id)]).toEqual([
      { status: "processing", payment: "card-saved" },
      ["charge-refused", "card-changed"],
    ]);
    await runJobs(isForgotten(order.id));
    expect(await ship(order.id)).toMatchObject({ ok: true, state: "shipped" });
    expect(bank.sum()).toBe(order.totalCents);
  });

  /** Refused in the first moment of the day that was so many days ago in New York. */
  const refusedAgo = (id: string, days: number) =>
    query(
      `UPDATE payments SET refused_at = date_trunc('day', now(), 'America/New_York') - ${days} * interval '1 day' WHERE order_id = $1 AND refused_at IS NOT NULL`,
      [id],
    );

  it("is reminded of once after four days, and canceled after the seventh day", async () => {
    const { id } = await refusedOrder();
    await refusedAgo(id, 3);
    await remindOfRefusals(shop.db);
    expect(await mailsOf(id)).toEqual(["charge-refused"]);
    await refusedAgo(id, 4);
    await remindOfRefusals(shop.db);
    await remindOfRefusals(shop.db);
    expect(await mailsOf(id)).toEqual(["charge-refused", "charge-refused"]);
    expect((await emailOf(id, "charge-refused")).subject).toMatch(/^Reminder: please pay/);
    await refusedAgo(id, 7);
    await cancelRefused(shop.db);
    expect(await stateOf(id)).toMatchObject({ status: "processing" });
    expect((await emailOf(id, "charge-refused")).text).toContain(`pay by ${dayText(inDays(0))}`);
    await refusedAgo(id, 8);
    await Promise.all([cancelRefused(shop.db), cancelRefused(shop.db)]);
    expect(
      await query("SELECT type, actor FROM order_events WHERE order_id = $1 ORDER BY id DESC LIMIT 1", [id]),
    ).toEqual([{ type: "canceled", actor: "system" }]);
    expect((await mailsOf(id)).slice(2)).toEqual(["order-canceled"]);
    expect((await emailOf(id, "order-canceled")).text).toMatch(
      /Your bank declined the charge to your card.+Nothing was charged, and we’ll delete your saved card\./s,
    );
    expect([await unitsOf(shop.pool, SLEEVE), bank.sum()]).toEqual([51, 0]);
    await runJobs(isForgotten(id));
  });

  it("is not reminded of after its last day to pay", async () => {
    const { id } = await refusedOrder();
    await refusedAgo(id, 8);
    await remindOfRefusals(shop.db);
    await cancelRefused(shop.db);
    expect(await mailsOf(id)).toEqual(["charge-refused", "order-canceled"]);
  });

  it("is not canceled once it is paid by the link", async () => {
    const { id } = await refusedOrder();
    await openPage(shop.db, providers, id);
    await authorizes(49_99, NEW_CARD);
    await refusedAgo(id, 8);
    await remindOfRefusals(shop.db);
    await cancelRefused(shop.db);
    expect([await stateOf(id), await mailsOf(id)]).toEqual([
      { status: "processing", payment: "authorized" },
      ["charge-refused"],
    ]);
  });

  it("of a later parcel: what has shipped stays, the rest is canceled after the seventh day", async () => {
    const order = await keptOrder();
    await shipOne(order, SLEEVE);
    bank.faults = ["refuse"];
    expect(await shipOne(order, DOCK)).toEqual({ ok: false, reason: "capture-failed" });
    expect(await stateOf(order.id)).toEqual({ status: "shipped", payment: "failed" });
    expect((await listOrderPage(shop.db, { view: "problems" })).orders.map((each) => each.id)).toContain(order.id);
    await refusedAgo(order.id, 8);
    await cancelRefused(shop.db);
    await runJobs(isForgotten(order.id));
    expect(await stateOf(order.id)).toEqual({ status: "shipped", payment: "captured" });
    expect(await stageOf(order.id)).toBe("shipped");
    expect([await unitsOf(shop.pool, DOCK), bank.sum()]).toEqual([51, 49_99]);
    const { text } = await emailOf(order.id, "order-changed");
    expect(text).toMatch(/removed 1 x charging-dock from your order.+Your bank declined the charge to your card/s);
  });
});

describe("the charge of a kept card is announced", () => {
  it("once, some days before the promised day, all that will be charged, and anew for another day", async () => {
    const order = await waitingOrder({ [DOCK]: inDays(20) });
    const { id } = order;
    await promise(id, inDays(20));
    await announce();
    expect(await mailsOf(id)).toEqual([]);
    await promise(id, SOON);
    for (let minute = 0; minute < 3; minute++) await announce();
    expect([await mailsOf(id), await typesOf(id)]).toEqual([["charge-announced"], ["charge-announced"]]);
    const { text } = await emailOf(id, "charge-announced");
    expect(text).toContain(`ship these items of your order ${id.slice(0, 8)} on ${dayText(SOON)}`);
    expect(text).toContain("we’ll charge $89.99 to your Visa •••• 4242");
    for (const name of ["1 x charging-dock", "1 x travel-sleeve"]) expect(text).toContain(name);
    for (const intent of ["ship-now", "card", "cancel"]) expect(text).toContain(`&intent=${intent}`);
    expect(await delayOrder(shop.db, id, inDays(9), by)).toMatchObject({ ok: true });
    await announce();
    await query("UPDATE orders SET announce_on = $2 WHERE id = $1", [id, inDays(0)]);
    await announce();
    expect(await mailsOf(id)).toEqual(["charge-announced", "order-delayed"]);
  });

  it("before that by staff, ships that day or once the buyer says so, and moves the promised day", async () => {
    const order = await waitingOrder({ [DOCK]: inDays(40) });
    const { id, lines } = order;
    await promise(id, inDays(40));
    expect(await shipOne(order, SLEEVE)).toEqual({ ok: false, reason: "not-announced" });
    const all = { [lines[DOCK]!]: 1, [lines[SLEEVE]!]: 1 };
    expect(await announceByStaff(shop.db, id, { [lines[SLEEVE]!]: 2 }, by)).toMatchObject({ reason: "units" });
    expect(await announceByStaff(shop.db, id, all, by)).toEqual({ ok: true, repeated: false });
    expect(await announceByStaff(shop.db, id, all, by)).toEqual({ ok: true, repeated: true });
    expect((await emailOf(id, "charge-announced")).text).toContain(`sooner than we promised, on ${dayText(SOON)}`);
    expect(await ship(id)).toEqual({ ok: false, reason: "announced", day: SOON });
    const days = () =>
      query(
        "SELECT ship_by::text AS by, ships_from::text AS from FROM orders JOIN order_items ON order_id = orders.id WHERE orders.id = $1 AND order_items.id = $2",
        [id, lines[DOCK]!],
      );
    expect(await days()).toEqual([{ by: SOON, from: SOON }]);
    expect(await approve(id)).toEqual({ ok: true, repeated: false });
    expect(await approve(id)).toEqual({ ok: true, repeated: true });
    expect(await days()).toMatchObject([{ from: null }]);
    expect(await ship(id)).toMatchObject({ ok: true, state: "shipped" });
    expect([bank.sum(), await typesOf(id)]).toEqual([89_99, ["charge-announced", "charge-approved", "shipped"]]);
    expect(await approve(id)).toEqual({ ok: false, reason: "not-announced" });
  });

  it("before that in the evening, ships on the next business day, and is not late that night", async () => {
    const { id, lines } = await waitingOrder({ [DOCK]: inDays(40), [SLEEVE]: inDays(40) });
    await query("UPDATE orders SET shipping_method = 'overnight' WHERE id = $1", [id]);
    await promise(id, "2030-01-30");
    // 8 PM of a Tuesday in New York: that day's parcels have left.
    setClockOffset(Date.parse("2030-01-09T01:00:00Z") - Date.now());
    await announceByStaff(shop.db, id, { [lines[DOCK]!]: 1, [lines[SLEEVE]!]: 1 }, by);
    await approve(id);
    setClockOffset(0);
    expect(await query("SELECT ship_by::text FROM orders WHERE id = $1", [id])).toEqual([{ ship_by: "2030-01-09" }]);
  });
});
