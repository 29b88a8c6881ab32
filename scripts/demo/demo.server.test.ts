import { expect, it } from "vitest";
import { checkParcels, checkPayments, checkStories } from "../../tests/support/books.ts";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { findDue } from "../../shop/payments/jobs/due.server.ts";
import { fillDemo } from "./fill.ts";
import { tellYear } from "./year.ts";

const shop = useFreshDatabase(4);
const NOW = new Date();
const URL = "http://localhost:3000";

const query = async <Row extends object>(text: string): Promise<Row[]> => (await shop.pool.query<Row>(text)).rows;

it("fills a shop with a year whose books add up, and only one that has nothing", async () => {
  const stock = () => query("SELECT * FROM stock ORDER BY product_id");
  const before = await stock();
  expect(await fillDemo(shop.pool, URL, NOW)).toEqual({ orders: 2000, people: 800, messages: 120, waiting: 300 });
  await checkPayments(query);
  await checkParcels(query);
  const events = await checkStories(query);
  expect(events.filter(({ type }) => type === "shipped").length).toBeGreaterThan(1500);
  expect(await stock()).toEqual(before);
  const sums = (table: string) =>
    query(
      `SELECT sum(amount)::int AS amount, sum(captured)::int AS captured, sum(refunded)::int AS refunded FROM ${table}`,
    );
  expect(await sums("payments")).toEqual(await sums("payment_sandbox.payments"));
  expect(await query("SELECT id FROM orders WHERE created_at > now()")).toEqual([]);
  expect(await query("SELECT order_id FROM order_events WHERE at > now() + interval '3 minutes'")).toEqual([]);
  // Nothing is left to do for the jobs of payments but what the desk shows.
  expect((await findDue(shop.db)).filter(({ kind }) => kind !== "hold")).toEqual([]);
  expect(await query("SELECT id FROM pgboss.job")).toEqual([]);
  await expect(fillDemo(shop.pool, URL, NOW)).rejects.toThrow(
    "This shop has orders and messages and a waitlist: the demo fills only a shop that has none.",
  );
});

it("has every kind of trouble on the desk", async () => {
  const counted = await query<{ what: string; orders: number }>(`
    SELECT status AS what, count(*)::int AS orders FROM orders GROUP BY 1
    UNION ALL SELECT DISTINCT type, count(*)::int FROM order_events GROUP BY 1
    UNION ALL SELECT 'disputed now', count(*)::int FROM payments WHERE disputed_until > now()
    UNION ALL SELECT 'late for shipping', count(*)::int FROM orders JOIN payments ON order_id = orders.id
      WHERE status = 'processing' AND state = 'authorized'`);
  const kinds = new Set(counted.map(({ what }) => what));
  for (const kind of [
    "unpaid",
    "processing",
    "shipped",
    "delivered",
    "canceled",
    "declined",
    "lapsed",
    "delayed",
    "capture-failed",
    "line-canceled",
    "parcel-shipped",
    "refunded",
    "refund-failed",
    "disputed",
  ])
    expect(kinds).toContain(kind);
  expect(counted.find(({ what }) => what === "disputed now")?.orders).toBeGreaterThan(0);
});

it("is the same for the same day and catalog", async () => {
  const { rows: catalog } = await shop.pool.query(
    `SELECT id, name, category, price, early_bird_price AS "earlyBirdPrice", now() AS "earlyBirdFrom" FROM products ORDER BY slug`,
  );
  expect(tellYear(catalog, NOW)).toEqual(tellYear(catalog, NOW));
});

it("leaves no account that anybody can enter", async () => {
  const loose = await query(
    `SELECT users.id FROM staff JOIN users ON users.id = user_id
     WHERE role = 'owner' OR EXISTS (SELECT FROM two_factors WHERE two_factors.id = staff.factor_id)`,
  );
  expect(loose).toEqual([]);
  expect(await query("SELECT FROM staff_sessions WHERE ended_at IS NULL")).toEqual([]);
});

it("has staff who were here, and somebody who is invited", async () => {
  const staff = await query(
    "SELECT role, (SELECT count(*)::int FROM staff_sessions s WHERE s.user_id = staff.user_id) AS days FROM staff ORDER BY role",
  );
  expect(staff).toEqual(["manager", "packer", "support"].map((role) => ({ role, days: 1 })));
  expect(await query("SELECT role FROM staff_invitations WHERE expires_at > now()")).toEqual([{ role: "support" }]);
});
