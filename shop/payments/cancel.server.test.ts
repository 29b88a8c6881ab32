import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { products } from "#shop/catalog/product.tables.ts";
import { stock } from "#shop/inventory/stock.tables.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { reconcilePayment } from "./reconcile.server.ts";
import { runAction } from "./run-action.server.ts";
import { cancelOrder, cancelOrders } from "./cancel.server.ts";
import { payments } from "./payment.tables.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { unitsOf } from "#tests/support/stock.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { orderEvents, orders } from "#shop/orders/order.tables.ts";
import { SHIP_ALL } from "#tests/support/units.ts";

const shop = useFreshDatabase();
beforeEach(() => shop.db.update(stock).set({ inventoryCount: 50 }));

const order = async (units: Record<string, number>, status: OrderStatus = "processing") =>
  (await placedOrder(shop.db, units, { status })).id;
const stockOf = (slug: string) => unitsOf(shop.pool, slug);
const statusOf = async (id: string) =>
  (await shop.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id)))[0]!.status;
const eventsOf = (id: string) => shop.db.$count(orderEvents, eq(orderEvents.orderId, id));
/** Waits until a connection is blocked by a lock. */
const lockWait = () =>
  expect
    .poll(
      async () =>
        (
          await shop.db.execute(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).rowCount,
    )
    .toBe(1);

it("cancels several orders, skips shipped ones, and touches no other order", async () => {
  const [one, two, sent, other] = [
    await order({ "charging-dock": 2, "a product that left the catalog": 4 }),
    await order({ "charging-dock": 1, "travel-sleeve": 1 }),
    await order({ "travel-sleeve": 5 }, "shipped"),
    await order({ "charging-dock": 3 }),
  ];
  const found = await cancelOrders(shop.db, inArray(orders.id, [one, two, sent]), "customer");
  expect(new Map(found.map(({ id, stage }) => [id, stage]))).toEqual(
    new Map([
      [one, "to-ship"],
      [two, "to-ship"],
      [sent, "shipped"],
    ]),
  );
  expect(await Promise.all([one, two, sent, other].map(statusOf))).toEqual([
    "canceled",
    "canceled",
    "shipped",
    "processing",
  ]);
  expect([await stockOf("charging-dock"), await stockOf("travel-sleeve")]).toEqual([53, 51]);
  const { type, fromStatus, toStatus, actor } = orderEvents;
  expect(
    await shop.db.select({ type, fromStatus, toStatus, actor }).from(orderEvents).where(eq(orderEvents.orderId, one)),
  ).toEqual([{ type: "canceled", fromStatus: "processing", toStatus: "canceled", actor: "customer" }]);
});

it("returns the money of a page that was authorized while it was voided", async () => {
  const bank = new MemoryProvider();
  const { id, reference, totalCents } = await placedOrder(shop.db, { "charging-dock": 1 }, { isAuthorized: true });
  bank.authorize(reference, totalCents);
  const page = bank.payments.get(reference)!;
  const runVoids = async () => {
    const { rows } = await shop.db.execute<{ id: string }>(sql`
      SELECT payment_actions.id FROM payment_actions JOIN payments ON payments.id = payment_id
      WHERE order_id = ${id}::uuid AND payment_actions.state = 'asked'`);
    for (const action of rows) await runAction(shop.db, bank.providers, action.id);
    return rows.length;
  };
  await cancelOrder(shop.db, id, "customer");
  expect([await runVoids(), page.isVoided]).toEqual([1, true]);
  page.isVoided = false;
  const [payment] = await shop.db.select({ id: payments.id }).from(payments).where(eq(payments.orderId, id));
  for (let read = 0; read < 2; read++) await reconcilePayment(shop.db, bank.providers, payment!.id);
  expect([await runVoids(), page.isVoided]).toEqual([1, true]);
  await reconcilePayment(shop.db, bank.providers, payment!.id);
  expect(await runVoids()).toBe(0);
});

it("refuses an unknown order", async () => {
  expect(await cancelOrder(shop.db, randomUUID(), "customer")).toEqual({ ok: false, reason: "not-found" });
});

it("joins the caller's transaction", async () => {
  const id = await order({ "charging-dock": 2 });
  const rolledBack = shop.db.transaction(async (tx) => {
    expect(await cancelOrder(tx, id, "staff")).toEqual({ ok: true, repeated: false });
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect([await statusOf(id), await stockOf("charging-dock"), await eventsOf(id)]).toEqual(["processing", 50, 0]);
});

it("20 concurrent cancels are one, and return the stock once", async () => {
  const id = await order({ "charging-dock": 2, "travel-sleeve": 1 });
  const results = await Promise.all(Array.from({ length: 20 }, () => cancelOrder(shop.db, id, "staff")));
  expect(results.filter((result) => result.ok && !result.repeated)).toHaveLength(1);
  expect(results.filter((result) => result.ok)).toHaveLength(20);
  expect([await stockOf("charging-dock"), await stockOf("travel-sleeve"), await eventsOf(id)]).toEqual([52, 51, 1]);
});

it("a cancel waits for a concurrent shipment, and is refused", async () => {
  const id = await order({ "charging-dock": 2 });
  let canceling: ReturnType<typeof cancelOrder> | undefined;
  await shop.db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE orders SET stage = 'shipped' WHERE id = ${id}`);
    await tx.execute(sql.raw(SHIP_ALL.replaceAll("$1", `'${id}'::uuid`).replaceAll("$2", "'shipped'")));
    canceling = cancelOrder(shop.db, id, "customer");
    await lockWait();
  });
  expect(await canceling).toEqual({ ok: false, reason: "too-late", status: "shipped" });
  expect([await statusOf(id), await stockOf("charging-dock")]).toEqual(["shipped", 50]);
});

it("locks products in id order over all orders, so that sales and cancels never deadlock", async () => {
  const catalog = await shop.db.select().from(products).orderBy(products.id);
  const slugs = catalog.map(({ slug }) => slug);
  const [first, ...others] = catalog.map(({ id }) => id);
  const half = (from: number) => Object.fromEntries(slugs.filter((_, i) => i % 2 === from).map((slug) => [slug, 1]));
  const ids = [await order(half(1)), await order(half(0))];
  const client = await shop.pool.connect();
  const lock = "SELECT 1 FROM stock WHERE product_id = ANY($1) FOR NO KEY UPDATE NOWAIT";
  await client.query("BEGIN");
  await client.query(lock, [[first]]);
  const canceling = cancelOrders(shop.db, inArray(orders.id, ids), "staff");
  try {
    await lockWait();
    await client.query(lock, [others]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  await canceling;
  expect(new Set(await Promise.all(slugs.map(stockOf)))).toEqual(new Set([51]));
});
