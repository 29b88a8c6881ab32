/** Today, Analytics, Tax and the exports tell the same money, which is that of the provider. */
import { randomInt as random, randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { placedOrder, type Placed } from "#tests/support/placed-order.ts";
import { aParcel } from "#tests/support/staff.ts";
import { setUnits } from "#tests/support/stock.ts";
import { SHARE_TAX } from "#tests/support/units.ts";
import type { Cells } from "#shop/csv-cell.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import { exportLines, exportOrders } from "#shop/fulfillment/export-orders.server.ts";
import { exportPayments } from "#shop/fulfillment/export-payments.server.ts";
import { cancelByBuyer, cancelByStaff, declineByStaff } from "#shop/fulfillment/fulfill.server.ts";
import { recordPayment } from "#shop/fulfillment/record-payment.server.ts";
import { refundOrder, resolveRefund } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { listOrderPage } from "#shop/fulfillment/order-list.server.ts";
import { spentBy } from "#shop/orders/history.server.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { orderState } from "#shop/orders/state.ts";
import { reconcileOrder } from "#shop/payments/reconcile.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { rollUpSalesByState, salesByState } from "#shop/tax/sales-by-state.server.ts";
import { US_STATES } from "#shop/us-states.ts";
import { rollUp, sumsByCampaign, sumsByDay, unitsByProduct } from "./analytics.server.ts";

const shop = useFreshDatabase(6);
const bank = new MemoryProvider();
const [TODAY, YESTERDAY] = [newYorkDay(new Date()), daysAfter(newYorkDay(new Date()), -1)];
const BY = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null } as const;
const SLUGS = ["charging-dock", "travel-sleeve", "ethylene-filter-2-pack"];
const ORDERS = 60;

const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await shop.pool.query<Row>(text, values)).rows;

/** As if an order was placed, and what happened to it so far happened, a day before. */
const moveToYesterday = async (id: string) => {
  await query("UPDATE orders SET created_at = created_at - interval '1 day' WHERE id = $1", [id]);
  await query(
    `UPDATE payment_actions SET done_at = done_at - interval '1 day' FROM payments
     WHERE payments.id = payment_id AND order_id = $1`,
    [id],
  );
};

/** An order with a tax and, mostly, a payment; some keep a card that pays each parcel, some are placed without a provider. */
async function place(): Promise<string> {
  const units = Object.fromEntries(SLUGS.slice(random(3)).map((slug) => [slug, 1 + random(4)]));
  const how = pick(["card", "card", "card", "kept", "arranged", "unpaid"] as const);
  const order = await placedOrder(shop.db, units, {
    isAuthorized: how === "card",
    keepsCard: how === "kept",
    status: how === "unpaid" ? "unpaid" : "processing",
  });
  await query("UPDATE order_items SET tax = 1 + (random() * 900)::int WHERE order_id = $1", [order.id]);
  await query(SHARE_TAX, [order.id]);
  // Some at half the price.
  if (random(3) === 0) await query("UPDATE order_units SET price = price / 2 WHERE order_id = $1", [order.id]);
  const [{ cents }] = (await query<{ cents: number }>(
    `UPDATE orders SET shipping_tax = CASE WHEN shipping > 0 THEN 83 ELSE 0 END, shipping_state = $2,
       tax = lines.tax + CASE WHEN shipping > 0 THEN 83 ELSE 0 END,
       discount = subtotal - units.price, discount_name = CASE WHEN units.price < subtotal THEN 'HALF' END,
       total = units.price + shipping + lines.tax + CASE WHEN shipping > 0 THEN 83 ELSE 0 END
     FROM (SELECT sum(tax)::int AS tax FROM order_items WHERE order_id = $1) AS lines,
       (SELECT sum(price)::int AS price FROM order_units WHERE order_id = $1) AS units WHERE id = $1 RETURNING total AS cents`,
    [order.id, pick(["TX", "CA", "NY"])],
  )) as [{ cents: number }];
  await query(
    "UPDATE payments SET amount = $2, authorized = CASE kind WHEN 'page' THEN $2::int ELSE 0 END WHERE order_id = $1",
    [order.id, cents],
  );
  if (how === "card") bank.authorize(order.reference, cents);
  const card = { customer: `customer of ${order.id}`, method: `card of ${order.id}` };
  if (how === "kept") bank.keepCard(order.reference, card);
  if (how === "arranged" && random(2))
    await recordPayment(shop.db, order.id, { how: "check", reference: "", cents }, BY);
  return order.id;
}

