import { beforeAll, expect, it } from "vitest";
import { checkPayments, checkStories } from "#tests/support/books.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";
import { fillDemo } from "./fill.ts";
import { keptUnits } from "#tests/support/units.ts";

const shop = useFreshDatabase(4);
const fill = () =>
  fillDemo(
    { ...shop, databaseUrl: shop.url, baseUrl: "http://localhost:3000", secret: "a secret that only tests know" },
    { orders: 100 },
  );
const query = async <Row extends object>(text: string): Promise<Row[]> => (await shop.pool.query<Row>(text)).rows;

beforeAll(async () => {
  expect(await fill()).toMatchObject({ orders: 100, messages: 9, waiting: 20 });
  // A busy machine takes two minutes.
}, 300_000);

it("fills an empty shop, and only that, with a year whose books add up", async () => {
  await checkPayments(shop.db, query);
  await checkStories(query);
  expect(await checkOrders(shop.db)).toEqual({ orders: 100, differences: [] });
  const [code] = await query<{ uses: number }>(
    "SELECT count(*)::int AS uses FROM orders WHERE discount_name = 'WELCOME10'",
  );
  expect(code!.uses).toBeGreaterThan(3);
  const sums = (table: string, amount: string) =>
    query(`SELECT sum(${amount})::int AS amount, sum(captured)::int AS captured, sum(refunded)::int AS refunded
      FROM ${table}`);
  const atSandbox = await sums("payment_sandbox.payments", "(state->'session'->>'amount_total')::int");
  expect(await sums("payments", "amount")).toEqual(atSandbox);
  const wrong = await query(
    `SELECT stock.product_id FROM stock JOIN stock_moves USING (product_id)
     GROUP BY stock.product_id, inventory_count
     HAVING sum(delta) <> inventory_count + coalesce((
       SELECT sum(${keptUnits("i")}) FROM order_items i JOIN orders o ON o.id = order_id
       WHERE i.product_id = stock.product_id AND status IN ('unpaid', 'processing', 'shipped', 'delivered')), 0)`,
  );
  expect(wrong).toEqual([]);
  await expect(fill()).rejects.toThrow("This shop has orders and messages and a waitlist");
});

it("is in the past and in order, and leaves no email and no job", async () => {
  const [span] = await query<{ days: number }>(
    "SELECT extract(day FROM now() - min(created_at))::int AS days FROM orders",
  );
  expect(span!.days).toBeGreaterThan(250);
  expect(
    await query(`SELECT e.id FROM order_events e JOIN orders o ON o.id = order_id
      JOIN LATERAL (SELECT at FROM order_events WHERE order_id = o.id AND id < e.id ORDER BY id DESC LIMIT 1) former ON true
      WHERE e.at < former.at OR e.at < o.created_at OR e.at > now()`),
  ).toEqual([]);
  expect(
    await query(
      "SELECT id FROM (SELECT id, at, lag(at) OVER (ORDER BY id) AS former FROM audit_log) AS log WHERE at < former",
    ),
  ).toEqual([]);
  expect(await query("SELECT id FROM pgboss.job")).toEqual([]);
  expect(await query("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')")).toEqual([]);
  expect(await query("SELECT event_id FROM payment_inbox WHERE handled_at IS NULL")).toEqual([]);
});

it("has every kind of work for the back office", async () => {
  const rows = await query<{ kind: string }>(`
    SELECT status AS kind FROM orders UNION SELECT type FROM order_events
    UNION SELECT 'disputed now' FROM payments WHERE disputed_until > now()
    UNION SELECT 'ready to ship' FROM orders JOIN payments ON order_id = orders.id
      WHERE status = 'processing' AND state = 'authorized'
    UNION SELECT 'rest to ship' FROM orders WHERE stage = 'partly-shipped'`);
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(
      `unpaid processing shipped delivered canceled expired delayed capture-failed refunded disputed parcel-shipped
      |disputed now|ready to ship|rest to ship`
        .split("|")
        .flatMap((part, i) => (i === 0 ? part.trim().split(/\s+/) : [part])),
    ),
  );
});

it("leaves no account with a usable password", async () => {
  expect(
    await query(
      `SELECT users.id FROM staff JOIN users ON users.id = user_id
       WHERE role = 'owner' OR EXISTS (SELECT FROM two_factors WHERE two_factors.id = staff.factor_id)`,
    ),
  ).toEqual([]);
  expect(await query("SELECT FROM staff_sessions WHERE ended_at IS NULL")).toEqual([]);
});
