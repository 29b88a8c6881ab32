import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { placedOrder } from "#tests/support/placed-order.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { unsentUnits } from "#shop/fulfillment/shipments.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { listStockMoves, lockStock, type Move, moveStock, returnStock, takeStock } from "./stock.server.ts";

const shop = useFreshDatabase();
const SLUG = "travel-sleeve";
const by: Acting = { staffId: randomUUID(), role: "packer", address: "127.0.0.1", requestId: null };
let productId: string;

type Change = { delta: number } | { counted: number };
const move = (change: Change, formKey = randomUUID()) =>
  moveStock(
    shop.db,
    by,
    { productId, reason: "counted" in change ? "counted" : "correction", note: null, formKey, ...change } as Move,
    unsentUnits(productId),
  );
const number = async (text: string) => Number((await shop.pool.query<{ n: string }>(text, [productId])).rows[0]?.n);
const units = () => number("SELECT inventory_count AS n FROM stock WHERE product_id = $1");
const moved = () => number("SELECT sum(delta) AS n FROM stock_moves WHERE product_id = $1");
const sold = () => number("SELECT coalesce(sum(quantity), 0) AS n FROM order_items WHERE product_id = $1");

/** Order whose units are taken in the transaction that writes its lines. */
async function order(quantity: number): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await lockStock(tx, [{ productId }]);
    await tx.execute(takeStock({ productId: [productId], quantity: [quantity] }));
    await placedOrder(tx as never, { [SLUG]: quantity });
  });
}

beforeAll(async () => {
  const { rows } = await shop.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [SLUG]);
  productId = rows[0]!.id;
});

describe("stock", () => {
  it("has an opening move", async () => {
    expect(await moved()).toBe(await units());
    expect(await listStockMoves(shop.db, productId)).toMatchObject([
      { reason: "counted", note: "Opening stock", by: null },
    ]);
  });

  it("moves with a reason, and is audited", async () => {
    const before = await units();
    expect(await move({ delta: 7 })).toEqual({ ok: true, delta: 7, units: before + 7 });
    const { rows } = await shop.pool.query("SELECT action, before, after FROM audit_log WHERE subject = $1", [
      `product:${productId}`,
    ]);
    expect(rows).toEqual([
      {
        action: "stock.move",
        before: { units: before },
        after: { units: before + 7, reason: "correction", note: null },
      },
    ]);
  });

  it("never goes below zero, and moves are append-only", async () => {
    const before = await units();
    expect(await move({ delta: -before - 1 })).toMatchObject({ ok: false, reason: "below-zero", units: before });
    expect(await units()).toBe(before);
    await expect(shop.pool.query("UPDATE stock_moves SET delta = 0")).rejects.toThrow("append-only");
  });

  it("moves once per form, also for concurrent submissions", async () => {
    const before = await units();
    const key = randomUUID();
    await Promise.all([move({ delta: 3 }, key), move({ delta: 3 }, key), move({ delta: 3 }, key)]);
    expect(await units()).toBe(before + 3);
  });

  it("counts include units that are sold and not yet shipped", async () => {
    await order(4);
    const toSell = await units();
    const shelf = toSell + 4;
    expect(await move({ counted: shelf - 2 })).toEqual({ ok: true, delta: -2, units: toSell - 2 });
    expect(await move({ counted: 3 })).toMatchObject({ ok: false, reason: "below-zero", unsent: 4 });
  });

  it("is correct when counted during concurrent orders", async () => {
    const shelf = (await units()) + (await sold());
    for (let round = 0; round < 5; round++) {
      await Promise.all([order(1), order(2), move({ counted: shelf }), order(1), move({ counted: shelf })]);
      // Counts that match the shelf move nothing.
      expect((await units()) + (await sold())).toBe(shelf);
    }
  });

  it("equals its moves, less sales, plus returned units", async () => {
    const back = 2;
    await shop.db.execute(returnStock(sql`(SELECT ${productId}::uuid AS product_id, ${back}::int AS quantity)`));
    expect(await units()).toBe((await moved()) - (await sold()) + back);
  });
});