let parcels = 0;

/** Something that staff, the buyer or the bank does; what an order does not allow changes nothing. */
async function act(id: string): Promise<unknown> {
  const lines = await query<{ id: string; quantity: number }>(
    "SELECT id, quantity FROM order_items WHERE order_id = $1",
    [id],
  );
  const line = pick(lines);
  return pick([
    () => shipOrder(shop.db, bank.providers, id, aParcel(++parcels), BY),
    () => shipOrder(shop.db, bank.providers, id, aParcel(++parcels, { [line.id]: 1 + random(line.quantity) }), BY),
    () => {
      const change = { keep: { [line.id]: random(line.quantity) }, returnsStock: true, reason: "damaged" } as const;
      return cancelItems(shop.db, bank.providers, id, { ...change, isRefunded: random(4) === 0, isVerified: true }, BY);
    },
    () =>
      refundOrder(shop.db, bank.providers, id, { cents: 1 + random(30_00), reason: "goodwill", isVerified: true }, BY),
    async () => {
      const [paid] = await query<{ reference: string }>(
        "SELECT reference FROM payments WHERE order_id = $1 AND captured > 0",
        [id],
      );
      if (paid && bank.payments.has(paid.reference)) bank.failRefunds(paid.reference);
      await reconcileOrder(shop.db, bank.providers, id);
    },
    () => cancelByStaff(shop.db, id, BY),
    () => declineByStaff(shop.db, id, "sold-out", BY),
    () => cancelByBuyer(shop.db, id, "guest"),
  ])();
}

/** Runs of the jobs until nothing is under way. */
async function settle(): Promise<void> {
  const underWay = "SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')";
  for (let found = await query<{ id: string }>(underWay); found.length > 0; found = await query(underWay)) {
    for (const { id } of found) await runAction(shop.db, bank.providers, id);
  }
}

async function rowsOf(file: AsyncIterable<Cells>): Promise<Cells[]> {
  const rows = [];
  for await (const row of file) rows.push(row);
  return rows;
}
const cents = (value: Cells[string]) => Math.round(Number(value) * 100);
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
/** Sums of rows by a key, without those of nothing. */
const by = <Row>(rows: readonly Row[], keyOf: (row: Row) => string, of: (row: Row) => number) =>
  Object.fromEntries(
    [...Map.groupBy(rows, keyOf)].map(([key, some]) => [key, sum(some, of)]).filter(([, total]) => total !== 0),
  );
const dayOf = (cell: Cells[string]) => newYorkDay(cell as Date);

beforeAll(async () => {
  for (const slug of SLUGS) await setUnits(shop.pool, slug, 10_000);
  const ids: string[] = [];
  for (let i = 0; i < ORDERS; i++) {
    const id = await place();
    for (let acts = random(4); acts > 0; acts--) await act(id);
    if (i % 2) await moveToYesterday(id);
    ids.push(id);
  }
  await settle();
  // The night's sums know nothing of what is canceled, refunded or sent back by the bank on the next day.
  await rollUp(shop.db);
  await rollUpSalesByState(shop.db);
  for (const id of ids) for (let acts = random(4); acts > 0; acts--) await act(id);
  await settle();
  await rollUp(shop.db);
  await rollUpSalesByState(shop.db);
});

