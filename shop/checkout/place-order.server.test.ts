import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { uncounted } from "#tests/support/mail-permit.ts";
import { openRateLimits, refundKeys } from "#shop/rate-limits/rate-limits.server.ts";
import { listSlips } from "#shop/fulfillment/shipments.server.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { getOrderForMail, listOrderItems } from "#shop/orders/orders.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { providePayments } from "#shop/payments/open-provider.server.ts";
import type { PaymentOrder, PaymentProviders } from "#shop/payments/provider.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { addToCart, getCart } from "#shop/cart/cart.server.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { cartItems } from "#shop/cart/cart.tables.ts";
import { products } from "#shop/catalog/product.tables.ts";
import { shipDayWords } from "#shop/catalog/stock.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { discounts } from "#shop/discounts/discount.tables.ts";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { readSettings } from "#shop/settings/settings.server.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { shipBy, shippingPrice, usualMethod } from "#shop/shipping/methods.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { placeOrder, type OrderRequest } from "./place-order.server.ts";
import { orderUnits } from "#shop/orders/unit.tables.ts";
import { getSavedInformation } from "./saved-information.server.ts";
import { formatExpectedLines, parseExpectedLines } from "./expected-lines.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import { setUnits, unitsOf } from "#tests/support/stock.ts";

const shop = useFreshDatabase();
const guest = (): Buyer => ({ guestId: randomUUID() });
const termsVersion = "2025-01-01";
const { shipping } = FIRST_SETTINGS;
const form: CheckoutForm = {
  email: "ada@example.com",
  phone: "+1 212 555 0100",
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
  shippingCountry: "US",
  billingAddressSameAsShipping: true,
  shippingMethod: "standard",
  saveInformation: false,
};

const bySlug = async (slug: string) => {
  const [product] = await shop.db.select().from(products).where(eq(products.slug, slug));
  if (!product) throw new Error(`no ${slug}`);
  return product;
};
const stockOf = (slug: string) => unitsOf(shop.pool, slug);
const setProduct = (slug: string, values: Partial<typeof products.$inferInsert>) =>
  shop.db.update(products).set(values).where(eq(products.slug, slug));
const add = async (buyer: Buyer, slug: string, quantity = 1) =>
  addToCart(shop.db, buyer, { productId: (await bySlug(slug)).id, quantity });
const expected = async (buyer: Buyer) => parseExpectedLines(formatExpectedLines((await getCart(shop.db, buyer)).lines));
const send = (buyer: Buyer, given: Omit<OrderRequest, "termsVersion" | "expectedShipping">) => {
  const request = { expectedShipping: shipping, ...given, termsVersion };
  return placeOrder(shop.db, uncounted, { buyer, network: "192.0.2.1", accountEmail: null }, request);
};
const place = async (buyer: Buyer, checkoutKey: string = randomUUID(), with_: Partial<CheckoutForm> = {}) =>
  send(buyer, { checkoutKey, expectedLines: await expected(buyer), form: { ...form, ...with_ } });
