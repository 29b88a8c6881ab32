/** Orders that are paid with PayPal, in a shop that takes cards too. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { askForPayment } from "#shop/fulfillment/fulfill.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { readMissedEvents } from "#shop/payments/jobs.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { expireOrder } from "#shop/payments/payments.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { payOnPage, type PaysWith } from "../../support/pay-page.ts";
import { usePayingShop, type Placed } from "../../support/paying-shop.ts";
import { providerOf } from "../../support/provider-of.ts";
import { changeSettings } from "../../support/settings.ts";
import { aParcel } from "../../support/staff.ts";
import { setUnits, unitsOf } from "../../support/stock.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SLUG = "travel-sleeve";
const paying = usePayingShop({}, { payments: { paypal: true } });
const { guestWith, place, reserve, comeBack, statusOf, eventsOf, paymentsOf, mailsOf, endReservation, until } = paying;
const { shop, sandbox, query, database } = paying;
let providers: PaymentProviders;
let numbers = 0;

beforeAll(async () => {
  providers = providerOf(sandbox, shop);
  await setUnits(database.pool, SLUG, 10_000);
});
afterEach(async () => {
  await sandbox.control({ do: "release-webhooks" });
  await sandbox.control({ do: "behave" });
  await paying.expectBooksToAgree();
});

const reserveByPayPal = async (): Promise<Placed> => place(await guestWith(), { paymentProvider: "paypal" });
const approve = (placed: Placed, by: PaysWith = { account: "pays" }) => payOnPage(placed.url, by);
const ship = (orderId: string) => shipOrder(database.db, providers, orderId, aParcel(++numbers), null);
const fail = (path: string, fault: "cut" | "error", when: "after" | "before" = "before", times = 1) =>
  sandbox.control({ do: "fail", times, order: { on: "call", fault, when, path } });

async function authorized(by: PaysWith = { account: "pays" }): Promise<Placed> {
  const placed = await reserveByPayPal();
  await comeBack(placed, await approve(placed, by));
  await until(placed.orderId, "processing");
  return placed;
}

const providersOf = (orderId: string) =>
  query("SELECT provider, state, captured, refunded FROM payments WHERE order_id = $1 ORDER BY created_at", [orderId]);

it("offers PayPal beside the card, whose orders stay at their own provider", async () => {
  const html = await (await (await guestWith()).fetch("/checkout")).text();
  expect(html).toMatch(/value="stripe"[^>]*checked|checked[^>]*value="stripe"/);
  expect(html).toContain("On PayPal’s page");
  const byCard = await reserve();
  await comeBack(byCard, await payOnPage(byCard.url));
  const byPayPal = await authorized();
  for (const { orderId } of [byPayPal, byCard]) {
    await until(orderId, "processing");
    expect(await ship(orderId)).toMatchObject({ ok: true });
    await until(orderId, "shipped");
    expect(await refundOrder(database.db, providers, orderId, { cents: 5_00, reason: "late" }, null)).toMatchObject({
      ok: true,
    });
  }
  const paid = { state: "captured", captured: 28_99, refunded: 5_00 };
  await expect.poll(() => providersOf(byPayPal.orderId)).toEqual([{ provider: "paypal", ...paid }]);
  await expect.poll(() => providersOf(byCard.orderId)).toEqual([{ provider: "stripe", ...paid }]);
});

it.each([
  ["the webhook", async () => {}],
  ["the jobs that read lost events", () => readMissedEvents(database.db, providers).then(() => {})],
])("an approved order whose buyer never comes back is authorized by %s", async (what, read) => {
  if (what !== "the webhook") await sandbox.control({ do: "hold-webhooks" });
  const placed = await reserveByPayPal();
  await approve(placed);
  await read();
  await until(placed.orderId, "processing");
  expect([await eventsOf(placed.orderId), await mailsOf(placed.orderId, "order-confirmation")]).toEqual([
    ["held", "authorized"],
    1,
  ]);
});

it("events that come twice, badly signed or reversed have the effect of one", async () => {
  await sandbox.control({ do: "hold-webhooks" });
  const placed = await authorized();
  await ship(placed.orderId);
  await refundOrder(database.db, providers, placed.orderId, { cents: 5_00, reason: "late" }, null);
  await sandbox.control({ do: "fail", times: 2, order: { on: "webhook", fault: "twice" } });
  await sandbox.control({ do: "fail", times: 2, order: { on: "webhook", fault: "badly-signed" } });
  await sandbox.control({ do: "release-webhooks", reversed: true });
  await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
  await expect.poll(() => query("SELECT FROM payment_inbox WHERE handled_at IS NULL")).toEqual([]);
  expect(await query("SELECT DISTINCT provider FROM payment_inbox WHERE event_id LIKE 'WH-%'")).toEqual([
    { provider: "paypal" },
  ]);
  expect(await eventsOf(placed.orderId)).toEqual(["held", "authorized", "shipped", "refunded"]);
  expect(await mailsOf(placed.orderId, "refund-issued")).toBe(1);
});

describe("an event", () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/payments/paypal/events`, { method: "POST", body, headers });
  const HEADERS = {
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
    "PAYPAL-CERT-URL": "https://api.paypal.com/v1/notifications/certs/CERT-1",
    "PAYPAL-TRANSMISSION-ID": "a-transmission",
    "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
    "PAYPAL-TRANSMISSION-SIG": "bm90IFBheVBhbA==",
  };
  const id = `WH-${randomUUID()}`;
  const event = JSON.stringify({ id, event_type: "CHECKOUT.ORDER.APPROVED", resource: { id: "O1" } });
  const inbox = () => query("SELECT FROM payment_inbox WHERE event_id = $1", [id]);

  it("that PayPal did not sign is refused and not stored", async () => {
    for (const [body, headers] of [
      [event, HEADERS],
      [event, {}],
      ["no event", HEADERS],
      ["[]", HEADERS],
    ] as const) {
      expect((await send(body, headers)).status).toBe(400);
    }
    expect(await inbox()).toEqual([]);
  });

  it("is sent again while PayPal cannot verify it", async () => {
    await fail("/paypal/v1/notifications/verify-webhook-signature", "cut");
    expect((await send(event, HEADERS)).status).toBe(503);
    expect(await inbox()).toEqual([]);
  });
});

describe("at the end of the reservation", () => {
  it("an order that was not approved expires, and a later approval holds no money", async () => {
    const before = await unitsOf(database.pool, SLUG);
    const placed = await reserveByPayPal();
    await endReservation(placed.orderId);
    await until(placed.orderId, "expired");
    await approve(placed);
    await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
    await expect.poll(() => query("SELECT FROM payment_inbox WHERE handled_at IS NULL")).toEqual([]);
    expect([await statusOf(placed.orderId), await unitsOf(database.pool, SLUG)]).toEqual(["expired", before]);
    expect(await paymentsOf(placed.orderId)).toMatchObject([{ state: "closed", captured: 0 }]);
  });

  it("an approved order is authorized", async () => {
    await sandbox.control({ do: "hold-webhooks" });
    const placed = await reserveByPayPal();
    await approve(placed);
    await endReservation(placed.orderId);
    await until(placed.orderId, "processing");
  });

  it(`an approval in the same second is paid or expired, never both, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { authorized: before } = await sandbox.books();
      const placed = await reserveByPayPal();
      await query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE id = $1", [placed.orderId]);
      const [paid] = await Promise.all([approve(placed), expireOrder(database.db, providers, placed.orderId)]);
      if (paid.location) await comeBack(placed, paid);
      await expect.poll(async () => (await sandbox.books()).undelivered).toBe(0);
      await expect.poll(() => query("SELECT FROM payment_inbox WHERE handled_at IS NULL")).toEqual([]);
      const status = await statusOf(placed.orderId);
      expect(["processing", "expired"]).toContain(status);
      const held = status === "processing" ? 28_99 : 0;
      await expect.poll(async () => (await sandbox.books()).authorized - before).toBe(held);
    }
  });
});

it("a declined buyer reads so, and pays the same order in another way", async () => {
  const placed = await reserveByPayPal();
  await comeBack(placed, await approve(placed, { account: "declined" }));
  const html = await (await placed.guest.fetch(`/orders/${placed.orderId}`)).text();
  expect(html).toContain("Your last payment didn’t go through.");
  const page = await openPage(database.db, providers, placed.orderId);
  expect(page).toEqual({ ok: true, url: placed.url });
  await comeBack(placed, await approve(placed));
  expect(await statusOf(placed.orderId)).toBe("processing");
  expect(await paymentsOf(placed.orderId)).toHaveLength(1);
});

describe("a shipment", () => {
  it.each([
    ["is lost after the work", "cut", "after"],
    ["is lost before the work", "cut", "before"],
    ["is an error after the work", "error", "after"],
    ["is an error before the work", "error", "before"],
  ] as const)("captures once when PayPal's answer %s", async (_what, fault, when) => {
    const { orderId } = await authorized();
    await fail("/paypal/v2/payments/*/capture", fault, when);
    await ship(orderId);
    await until(orderId, "shipped");
    expect(await providersOf(orderId)).toEqual([
      { provider: "paypal", state: "captured", captured: 28_99, refunded: 0 },
    ]);
    expect(await mailsOf(orderId, "order-shipped")).toBe(1);
  });

  it("waits for a pending capture", async () => {
    const { orderId } = await authorized({ account: "slow" });
    expect(await ship(orderId)).toMatchObject({ ok: true, state: "waiting" });
    await sandbox.control({ do: "forward", seconds: 61 });
    await until(orderId, "shipped");
  });

  it("does not leave after a refused capture, until the buyer has paid at PayPal again", async () => {
    const { orderId } = await authorized({ account: "refuses-capture" });
    expect(await ship(orderId)).toEqual({ ok: false, reason: "capture-failed" });
    expect(await mailsOf(orderId, "payment-request")).toBe(1);
    await expect.poll(async () => (await paymentsOf(orderId)).map(({ state }) => state)).toEqual(["failed"]);
    expect(await askForPayment(database.db, providers, orderId, null)).toMatchObject({ ok: true });
    const page = await openPage(database.db, providers, orderId);
    await payOnPage(page.ok ? page.url : "", { account: "pays" });
    await expect.poll(async () => (await paymentsOf(orderId)).map(({ state }) => state)).toContain("authorized");
    expect(await ship(orderId)).toMatchObject({ ok: true, state: "shipped" });
  });

  it("after a cancellation is refused, and the authorization voided", async () => {
    const { orderId, guest } = await authorized();
    await guest.post(`/orders/${orderId}`, { intent: "cancel" });
    await until(orderId, "canceled");
    await expect.poll(async () => (await paymentsOf(orderId))[0]?.state).toBe("closed");
    expect(await sandbox.books()).toMatchObject({ undelivered: expect.any(Number) });
    expect(await ship(orderId)).toMatchObject({ ok: false });
  });
});