it("the screens and the exports tell the same sums, which are those of the provider's books", async () => {
  const words = () => ({ status: "", payment: "" });
  const orders = await rowsOf(exportOrders(shop.db, {}, words, BY));
  const lines = await rowsOf(exportLines(shop.db, {}, words, BY));
  const payments = await rowsOf(exportPayments(shop.db, {}, BY));
  const days = await sumsByDay(shop.db, { days: 2, until: TODAY });
  const refunds = payments.filter(({ Type }) => Type === "Refund");
  const charges = payments.filter(({ Type }) => Type === "Charge");
  const perDay = (of: (day: (typeof days)[number]) => number) => by(days, ({ day }) => day, of);

  expect(
    perDay(({ soldCents }) => soldCents),
    "Sales of a day",
  ).toEqual(
    by(
      orders,
      ({ Placed }) => dayOf(Placed),
      ({ Sales }) => cents(Sales),
    ),
  );
  expect(
    perDay(({ refundedCents }) => refundedCents),
    "Refunds of a day",
  ).toEqual(
    by(
      refunds,
      ({ Date }) => dayOf(Date),
      ({ Amount }) => -cents(Amount),
    ),
  );
  const campaigns = await sumsByCampaign(shop.db, { days: 2, until: TODAY });
  for (const key of ["soldCents", "refundedCents", "order"] as const)
    expect(
      sum(campaigns, (row) => row[key]),
      `${key} by campaign`,
    ).toBe(sum(days, (day) => day[key]));
  const ofOrder = ({ Order }: Cells) => String(Order);
  expect(
    by(charges, ofOrder, ({ Amount }) => cents(Amount)),
    "Charged, by order",
  ).toEqual(by(orders, ofOrder, ({ Charged }) => cents(Charged)));
  expect(
    by(refunds, ofOrder, ({ Amount }) => -cents(Amount)),
    "Refunded, by order",
  ).toEqual(by(orders, ofOrder, ({ Refunded }) => cents(Refunded)));
  expect(
    by(lines, ofOrder, ({ Amount }) => cents(Amount)),
    "lines, by order",
  ).toEqual(by(orders, ofOrder, (order) => cents(order["Subtotal"]) - cents(order["Discount"])));
  expect(
    sum(await unitsByProduct(shop.db, { days: 2, until: TODAY }), ({ soldCents }) => soldCents),
    "Products",
  ).toBe(sum(orders, (order) => cents(order["Subtotal"]) - cents(order["Discount"])));

  const states = await salesByState(shop.db, { from: YESTERDAY, to: TODAY });
  const stateNames = US_STATES as Record<string, string>;
  expect(
    by(
      states,
      ({ state }) => stateNames[state]!,
      ({ salesCents }) => salesCents,
    ),
    "Tax, by state",
  ).toEqual(
    by(
      orders,
      ({ State }) => stateNames[String(State)]!,
      (order) => cents(order["Subtotal"]) - cents(order["Discount"]) + cents(order["Shipping paid"]),
    ),
  );
  const listed = (await listOrderPage(shop.db, {}, null, ORDERS)).orders;
  const isOpen = ({ status }: { status: string }) => ["processing", "shipped", "delivered"].includes(status);
  expect(
    by(
      listed.filter(isOpen),
      ({ id }) => `#${id.slice(0, 8)}`,
      ({ totalCents }) => totalCents,
    ),
    "the list",
  ).toEqual(by(orders, ofOrder, ({ Total }) => cents(Total)));

  expect(
    sum(days, ({ order }) => order),
    "orders of Analytics and Tax",
  ).toBe(sum(states, (state) => state.orders));
  const emails = await query<{ email: string }>("SELECT DISTINCT lower(email) AS email FROM orders");
  const spent = await Promise.all(emails.map(({ email }) => spentBy(shop.db, email)));
  const [arranged] = await query<{ cents: number }>(
    "SELECT coalesce(sum(captured - refunded), 0)::int AS cents FROM payments WHERE provider = 'manual'",
  );
  const [otherwise] = await query<{ cents: number }>("SELECT coalesce(sum(otherwise), 0)::int AS cents FROM refunds");
  const keptCents = bank.sum() + arranged!.cents - otherwise!.cents;
  expect(
    sum(payments, ({ Amount }) => cents(Amount)),
    "the provider's books",
  ).toBe(keptCents);
  expect(
    sum(spent, (each) => each),
    "spent, by person",
  ).toBe(keptCents);
  // Sales less refunds are what was kept, and what is still to be charged.
  const ids = await query<{ id: string }>("SELECT id FROM orders");
  const toCharge = sum(await Promise.all(ids.map(({ id }) => readFacts(shop.db, id))), (facts) => {
    const { stage, units, shipping, charges } = orderState(facts!);
    if (["unpaid", "expired", "canceled", "declined"].includes(stage)) return 0;
    const unpaid = units.filter((unit) => unit.returnId === null && unit.canceledAt === null && !unit.isPaid);
    const isShippingPaid = charges.some(({ id, state }) => state === "paid" && id === shipping.charged?.chargeId);
    return sum(unpaid, ({ valueCents }) => valueCents) + (isShippingPaid ? 0 : shipping.valueCents);
  });
  expect(sum(days, ({ soldCents, refundedCents }) => soldCents - refundedCents)).toBe(keptCents + toCharge);
});

