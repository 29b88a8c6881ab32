import { beforeAll, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { fillDemo } from "#scripts/demo/fill.ts";
import { NO_CAMPAIGN } from "#shop/campaign.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { amountsCharged } from "#shop/orders/order.ts";
import { sharesOfUnits } from "#shop/orders/units.ts";
import { EventCounts } from "./event-counts.server.ts";
import { rollUp, runningOut, sumsByCampaign, sumsByDay, unitsByProduct } from "./analytics.server.ts";
import { ADD_UNITS, CANCEL_UNITS, SHARE_TAX, keptUnits } from "#tests/support/units.ts";

const shop = useFreshDatabase(4);
const one = async (text: string) => (await shop.pool.query(text)).rows[0];
const isNotCharged = (line: string) =>
  one(`WITH item AS (DELETE FROM charge_items USING order_items AS line
      WHERE charge_items.order_id = line.order_id AND line.id = '${line}')
    UPDATE payments SET captured = 0, refunded = 0 FROM order_items
    WHERE payments.order_id = order_items.order_id AND order_items.id = '${line}'`);

beforeAll(async () => {
  await fillDemo(
    { ...shop, databaseUrl: shop.url, baseUrl: "http://localhost:3000", secret: "a secret that only tests know" },
    { orders: 60 },
  );
  await shop.pool.query("DELETE FROM daily_counts");
  await shop.pool.query("DELETE FROM daily_orders");
});

it("sums past days once and adds today", async () => {
  const live = await sumsByDay(shop.db, { days: 365 });
  await rollUp(shop.db);
  await rollUp(shop.db);
  const days = await sumsByDay(shop.db, { days: 365 });
  expect(days).toEqual(live);
  expect(days).toHaveLength(365);
  expect(days.at(-1)?.day).toBe(newYorkDay(new Date()));
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
  const [from] = days;
  const books = await one(`
    SELECT count(*)::int AS orders, sum(cents)::int AS cents FROM (
      SELECT o.total - coalesce(sum(u.price) FILTER (WHERE canceled_at IS NOT NULL), 0) AS cents FROM orders o JOIN order_units u ON u.order_id = o.id
      WHERE o.status IN ('processing', 'shipped', 'delivered')
        AND (o.created_at AT TIME ZONE 'America/New_York')::date >= '${from!.day}' GROUP BY o.id) AS sold`);
  expect(sum((day) => day.order)).toBe(books.orders);
  expect(sum((day) => day.soldCents)).toBe(books.cents);
  const refunds = await one(
    "SELECT sum(amount)::int AS cents FROM payment_actions WHERE kind = 'refund' AND state = 'done'",
  );
  expect(sum((day) => day.refundedCents)).toBe(refunds.cents);
  const campaigns = await sumsByCampaign(shop.db, { days: 365 });
  expect(campaigns.reduce((total, { order }) => total + order, 0)).toBe(books.orders);
  const week = { days: 7, until: days.at(-8)!.day };
  expect(await sumsByDay(shop.db, week)).toEqual(days.slice(-14, -7));
  const [brand] = await sumsByCampaign(shop.db, { days: 365, source: "google", campaign: "brand" });
  expect(brand).toEqual(campaigns.find(({ campaign }) => campaign === "brand"));
});

it("has the events of each day, including today", async () => {
  const today = newYorkDay(new Date());
  const [{ day: yesterday }] = (await shop.pool.query("SELECT ($1::date - 1)::text AS day", [today])).rows;
  const steps = ["visit", "product-view", "cart", "checkout"] as const;
  const before = await sumsByDay(shop.db, { days: 7 });
  for (const [i, step] of steps.entries()) {
    await shop.pool.query("INSERT INTO daily_counts VALUES ($1, $3, 'steps', '', $4), ($2, $3, 'steps', '', 1)", [
      yesterday,
      today,
      step,
      10 + i,
    ]);
  }
  await rollUp(shop.db);
  const counted = { visit: 11, "product-view": 12, cart: 13, checkout: 14, order: 0 };
  expect(await sumsByCampaign(shop.db, { days: 7, source: "steps" })).toEqual([expect.objectContaining(counted)]);
  const days = await sumsByDay(shop.db, { days: 7 });
  const last = days.at(-2)!;
  expect(last).toEqual({ ...before.at(-2), visit: 10, "product-view": 11, cart: 12, checkout: 13 });
  expect(steps.map((step) => days.at(-1)![step] - before.at(-1)![step])).toEqual([1, 1, 1, 1]);
  await shop.pool.query("DELETE FROM daily_counts");
});

it("follows an order that is canceled in part months later, before it was charged", async () => {
  const sold = async () => (await sumsByDay(shop.db, { days: 365 })).reduce((sum, { soldCents }) => sum + soldCents, 0);
  const { id } = await one(`
    SELECT i.id FROM order_items i JOIN orders o ON o.id = order_id
    WHERE status = 'delivered' AND quantity = ${keptUnits("i")} AND o.created_at BETWEEN now() - interval '360 days' AND now() - interval '60 days'
    ORDER BY o.created_at, i.id LIMIT 1`);
  await isNotCharged(id);
  await rollUp(shop.db);
  const before = await sold();
  await shop.pool.query(CANCEL_UNITS, [[id], 1]);
  const { price } = await one(`SELECT price FROM order_items WHERE id = '${id}'`);
  await rollUp(shop.db);
  expect(await sold()).toBe(before - price);
});

it("counts canceled units with neither their price nor their tax, as they are charged", async () => {
  const sold = async () => (await sumsByDay(shop.db, { days: 1 }))[0]!.soldCents;
  const {
    id,
    orderId,
    price: priceCents,
  } = await one(`
    SELECT i.id, order_id AS "orderId", price FROM order_items i JOIN orders o ON o.id = order_id
    WHERE status = 'delivered' AND o.created_at < now() - interval '2 days' AND o.discount = 0
      AND NOT EXISTS (SELECT FROM order_items WHERE order_id = o.id AND id <> i.id) LIMIT 1`);
  await isNotCharged(id);
  const others = await sold();
  for (const [quantity, canceledQuantity, taxCents] of [
    [2, 0, 101],
    [2, 1, 101],
    [3, 1, 100],
    [3, 2, 100],
    [10, 7, 5],
  ] as const) {
    const subtotalCents = priceCents * quantity;
    const order = {
      subtotalCents,
      discountCents: 0,
      discountName: null,
      shippingCents: 900,
      shippingTaxCents: 80,
      taxCents: taxCents + 80,
      totalCents: 0,
    };
    await shop.pool.query(
      `WITH line AS (UPDATE order_items SET quantity = $2, tax = $3 WHERE id = $1 RETURNING order_id),
         gone AS (DELETE FROM order_units WHERE order_item_id = $1)
       UPDATE orders SET created_at = now(), subtotal = $4, shipping = 900, shipping_tax = 80, tax = $3 + 80,
         total = $4 + 900 + $3 + 80 FROM line WHERE orders.id = order_id`,
      [id, quantity, taxCents, subtotalCents],
    );
    await shop.pool.query(ADD_UNITS);
    await shop.pool.query(SHARE_TAX, [orderId]);
    await shop.pool.query(CANCEL_UNITS, [[id], canceledQuantity]);
    const taxes = sharesOfUnits(taxCents, quantity).slice(0, quantity - canceledQuantity);
    const { totalCents } = amountsCharged(order, [
      {
        priceCents,
        quantity,
        canceledQuantity,
        discountKeptCents: 0,
        taxKeptCents: taxes.reduce((sum, cents) => sum + cents, 0),
        returnId: null,
      },
    ]);
    expect([canceledQuantity, (await sold()) - others]).toEqual([canceledQuantity, totalCents]);
  }
});

it("lists the bestsellers of two dates", async () => {
  const [{ day: until }] = (await shop.pool.query("SELECT (max(created_at)::date - 30)::text AS day FROM orders")).rows;
  const { rows } = await shop.pool.query(
    `SELECT product_id AS id, sum(${keptUnits("order_items")})::int AS units
     FROM order_items JOIN orders ON orders.id = order_id WHERE status IN ('processing', 'shipped', 'delivered')
       AND (orders.created_at AT TIME ZONE 'America/New_York')::date BETWEEN $1::date - 99 AND $1
     GROUP BY 1 HAVING sum(${keptUnits("order_items")}) > 0`,
    [until],
  );
  const sums = await unitsByProduct(shop.db, { days: 100, until });
  expect(sums.map(({ id, units }) => ({ id, units }))).toEqual(expect.arrayContaining(rows));
  expect(sums).toHaveLength(rows.length);
});

it("lists the bestsellers and what runs out first", async () => {
  const until = newYorkDay(new Date());
  const [most, ...others] = await unitsByProduct(shop.db, { days: 365, until });
  const { units } = await one(`
    SELECT max(units)::int AS units FROM (SELECT sum(${keptUnits("order_items")}) AS units FROM order_items JOIN orders ON orders.id = order_id
      WHERE status IN ('processing', 'shipped', 'delivered') GROUP BY product_id) AS sold`);
  expect(most?.units).toBeGreaterThan(units * 0.95);
  await shop.pool.query("DELETE FROM daily_orders WHERE day > now() - interval '30 days'");
  expect(await unitsByProduct(shop.db, { days: 365, until }), "without the sums of a month").toEqual([most, ...others]);
  const [first, second] = await runningOut(shop.db);
  expect(first!.daysLeft).toBe(Math.floor((first!.stock * 28) / first!.units));
  expect(second!.daysLeft).toBeGreaterThanOrEqual(first!.daysLeft);
});

it("counts events by New York day, and loses none if a write fails", async () => {
  const counts = new EventCounts();
  const mail = { utmSource: "mail", utmCampaign: "spring" };
  const noon = new Date("2026-07-04T16:00:00Z");
  for (let i = 0; i < 3; i++) counts.add("visit", mail, noon);
  counts.add("visit", NO_CAMPAIGN, noon);
  counts.add("cart", mail, new Date("2026-07-05T03:59:59Z"));
  counts.add("cart", mail, new Date("2026-07-05T04:00:01Z"));
  const broken = { execute: () => Promise.reject(new Error("away")) } as never;
  await expect(counts.write(broken)).rejects.toThrow("away");
  counts.add("visit", mail, noon);
  await counts.write(shop.db);
  await counts.write(shop.db);
  counts.add("visit", mail, noon);
  await counts.write(shop.db);
  const { rows } = await shop.pool.query(
    "SELECT day::text, event, utm_source, count::int FROM daily_counts WHERE day < '2026-07-06' AND day > '2026-07-03' ORDER BY 1, 2, 3",
  );
  expect(rows).toEqual([
    { day: "2026-07-04", event: "cart", utm_source: "mail", count: 1 },
    { day: "2026-07-04", event: "visit", utm_source: "", count: 1 },
    { day: "2026-07-04", event: "visit", utm_source: "mail", count: 5 },
    { day: "2026-07-05", event: "cart", utm_source: "mail", count: 1 },
  ]);
});

it("has at most 30 campaigns a day", async () => {
  const counts = new EventCounts();
  const day = new Date("2026-08-01T16:00:00Z");
  for (let i = 0; i < 1_000; i++) counts.add("visit", { utmSource: `made-up-${i}`, utmCampaign: null }, day);
  await counts.write(shop.db);
  const { rows } = await shop.pool.query(
    "SELECT utm_source, count::int FROM daily_counts WHERE day = '2026-08-01' ORDER BY count DESC",
  );
  expect(rows).toHaveLength(31);
  expect(rows[0]).toEqual({ utm_source: "(other)", count: 970 });
});
