import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { products } from "../catalog/product.tables.ts";
import { cancelOrder, cancelOrders } from "./cancel.server.ts";
import type { OrderStatus } from "./lifecycle.ts";
import { orderEvents, orderItems, orders } from "./order.tables.ts";
import { stock } from "../inventory/stock.tables.ts";
import { unitsOf } from "../../tests/support/stock.ts";

const shop = useFreshDatabase();
let catalog: Map<string, string>;

beforeEach(async () => {
  await shop.db.update(stock).set({ inventoryCount: 50 });
  catalog = new Map((await shop.db.select().from(products)).map(({ slug, id }) => [slug, id]));
});

/** An order of so many units of each product, whose stock has been taken before. */
async function order(units: Record<string, number>, status: OrderStatus = "processing"): Promise<string> {
  const [placed] = await shop.db
    .insert(orders)
    .values({
      checkoutKey: randomUUID(),
      sessionId: randomUUID(),
      status,
      subtotalCents: 19_00,
      shippingCents: 9_99,
      taxCents: 0,
      totalCents: 28_99,
      email: "ada@example.com",
      phone: "2125550100",
      shippingFirstName: "Ada",
      shippingLastName: "Lovelace",
      shippingAddressLine1: "12 Analytical Ave",
      shippingCity: "New York",
      shippingState: "NY",
      shippingPostalCode: "10001",
      shippingMethod: "standard",
    })
    .returning();
  const lines = Object.entries(units).map(([slug, quantity]) => ({
    orderId: placed!.id,
    productId: catalog.get(slug) ?? randomUUID(),
    name: slug,
    priceCents: 19_00,
    quantity,
  }));
  await shop.db.insert(orderItems).values(lines);
  return placed!.id;
}

const stockOf = (slug: string) => unitsOf(shop.pool, slug);
const statusOf = async (id: string) =>
  (await shop.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id)))[0]!.status;
const { type, fromStatus, toStatus, actor } = orderEvents;
const eventsOf = (id: string) =>
  shop.db.select({ type, fromStatus, toStatus, actor }).from(orderEvents).where(eq(orderEvents.orderId, id));
const shipByHand = (id: string) =>
  shop.pool.query("UPDATE orders SET status = 'shipped' WHERE id = $1", [id]).then(
    () => true,
    () => false,
  );