async function paidOrder(): Promise<Placed> {
  const order = await placedOrder(shop.db, { "charging-dock": 3 }, { isAuthorized: true });
  bank.authorize(order.reference, order.totalCents);
  return order;
}

it("units that are canceled after they were charged are refunds, and no smaller sales", async () => {
  const told = async () => {
    const { soldCents, refundedCents, order } = (await sumsByDay(shop.db, { days: 1 }))[0]!;
    return [order, soldCents, refundedCents, bank.sum()];
  };
  const before = await told();
  const { id, lines } = await paidOrder();
  const dock = lines["charging-dock"]!;
  await shipOrder(shop.db, bank.providers, id, aParcel(++parcels, { [dock]: 1 }), BY);
  await refundOrder(shop.db, bank.providers, id, { cents: 10_00, reason: "goodwill" }, BY);
  for (const units of [2, 1]) {
    const change = { keep: { [dock]: units }, returnsStock: true, reason: "damaged", isVerified: true } as const;
    expect(await cancelItems(shop.db, bank.providers, id, change, BY)).toMatchObject({ ok: true });
  }
  const { id: canceled } = await paidOrder();
  await cancelByStaff(shop.db, canceled, BY);
  await settle();
  const after = await told();
  expect(after.map((now, i) => now - before[i]!)).toEqual([1, 120_00, 90_00, 30_00]);
});

it("a refund that staff sent another way counts everywhere, and an order at no charge nowhere", async () => {
  const told = async () => {
    const { refundedCents, order } = (await sumsByDay(shop.db, { days: 1 }))[0]!;
    const payments = await rowsOf(exportPayments(shop.db, { since: TODAY }, BY));
    const orders = await rowsOf(exportOrders(shop.db, {}, () => ({ status: "", payment: "" }), BY));
    const states = await salesByState(shop.db, { from: TODAY, to: TODAY });
    return [
      order,
      sum(states, (state) => state.orders),
      refundedCents,
      sum(payments, ({ Type, Amount }) => (Type === "Refund" ? -cents(Amount) : 0)),
      sum(orders, ({ Refunded }) => cents(Refunded)),
    ];
  };
  const { id, reference } = await paidOrder();
  await shipOrder(shop.db, bank.providers, id, aParcel(++parcels), BY);
  await refundOrder(shop.db, bank.providers, id, { cents: 20_00, reason: "goodwill" }, BY);
  bank.failRefunds(reference);
  await reconcileOrder(shop.db, bank.providers, id);
  const before = await told();
  const [refund] = await query<{ id: string }>("SELECT id FROM refunds WHERE order_id = $1", [id]);
  expect(await resolveRefund(shop.db, id, { refundId: refund!.id, text: "A check" }, BY)).toMatchObject({ ok: true });
  const free = await placedOrder(shop.db, { "charging-dock": 1 });
  await query("UPDATE order_units SET price = 0 WHERE order_id = $1", [free.id]);
  await query("UPDATE order_items SET price = 0 WHERE order_id = $1", [free.id]);
  await query("UPDATE orders SET subtotal = 0, shipping = 0, tax = 0, total = 0 WHERE id = $1", [free.id]);
  expect((await told()).map((now, i) => now - before[i]!)).toEqual([0, 0, 20_00, 20_00, 20_00]);
});

it("a refund that the bank sends back on a later day leaves its day with the next night's sums", async () => {
  const told = async () => sum(await sumsByDay(shop.db, { days: 2 }), ({ refundedCents }) => refundedCents);
  const { id, reference } = await paidOrder();
  await shipOrder(shop.db, bank.providers, id, aParcel(++parcels), BY);
  const before = await told();
  await refundOrder(shop.db, bank.providers, id, { cents: 50_00, reason: "goodwill" }, BY);
  await moveToYesterday(id);
  await rollUp(shop.db);
  expect(await told()).toBe(before + 50_00);
  bank.failRefunds(reference);
  await reconcileOrder(shop.db, bank.providers, id);
  await rollUp(shop.db);
  expect(await told()).toBe(before);
});
