/**
 * Pre-orders through the weeks until they ship, in a shop whose clock is moved.
 *
 * PREORDERS=200 places that many (10 without it). Every fifth has a card that is refused when it is charged.
 */
import { expect, it } from "vitest";
import { payOnPage } from "../support/pay-page.ts";
import { useTrialShop, type Placed } from "../support/paying-shop.ts";
import { makeStaff } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET } from "../support/use-shop.ts";

const ORDERS = Number(process.env.PREORDERS ?? 10);
const EACH = 5;
const REFUSED = ["4000 0000 0000 0341", "4000 0027 6000 3184"];
const SHIPS_IN_DAYS = 45;
const NOTICE_DAYS = 3;
const SLUG = "travel-sleeve";

const { shop, database, startAgain, query, reserve, pay, comeBack } = useTrialShop();

/** Five at a time. */
async function forEach<Item>(items: Iterable<Item>, run: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const lane = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: 5 }, lane));
}

const choresDone = async () =>
  (await query("SELECT FROM pgboss.job WHERE name = 'payments' AND state = 'completed'")).length;

async function goTo(days: number): Promise<void> {
  const before = await choresDone();
  await startAgain({ clockOffset: `${days}d` });
  await expect.poll(choresDone).toBeGreaterThan(before);
}

/** Numbers of orders by the emails that each was sent, in order. */
async function emailsByOrder(): Promise<Record<string, number>> {
  const rows = await query<{ emails: string; orders: number }>(
    `SELECT emails, count(*)::int AS orders FROM (
       SELECT string_agg(data->>'template', ' ' ORDER BY created_on, id) AS emails FROM pgboss.job
        WHERE name = 'mail' AND data->>'template' <> 'payment-alert' AND data->>'orderId' IS NOT NULL
        GROUP BY data->>'orderId') AS sent GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ emails, orders }) => [emails, orders]));
}

const statuses = async () => {
  const rows = await query<{ status: string; orders: number }>(
    "SELECT status || ' ' || payment_status AS status, count(*)::int AS orders FROM orders GROUP BY 1",
  );
  return Object.fromEntries(rows.map(({ status, orders }) => [status, orders]));
};

it(
  `${ORDERS} pre-orders for a day in ${SHIPS_IN_DAYS} days are charged once, as they ship, and only a refused card is asked to pay`,
  { timeout: 20 * 60_000 },
  async () => {
    await setUnits(database.pool, SLUG, 10_000);
    await query(
      "UPDATE products SET ships_from = (now() AT TIME ZONE 'America/New_York')::date + $2::int WHERE slug = $1",
      [SLUG, SHIPS_IN_DAYS],
    );
    const placed: Placed[] = [];
    const refused: Placed[] = [];
    await forEach(Array(ORDERS).keys(), async (n) => {
      const isRefused = n % EACH === 0;
      const order = await reserve(SLUG);
      await comeBack(order, await pay(order, isRefused ? { number: REFUSED[(n / EACH) % REFUSED.length]! } : {}));
      placed.push(order);
      if (isRefused) refused.push(order);
    });
    expect(await statuses()).toEqual({ "processing card-saved": ORDERS });

    // An authorization would have ended by now.
    await goTo(25);
    expect(await emailsByOrder()).toEqual({ "order-confirmation": ORDERS });
    await goTo(SHIPS_IN_DAYS - NOTICE_DAYS);
    expect(await emailsByOrder()).toEqual({ "order-confirmation charge-announced": ORDERS });
    // On the promised day itself, what has not shipped is announced as delayed.
    await goTo(SHIPS_IN_DAYS - 1);

    const { visitor: packer } = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
    let numbers = 0;
    const ship = async ({ orderId }: Placed) => {
      const tracking = `1Z999AA1${String(++numbers).padStart(10, "0")}`;
      const [line] = await query<{ id: string }>("SELECT id FROM order_items WHERE order_id = $1", [orderId]);
      return (await packer.post(`/admin/orders/${orderId}?intent=ship`, { tracking, units: `${line!.id}:1` })).status;
    };
    const shipNow = async ({ guest, orderId }: Placed) => {
      const page = await (await guest.fetch(`/orders/${orderId}`)).text();
      const seen = /name="seen" value="(\d+)"/.exec(page)?.[1] ?? "";
      return guest.post(`/orders/${orderId}`, { intent: "ship-now", seen });
    };
    await forEach(placed, async (order) => {
      expect((await shipNow(order)).status).toBe(303);
      await ship(order);
    });
    // An order is captured once its card is deleted.
    await expect.poll(statuses).toEqual({
      "shipped captured": ORDERS - refused.length,
      "processing failed": refused.length,
    });

    await forEach(refused, async (order) => {
      const page = await order.guest.post(`/orders/${order.orderId}`, { intent: "pay" });
      await comeBack(order, await payOnPage(page.headers.get("Location") ?? ""));
      await ship(order);
    });
    await expect.poll(statuses).toEqual({ "shipped captured": ORDERS });
    expect(await emailsByOrder()).toEqual({
      "order-confirmation charge-announced order-shipped": ORDERS - refused.length,
      "order-confirmation charge-announced charge-refused order-shipped": refused.length,
    });

    // Each order paid its total once, here and at the provider.
    const wrong = await query(
      `SELECT orders.id FROM orders JOIN payments ON order_id = orders.id
        GROUP BY orders.id HAVING sum(captured) <> total OR count(*) FILTER (WHERE captured > 0) <> 1`,
    );
    expect(wrong).toEqual([]);
    const [sums] = await query<{ ours: number; theirs: number; charges: number }>(
      `SELECT (SELECT sum(total)::int FROM orders) AS ours,
         (SELECT sum(captured)::int FROM payment_sandbox.payments) AS theirs,
         (SELECT count(*)::int FROM payment_sandbox.payments WHERE id = intent_id AND captured > 0) AS charges`,
    );
    expect(sums).toMatchObject({ theirs: sums!.ours, charges: ORDERS - refused.length });

    // Cards that are not needed anymore are deleted there.
    await expect
      .poll(() => query("SELECT FROM payment_sandbox.customers WHERE NOT is_deleted"), { timeout: 60_000 })
      .toEqual([]);
  },
);