it("while PayPal is away its orders wait, and cards go on", async () => {
  await fail("/paypal/v2/checkout/orders", "cut", "before", 50);
  const waiting = await reserveByPayPal();
  expect(waiting.url).toContain("/payments/wait");
  const byCard = await reserve();
  await payOnPage(byCard.url);
  await until(byCard.orderId, "processing");
  await sandbox.control({ do: "behave" });
  const page = await waiting.guest.fetch(
    new URL(waiting.url, shop.url).pathname + new URL(waiting.url, shop.url).search,
  );
  await payOnPage(page.headers.get("Location") ?? "", { account: "pays" });
  await until(waiting.orderId, "processing");
});

it("what is charged later is not offered PayPal, and refused to who asks for it", async () => {
  await query("UPDATE products SET ships_from = current_date + 60 WHERE slug = $1", [SLUG]);
  const guest = await guestWith();
  const html = await (await guest.fetch("/checkout")).text();
  expect(html).not.toContain("On PayPal’s page");
  expect(html).toContain("PayPal can’t be used here, because it can’t be charged later.");
  const refused = await guest.checkout({ paymentProvider: "paypal" });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("it can’t be paid with PayPal");
  await query("UPDATE products SET ships_from = NULL WHERE slug = $1", [SLUG]);
});

it("turned off, it takes no new order, and one that is being paid finishes", async () => {
  const open = await reserveByPayPal();
  const unsent = await guestWith();
  const seen = await unsent.checkoutFields();
  await changeSettings(database.db, { payments: { paypal: false } });
  const checkout = async () => (await (await guestWith()).fetch("/checkout")).text();
  await expect.poll(checkout).not.toContain("On PayPal’s page");
  for (const path of ["/terms", "/terms.md", "/privacy"])
    expect(await (await fetch(shop.url + path)).text(), path).not.toContain("PayPal");
  const refused = await unsent.checkout({ ...seen, email: "unsent@example.com", paymentProvider: "paypal" });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("it can’t be paid with PayPal");
  expect(await query("SELECT FROM orders WHERE email = 'unsent@example.com'")).toEqual([]);
  expect(await openPage(database.db, providers, open.orderId)).toEqual({ ok: true, url: open.url });
  await comeBack(open, await approve(open));
  await until(open.orderId, "processing");
  expect(await ship(open.orderId)).toMatchObject({ ok: true });
  await until(open.orderId, "shipped");
});