const mailJobs = async () =>
  (await shop.db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'mail'`)).rows[0]?.n;

const newCustomer = async (emailVerified = true) => {
  const email = `ada-${randomUUID()}@example.com`;
  const [user] = await shop.db
    .insert(users)
    .values({ email, emailVerified, name: "Ada", firstName: "Ada", lastName: "Byron" })
    .returning();
  return { id: user!.id, email, emailVerified, buyer: { customerId: user!.id } };
};

beforeEach(async () => {
  await shop.db.execute(sql`TRUNCATE cart_items, orders CASCADE; DELETE FROM pgboss.job`);
  await shop.db.execute(sql`UPDATE stock SET inventory_count = 50; UPDATE products SET is_available = true`);
});

it.each([
  ["dearer than", { standard: { priceCents: 10_99 } }, "is now $10.99 instead of $9.99. Check the summary"],
  ["free, other than", { freeFromCents: 30_00 }, "is now free instead of $9.99. Check the summary"],
  [
    "slower than",
    { standard: { businessDays: { min: 5, max: 9 } } },
    "now takes up to 9 business days instead of 7. Check the summary",
  ],
  ["not what", { standard: { isOffered: false } }, "is no longer offered. Choose another shipping method"],
])("an order whose shipping is %s the shopper saw is refused, and told", async (_name, value, words) => {
  const buyer = guest();
  await add(buyer, "charging-dock");
  const by = await staffRow(shop.pool, "manager");
  const [effectiveOn, id] = [newYorkDay(new Date()), randomUUID()];
  await shop.db.insert(settingsVersions).values({ section: "shipping", value, effectiveOn, staffId: by.staffId });
  expect(await place(buyer, id)).toEqual({
    ok: false,
    reason: "shipping-changed",
    message: `Standard Shipping ${words}, then place your order again.`,
  });
  const { shipping: expectedShipping } = await readSettings(shop.db);
  const retried = { ...form, shippingMethod: usualMethod(expectedShipping) };
  const again = { checkoutKey: id, expectedLines: await expected(buyer), expectedShipping, form: retried };
  expect(await send(buyer, again)).toMatchObject({ ok: true });
  await shop.db.delete(settingsVersions);
});

describe("an order", () => {
  it("takes stock, freezes lines and totals, empties the cart and queues its email", async () => {
    const buyer = guest();
    await add(buyer, "polara-classic-frost-white", 1);
    await add(buyer, "lid-gasket-set", 2);
    const result = await place(buyer, randomUUID(), { shippingMethod: "express" });
    if (!result.ok) throw new Error(result.reason);
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, result.orderId));
    const shippingCents = shippingPrice(shipping, "express", 113_00);
    expect(order).toMatchObject({
      subtotalCents: 113_00,
      shippingCents,
      taxCents: 0,
      totalCents: 113_00 + shippingCents,
      status: "processing",
      email: form.email,
      shippingMethod: "express",
      termsVersion,
    });
    const items = await shop.db.select().from(orderItems).where(eq(orderItems.orderId, result.orderId));
    expect(items.map((i) => [i.name, i.priceCents, i.quantity]).sort()).toEqual([
      ["Lid Gasket Set", 12_00, 2],
      ["Polara Classic Frost White", 89_00, 1],
    ]);
    expect(await stockOf("lid-gasket-set")).toBe(48);
    expect((await getCart(shop.db, buyer)).lines).toEqual([]);
    expect(await mailJobs()).toBe(1);
  });

  it("has its lines in the cart's order on its page, in emails, in the back office and on the page to pay", async () => {
    const buyer = guest();
    const slugs = ["travel-sleeve", "polara-classic-frost-white", "lid-gasket-set", "charging-dock"];
    for (const slug of slugs) await add(buyer, slug);
    const { lines } = await getCart(shop.db, buyer);
    const names = lines.map(({ name }) => name);
    expect(lines.map(({ slug }) => slug)).toEqual(slugs);
    const result = await send(buyer, {
      checkoutKey: randomUUID(),
      expectedLines: await expected(buyer),
      form,
      mustPay: true,
    });
    if (!result.ok) throw new Error(result.reason);
    const { orderId } = result;
    const opened: string[][] = [];
    const open = (order: PaymentOrder) => {
      opened.push(order.lines.map(({ name }) => name));
      return Promise.resolve({ reference: "a page", url: "https://pay.example/" });
    };
    providePayments({} as PaymentProviders, {
      baseUrl: "https://shop.example",
      secret: "a secret that only tests know",
    });
    await openPage(shop.db, { stripe: { open } } as unknown as PaymentProviders, orderId);
    const [slip] = await listSlips(shop.db, [orderId]);
    for (const listed of [
      await listOrderItems(shop.db, [orderId]),
      (await getOrderForMail(shop.db, orderId))?.items,
      (await readFacts(shop.db, orderId))?.lines,
      slip?.lines,
    ])
      expect(listed?.map(({ name }) => name)).toEqual(names);
    expect(opened).toEqual([names]);
  });

  it("has one event with its time and kind of buyer, also after a repeat with the same key", async () => {
    const { buyer: customer } = await newCustomer();
    for (const [buyer, actor] of [
      [guest(), "guest"],
      [customer, "customer"],
    ] as const) {
      await add(buyer, "travel-sleeve");
      const key = randomUUID();
      const [first, again] = [await place(buyer, key), await place(buyer, key)];
      if (!first.ok) throw new Error(first.reason);
      expect(again).toMatchObject({ ok: true, repeated: true });
      const [order] = await shop.db.select().from(orders).where(eq(orders.id, first.orderId));
      expect(order?.userId ?? order?.sessionId).toBe(Object.values(buyer)[0]);
      const event = {
        type: "placed",
        fromStatus: null,
        toStatus: "processing",
        actor,
        data: null,
        at: order?.createdAt,
      };
      const events = await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, first.orderId));
      expect(events).toEqual([expect.objectContaining(event)]);
    }
  });

  it("that must be paid reserves stock for 30 minutes, opens a payment, and sends no email", async () => {
    const buyer = guest();
    await add(buyer, "travel-sleeve", 2);
    const request = { checkoutKey: randomUUID(), expectedLines: await expected(buyer), form, mustPay: true };
    const result = await send(buyer, request);
    if (!result.ok) throw new Error(result.reason);
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, result.orderId));
    expect(order).toMatchObject({ status: "unpaid" });
    expect(order?.holdUntil?.getTime()).toBe((order?.createdAt.getTime() ?? 0) + 30 * 60_000);
    const [payment] = await shop.db.select().from(payments).where(eq(payments.orderId, result.orderId));
    expect(payment).toMatchObject({
      state: "opening",
      amountCents: order?.totalCents,
      holdLimits: { "a key": 4 },
      reference: null,
    });
    const [event] = await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, result.orderId));
    expect(event).toMatchObject({ type: "held", toStatus: "unpaid", actor: "guest" });
    expect(await mailJobs()).toBe(0);
    expect((await getCart(shop.db, buyer)).lines).toEqual([]);
    const again = await send(buyer, request);
    expect(again).toEqual({ ok: true, orderId: result.orderId, repeated: true });
  });

  it.each([
    ["its day is five days ahead", [5], "page"],
    ["its day is six days ahead", [6], "setup"],
    ["one of two ships now and the other in six days", [null, 6], "setup"],
    ["it ships now", [null], "page"],
  ])("that must be paid saves the card only for what ships later: %s", async (_name, days, kind) => {
    const buyer = guest();
    const slugs = ["travel-sleeve", "charging-dock"].slice(0, days.length);
    for (const [i, slug] of slugs.entries()) {
      const inDays = days[i];
      const shipsFrom = inDays ? daysAfter(newYorkDay(new Date()), inDays) : null;
      await setProduct(slug, { shipsFrom });
      await add(buyer, slug);
    }
    const expectedLines = await expected(buyer);
    const result = await send(buyer, { checkoutKey: randomUUID(), expectedLines, form, mustPay: true });
    for (const slug of slugs) await setProduct(slug, { shipsFrom: null });
    if (!result.ok) throw new Error(result.reason);
    const [payment] = await shop.db.select().from(payments).where(eq(payments.orderId, result.orderId));
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, result.orderId));
    expect(payment).toMatchObject({ kind, state: "opening", amountCents: order?.totalCents });
  });

  it("writes the day to ship by, of its method or its latest line", async () => {
    const from = clock.now();
    for (const [method, sleeve, dock, leaves] of [
      ["overnight", null, null, shipBy(shipping, "overnight", from)],
      ["express", null, null, shipBy(shipping, "express", from)],
      ["express", "2026-01-12", null, shipBy(shipping, "express", from)],
      ["express", null, "2099-01-12", "2099-01-12"],
      ["express", "2099-03-04", "2099-01-12", "2099-03-04"],
    ] as const) {
      const buyer = guest();
      for (const [slug, shipsFrom] of [
        ["travel-sleeve", sleeve],
        ["charging-dock", dock],
      ] as const) {
        await setProduct(slug, { shipsFrom });
        await add(buyer, slug);
      }
      const result = await place(buyer, randomUUID(), { shippingMethod: method });
      for (const slug of ["travel-sleeve", "charging-dock"]) await setProduct(slug, { shipsFrom: null });
      if (!result.ok) throw new Error(result.reason);
      const [order] = await shop.db.select().from(orders).where(eq(orders.id, result.orderId));
      expect(order?.shipBy).toBe(leaves);
    }
  });

  it.each([
    ["polara-pro-earth-green", warrantyPolicy.warrantyYears],
    ["lid-gasket-set", warrantyPolicy.partsWarrantyYears],
    ["travel-sleeve", null],
  ])("keeps the warranty of %s, in years: %s", async (slug, years) => {
    const buyer = guest();
    await add(buyer, slug);
    const result = await place(buyer);
    if (!result.ok) throw new Error(result.reason);
    const { rows } = await shop.pool.query("SELECT warranty_years AS years FROM order_items WHERE order_id = $1", [
      result.orderId,
    ]);
    expect(rows).toEqual([{ years }]);
  });

  it("is refused if a line ships on another day than the shopper saw, and told the day", async () => {
    const buyer = guest();
    const [seen, moved] = [10, 20].map((days) => daysAfter(newYorkDay(new Date()), days)) as [string, string];
    await setProduct("travel-sleeve", { shipsFrom: seen });
    await add(buyer, "travel-sleeve");
    const expectedLines = await expected(buyer);
    await setProduct("travel-sleeve", { shipsFrom: moved });
    const late = await send(buyer, { checkoutKey: randomUUID(), expectedLines, form });
    const words = `It now ships ${shipDayWords({ shipsFrom: moved }, new Date())}. Check the summary, then place your order again.`;
    expect(late).toMatchObject({ ok: false, reason: "lines-changed", problems: [{ message: words }] });
    await setProduct("travel-sleeve", { shipsFrom: null });
    expect(await send(buyer, { checkoutKey: randomUUID(), expectedLines, form })).toMatchObject({ ok: true });
  });

  it("sells at the early-bird price only while it runs", async () => {
    const buyer = guest();
    await add(buyer, "polara-pro-earth-green");
    const early = await expected(buyer);
    expect(early[0]?.unitPriceCents).toBe(99_00);
    const end = (await bySlug("polara-pro-earth-green")).earlyBirdEndDate;
    await setProduct("polara-pro-earth-green", { earlyBirdEndDate: new Date(Date.now() - 1000) });
    const late = await send(buyer, { checkoutKey: randomUUID(), expectedLines: early, form });
    expect(late).toMatchObject({
      ok: false,
      reason: "lines-changed",
      problems: [{ name: "Polara Pro Earth Green", message: expect.stringContaining("now $149.00 instead of $99.00") }],
    });
    expect(await place(buyer)).toMatchObject({ ok: true });
    await setProduct("polara-pro-earth-green", { earlyBirdEndDate: end });
  });
});

describe("a refusal", () => {
  it("names each short line and the remedy, and changes nothing", async () => {
    const buyer = guest();
    await add(buyer, "charging-dock", 5);
    await add(buyer, "travel-sleeve", 1);
    await add(buyer, "lid-gasket-set", 1);
    await setUnits(shop.pool, "charging-dock", 3);
    await setProduct("travel-sleeve", { isAvailable: false });
    const result = await place(buyer);
    expect(result).toMatchObject({
      ok: false,
      reason: "lines-changed",
      problems: [
        { name: "Charging Dock", message: "Only 3 left. Lower the quantity to check out." },
        { name: "Travel Sleeve", message: "Out of stock. Remove it to check out." },
      ],
    });
    expect(await stockOf("lid-gasket-set")).toBe(50);
    expect((await getCart(shop.db, buyer)).lines).toHaveLength(3);
    expect(await mailJobs()).toBe(0);
    expect(await shop.db.$count(orderEvents)).toBe(0);
  });

  it("names changes from another tab: a line, a quantity", async () => {
    const buyer = guest();
    await add(buyer, "charging-dock", 1);
    const before = await expected(buyer);
    await add(buyer, "charging-dock", 1);
    await add(buyer, "travel-sleeve", 1);
    const result = await send(buyer, { checkoutKey: randomUUID(), expectedLines: before, form });
    expect("problems" in result && result.problems.map((p) => p.name)).toEqual(["Charging Dock", "Travel Sleeve"]);
  });

  it("refuses expected lines of other products, or of none", async () => {
    const buyer = guest();
    await add(buyer, "charging-dock");
    await add(buyer, "travel-sleeve");
    const [dock] = await expected(buyer);
    const other = await bySlug("lid-gasket-set");
    const forged = [dock, { productId: other.id, quantity: 1, unitPriceCents: 12_00, shipsFrom: null }].filter(
      (l) => l !== undefined,
    );
    for (const expectedLines of [forged, []]) {
      expect(await send(buyer, { checkoutKey: randomUUID(), expectedLines, form })).toMatchObject({
        ok: false,
        reason: "lines-changed",
      });
    }
    expect(await shop.db.$count(orders)).toBe(0);
  });

  it("for an empty cart, and for another buyer's key", async () => {
    expect(await place(guest())).toMatchObject({ ok: false, reason: "empty-cart" });
    const [one, other, key] = [guest(), guest(), randomUUID()];
    await add(one, "travel-sleeve");
    await add(other, "travel-sleeve");
    expect(await place(one, key)).toMatchObject({ ok: true });
    expect(await place(other, key)).toEqual({ ok: false, reason: "expired", problems: [] });
    expect((await getCart(shop.db, other)).lines).toHaveLength(1);
  });
});

describe("under contention", () => {
  it("a sale writes no product, so reading and adding one never wait for sales", async () => {
    const written = async () => (await shop.pool.query("SELECT slug, xmin, ctid FROM products ORDER BY slug")).rows;
    const before = await written();
    const buyer = guest();
    await add(buyer, "charging-dock", 2);
    const client = await shop.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM stock FOR UPDATE");
      await add(guest(), "charging-dock", 1);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    expect(await place(buyer)).toMatchObject({ ok: true });
    expect(await written()).toEqual(before);
  });

  it("100 concurrent guests for a stock of 10 make exactly 10 orders and 90 clear refusals", async () => {
    await setUnits(shop.pool, "charging-dock", 10);
    const buyers = Array.from({ length: 100 }, guest);
    for (const buyer of buyers) await add(buyer, "charging-dock");
    const requests = await Promise.all(buyers.map(async (buyer) => ({ buyer, expectedLines: await expected(buyer) })));
    const results = await Promise.all(
      requests.map(({ buyer, expectedLines }) => send(buyer, { checkoutKey: randomUUID(), expectedLines, form })),
    );
    expect(results.filter((r) => r.ok)).toHaveLength(10);
    expect(await shop.db.$count(orders)).toBe(10);
    expect(await stockOf("charging-dock")).toBe(0);
    const refusals = results.filter((r) => !r.ok);
    expect(refusals).toHaveLength(90);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        reason: "lines-changed",
        problems: [{ name: "Charging Dock", message: "Out of stock. Remove it to check out." }],
      });
    }
    expect(await shop.db.$count(cartItems)).toBe(90);
    expect(await mailJobs()).toBe(10);
  });

  it("overlapping carts in every order neither deadlock nor oversell", async () => {
    const slugs = ["charging-dock", "travel-sleeve", "lid-gasket-set", "ethylene-filter-2-pack"];
    for (const slug of slugs) await setUnits(shop.pool, slug, 30);
    const buyers = Array.from({ length: 80 }, guest);
    await Promise.all(
      buyers.map(async (buyer, i) => {
        for (let k = 0; k < 3; k++) await add(buyer, slugs[(i + (i % 2 ? k : 3 * k)) % 4] ?? "", 1 + (k % 2));
      }),
    );
    const [results] = await Promise.all([
      Promise.all(buyers.map((buyer) => place(buyer))),
      Promise.all(buyers.map((_, i) => add(guest(), slugs[i % 4] ?? ""))),
    ]);
    const left = await Promise.all(slugs.map(stockOf));
    const sold = await shop.db.select({ n: sql<number>`coalesce(sum(quantity), 0)::int` }).from(orderItems);
    expect(left.reduce((a, b) => a + b, 0) + (sold[0]?.n ?? 0)).toBe(120);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
    expect(await shop.db.$count(orders)).toBe(results.filter((r) => r.ok).length);
    expect(results.some((r) => r.ok)).toBe(true);
    // The shop repeats what deadlocked, so that only the connections' statistics tell.
    await Promise.all(Array.from({ length: 20 }, () => shop.pool.query("SELECT pg_stat_force_next_flush()")));
    const deadlocks = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";
    expect((await shop.pool.query(deadlocks)).rows).toEqual([{ deadlocks: 0 }]);
  });

  it("20 concurrent requests with the same key are one order", async () => {
    const buyer = guest();
    await add(buyer, "travel-sleeve", 2);
    const [key, expectedLines] = [randomUUID(), await expected(buyer)];
    const results = await Promise.all(
      Array.from({ length: 20 }, () => send(buyer, { checkoutKey: key, expectedLines, form })),
    );
    expect(new Set(results.map((r) => (r.ok ? r.orderId : r.reason))).size).toBe(1);
    expect(results.filter((r) => r.ok && !r.repeated)).toHaveLength(1);
    expect(await shop.db.$count(orders)).toBe(1);
    expect(await stockOf("travel-sleeve")).toBe(48);
  });

  it("two tabs with two keys place one order of one cart", async () => {
    const buyer = guest();
    await add(buyer, "travel-sleeve", 2);
    const expectedLines = await expected(buyer);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => send(buyer, { checkoutKey: randomUUID(), expectedLines, form })),
    );
    expect(results.filter((r) => r.ok)).toHaveLength(1);
    expect(results.filter((r) => !r.ok && r.reason === "empty-cart")).toHaveLength(9);
    expect(await stockOf("travel-sleeve")).toBe(48);
  });
});

describe("an order that must be paid", () => {
  const PRODUCT = "polara-classic-midnight-black";

  /** Reserves units at the normal limits, as one more guest of a network. */
  async function reserve(network: string, slug = PRODUCT, quantity = 1) {
    const buyer = guest();
    await add(buyer, slug, quantity);
    const request = {
      checkoutKey: randomUUID(),
      expectedLines: await expected(buyer),
      expectedShipping: shipping,
      form: { ...form, email: `${randomUUID()}@example.com` },
      termsVersion,
      mustPay: true,
    };
    const limits = openRateLimits(shop.db, { scale: 1, secret: "a secret" });
    return placeOrder(shop.db, limits, { buyer, network, accountEmail: null }, request);
  }

  async function pay(order: Awaited<ReturnType<typeof reserve>>) {
    if (!order.ok) throw new Error(order.reason);
    const [payment] = await shop.db.select().from(payments).where(eq(payments.orderId, order.orderId));
    await refundKeys(shop.db, payment?.holdLimits ?? {});
  }

  beforeEach(() => shop.db.execute(sql`DELETE FROM rate_limits`));

  it.each([
    ["one IPv4 network", () => "192.0.2.1"],
    ["many lines of one /48", (i: number) => `2001:db8:7:${i.toString(16)}::/64`],
  ])("leaves most of the stock to others, however often %s tries without paying", async (_who, network) => {
    const stocked: [slug: string, units: number, others: number][] = [
      [PRODUCT, 70, 35],
      ["polara-pro-frost-white", 9, 5],
      ["lid-gasket-set", 3, 1],
    ];
    for (const [slug, units, others] of stocked) {
      await setUnits(shop.pool, slug, units);
      for (const [i, quantity] of [10, 10, 10, 10, 10, 4, 2, 1, 1, 1, 1, 1, 1, 1].entries())
        await reserve(network(i), slug, quantity);
      expect(await stockOf(slug), slug).toBeLessThan(units);
      expect(await stockOf(slug), slug).toBeGreaterThanOrEqual(others);
      expect(await reserve("198.51.100.7", slug), slug).toMatchObject({ ok: true });
    }
  });

  it("leaves half of the stock to others when a network tries 20 times at once", async () => {
    await setUnits(shop.pool, PRODUCT, 70);
    await Promise.all(Array.from({ length: 20 }, () => reserve("192.0.2.1", PRODUCT, 10)));
    expect(await stockOf(PRODUCT)).toBeGreaterThanOrEqual(35);
  });

  it("holds the last unit twice a day for a network that does not pay, and names the product when refused", async () => {
    for (const isOk of [true, true, false]) {
      await setUnits(shop.pool, PRODUCT, 1);
      expect(await reserve("192.0.2.1")).toMatchObject({ ok: isOk });
    }
    expect(await reserve("192.0.2.1")).toMatchObject({
      reason: "too-many",
      by: "unpaid-units",
      product: { name: "Polara Classic Midnight Black" },
    });
    expect(await reserve("198.51.100.7")).toMatchObject({ ok: true });
  });

  it("counts for nobody once it is paid: 60 buyers on one network, ten of them paying at a time", async () => {
    await setUnits(shop.pool, PRODUCT, 100);
    const waiting: Awaited<ReturnType<typeof reserve>>[] = [];
    for (let i = 0; i < 60; i++) {
      const order = await reserve("192.0.2.1");
      expect(order, `buyer ${i}`).toMatchObject({ ok: true });
      if (waiting.push(order) === 10) await pay(waiting.shift()!);
    }
    expect(await stockOf(PRODUCT)).toBe(40);
  });
});

describe("a customer", () => {
  it("cannot order before their email is verified, and keeps the cart", async () => {
    const { id, buyer } = await newCustomer(false);
    await add(buyer, "travel-sleeve");
    expect(await place(buyer)).toEqual({ ok: false, reason: "unverified", problems: [] });
    expect((await getCart(shop.db, buyer)).lines).toHaveLength(1);
    expect(await stockOf("travel-sleeve")).toBe(50);
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, id));
    expect(await place(buyer)).toMatchObject({ ok: true });
  });

  it("gets the checkout prefilled from the profile, then from the last order's address", async () => {
    const { buyer, ...owner } = await newCustomer();
    const name = { shippingFirstName: "Ada", shippingLastName: "Byron" };
    expect(await getSavedInformation(shop.db, buyer, owner)).toMatchObject({ email: owner.email, ...name });
    await add(buyer, "travel-sleeve");
    await place(buyer, randomUUID(), { email: "elsewhere@example.com", shippingCity: "Boston", shippingState: "MA" });
    expect(await getSavedInformation(shop.db, buyer, owner)).toMatchObject({
      email: owner.email,
      phone: form.phone,
      shippingLastName: "Lovelace",
      shippingCity: "Boston",
      shippingState: "MA",
    });
    expect(await getSavedInformation(shop.db, guest())).toBeNull();
  });
});

describe("saved information", () => {
  it("prefills the next checkout only if the last order asked for it", async () => {
    const buyer = guest();
    await add(buyer, "travel-sleeve");
    await place(buyer, randomUUID(), { saveInformation: true });
    expect(await getSavedInformation(shop.db, buyer)).toMatchObject({ email: form.email, shippingCity: "New York" });
    expect(await getSavedInformation(shop.db, guest())).toBeNull();
    await add(buyer, "travel-sleeve");
    await place(buyer);
    expect(await getSavedInformation(shop.db, buyer)).toBeNull();
  });
});

describe("a discount code", () => {
  const code = "SPRING10";
  const make = (set: Partial<typeof discounts.$inferInsert> = {}) =>
    shop.db.insert(discounts).values({ code, name: code, kind: "percent", value: 10, ...set });
  const request = async (buyer: Buyer, with_: Partial<OrderRequest> = {}) => {
    const { lines, discount } = await getCart(shop.db, buyer, code);
    return {
      checkoutKey: randomUUID(),
      expectedLines: parseExpectedLines(formatExpectedLines(lines)),
      expectedDiscount: discount.applied,
      code,
      form,
      ...with_,
    };
  };
  const filled = async () => {
    const buyer = guest();
    await add(buyer, "polara-classic-frost-white", 1);
    await add(buyer, "lid-gasket-set", 3);
    return buyer;
  };

  beforeEach(() => shop.db.execute(sql`TRUNCATE discounts`));

  it("is shared out over the units, once, when the order is placed", async () => {
    await make({ value: 33 });
    const buyer = await filled();
    const placed = await send(buyer, await request(buyer));
    if (!placed.ok) throw new Error(placed.reason);
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, placed.orderId));
    const units = await shop.db.select().from(orderUnits).where(eq(orderUnits.orderId, placed.orderId));
    const { subtotalCents, discountCents, discountName, shippingCents, totalCents } = order!;
    expect({ subtotalCents, discountCents, discountName }).toEqual({
      subtotalCents: 125_00,
      discountCents: 41_25,
      discountName: code,
    });
    expect(totalCents).toBe(125_00 - 41_25 + shippingCents);
    expect(units.reduce((sum, { priceCents }) => sum + priceCents, 0)).toBe(125_00 - 41_25);
  });

  it("is refused by name once it has ended, and not dropped in silence", async () => {
    await make();
    const buyer = await filled();
    const seen = await request(buyer);
    await shop.db.update(discounts).set({ endsAt: new Date(Date.now() - 1_000) });
    expect(await send(buyer, seen)).toEqual({
      ok: false,
      reason: "discount-changed",
      message: "SPRING10 has ended. Check the summary, then place your order again.",
      isCodeRefused: true,
    });
    expect(await send(buyer, { ...seen, code: null, expectedDiscount: null })).toMatchObject({ ok: true });
  });

  it.each([
    ["expired", ["expired"]],
    ["declined", ["to-ship", "declined"]],
    ["canceled", ["canceled"]],
  ] as const)("is good for one order of an inbox, until that is %s", async (_end, stages) => {
    await make({ isOncePerInbox: true });
    const [first, second] = [await filled(), await filled()];
    const again = async (buyer: Buyer) => {
      await add(buyer, "polara-classic-frost-white", 1);
      return request(buyer, { mustPay: true });
    };
    const others = { form: { ...form, email: "ada+again@example.com" } };
    expect(await send(first, await request(first, { mustPay: true }))).toMatchObject({ ok: true });
    expect(await send(second, await request(second, others))).toMatchObject({
      reason: "discount-changed",
      message: expect.stringContaining("SPRING10 was already used with this email address."),
    });
    const own = { reason: "discount-changed", isCodeRefused: true };
    expect(await send(first, await again(first)), "one's own unpaid order").toMatchObject(own);
    for (const stage of stages) await shop.db.update(orders).set({ stage });
    expect(await send(second, await request(second, others))).toMatchObject({ ok: true });
  });

  it("has its last use taken by one of many buyers", async () => {
    await make({ maxUses: 1 });
    const buyers = await Promise.all(Array.from({ length: 20 }, filled));
    const requests = await Promise.all(buyers.map((buyer) => request(buyer)));
    const results = await Promise.all(buyers.map((buyer, place) => send(buyer, requests[place]!)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const refused of results.filter(({ ok }) => !ok))
      expect(refused).toMatchObject({ reason: "discount-changed", message: expect.stringContaining("used up") });
  });

  it("that pays for everything leaves nothing to pay", async () => {
    await make({ value: 100 });
    const buyer = await filled();
    const placed = await send(buyer, await request(buyer, { mustPay: true }));
    if (!placed.ok) throw new Error(placed.reason);
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, placed.orderId));
    expect(order).toMatchObject({ totalCents: 0, stage: "to-ship", attention: [], paymentStatus: "none" });
    expect(await shop.db.$count(payments)).toBe(0);
  });
});