describe("canceling an order", () => {
  it("returns its stock, says what happened, and touches no other order", async () => {
    const id = await order({ "charging-dock": 2, "travel-sleeve": 1 });
    const other = await order({ "charging-dock": 3 });
    expect(await cancelOrder(shop.db, id, "staff")).toEqual({ ok: true, repeated: false });
    expect(await statusOf(id)).toBe("canceled");
    expect([await stockOf("charging-dock"), await stockOf("travel-sleeve")]).toEqual([52, 51]);
    expect(await eventsOf(id)).toEqual([
      { type: "canceled", fromStatus: "processing", toStatus: "canceled", actor: "staff" },
    ]);
    expect([await statusOf(other), await eventsOf(other)]).toEqual(["processing", []]);
  });

  it("again is no error, and returns nothing twice", async () => {
    const id = await order({ "charging-dock": 2 });
    await cancelOrder(shop.db, id, "customer");
    expect(await cancelOrder(shop.db, id, "staff")).toEqual({ ok: true, repeated: true });
    expect(await stockOf("charging-dock")).toBe(52);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it.each(["shipped", "delivered"] as const)("that is %s is refused, and changes nothing", async (status) => {
    const id = await order({ "charging-dock": 2 }, status);
    expect(await cancelOrder(shop.db, id, "customer")).toEqual({ ok: false, reason: "too-late", status });
    expect([await statusOf(id), await stockOf("charging-dock"), await eventsOf(id)]).toEqual([status, 50, []]);
  });

  it("that is none is refused", async () => {
    expect(await cancelOrder(shop.db, randomUUID(), "customer")).toEqual({ ok: false, reason: "not-found" });
  });

  it("cancels also where a product is no longer in the catalog, and returns the others", async () => {
    const id = await order({ "a product that is gone": 4, "travel-sleeve": 1 });
    expect(await cancelOrder(shop.db, id, "guest")).toMatchObject({ ok: true });
    expect(await stockOf("travel-sleeve")).toBe(51);
  });

  it("takes part in the caller's transaction", async () => {
    const id = await order({ "charging-dock": 2 });
    const undone = shop.db.transaction(async (tx) => {
      expect(await cancelOrder(tx, id, "staff")).toEqual({ ok: true, repeated: false });
      throw new Error("changed our mind");
    });
    await expect(undone).rejects.toThrow("changed our mind");
    expect([await statusOf(id), await stockOf("charging-dock"), await eventsOf(id)]).toEqual(["processing", 50, []]);
  });
});

describe("canceling several orders", () => {
  it("cancels those that have not shipped, and tells of each where it stood", async () => {
    const [one, two, sent] = [
      await order({ "charging-dock": 2 }),
      await order({ "charging-dock": 1, "travel-sleeve": 1 }),
      await order({ "travel-sleeve": 5 }, "shipped"),
    ];
    const found = await cancelOrders(shop.db, inArray(orders.id, [one, two, sent]), "customer");
    expect(new Map(found.map(({ id, before }) => [id, before]))).toEqual(
      new Map([
        [one, "processing"],
        [two, "processing"],
        [sent, "shipped"],
      ]),
    );
    expect([await statusOf(one), await statusOf(two), await statusOf(sent)]).toEqual([
      "canceled",
      "canceled",
      "shipped",
    ]);
    expect([await stockOf("charging-dock"), await stockOf("travel-sleeve")]).toEqual([53, 51]);
  });
});

describe("at the same time", () => {
  it("20 cancels are one, and return the stock once", async () => {
    const id = await order({ "charging-dock": 2, "travel-sleeve": 1 });
    const results = await Promise.all(Array.from({ length: 20 }, () => cancelOrder(shop.db, id, "staff")));
    expect(results.filter((result) => result.ok && !result.repeated)).toHaveLength(1);
    expect(results.filter((result) => result.ok)).toHaveLength(20);
    expect([await stockOf("charging-dock"), await stockOf("travel-sleeve")]).toEqual([52, 51]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it("a cancel and a shipment by hand: one wins, 30 times over", async () => {
    let returned = 0;
    for (let i = 0; i < 30; i++) {
      const id = await order({ "charging-dock": 1 });
      const acts = [() => cancelOrder(shop.db, id, "customer").then(({ ok }) => ok), () => shipByHand(id)];
      const inTurn = i % 2 ? acts : acts.toReversed();
      const won = await Promise.all(inTurn.map((run) => run()));
      const [canceled, shipped] = i % 2 ? won : won.toReversed();
      expect(canceled).toBe(!shipped);
      expect(await statusOf(id)).toBe(canceled ? "canceled" : "shipped");
      expect(await eventsOf(id)).toHaveLength(canceled ? 1 : 0);
      if (canceled) returned += 1;
      expect(await stockOf("charging-dock")).toBe(50 + returned);
    }
  });

  it("a cancel waits for a shipment that is being written, and is refused", async () => {
    const id = await order({ "charging-dock": 2 });
    const client = await shop.pool.connect();
    await client.query("BEGIN");
    await client.query("UPDATE orders SET status = 'shipped' WHERE id = $1", [id]);
    const canceling = cancelOrder(shop.db, id, "customer");
    await someoneWaits();
    await client.query("COMMIT");
    client.release();
    expect(await canceling).toEqual({ ok: false, reason: "too-late", status: "shipped" });
    expect([await statusOf(id), await stockOf("charging-dock")]).toEqual(["shipped", 50]);
  });

  it("a shipment by hand waits for a cancel that is being written, and fails", async () => {
    const id = await order({ "charging-dock": 2 });
    let shipping: Promise<boolean> | undefined;
    await shop.db.transaction(async (tx) => {
      await cancelOrder(tx, id, "customer");
      shipping = shipByHand(id);
      await someoneWaits();
    });
    expect(await shipping).toBe(false);
    expect([await statusOf(id), await stockOf("charging-dock")]).toEqual(["canceled", 52]);
  });

  it("products are locked in id order over all orders, so that no sale and no cancel wait in a circle", async () => {
    const slugs = [...catalog].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([slug]) => slug);
    const [first, ...others] = slugs.map((slug) => catalog.get(slug)!);
    const half = (from: number) => Object.fromEntries(slugs.filter((_, i) => i % 2 === from).map((slug) => [slug, 1]));
    const ids = [await order(half(1)), await order(half(0))];
    const client = await shop.pool.connect();
    const lock = "SELECT 1 FROM stock WHERE product_id = ANY($1) FOR NO KEY UPDATE NOWAIT";
    await client.query("BEGIN");
    await client.query(lock, [[first]]);
    const canceling = cancelOrders(shop.db, inArray(orders.id, ids), "staff");
    try {
      await someoneWaits();
      await client.query(lock, [others]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    await canceling;
    expect(new Set(await Promise.all(slugs.map(stockOf)))).toEqual(new Set([51]));
  });
});

/** Until a connection stands before another's lock. */
const someoneWaits = () =>
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
