import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { placedOrder } from "../../tests/support/placed-order.ts";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { unsentUnits } from "../fulfillment/unsent-units.server.ts";
import type { Acting } from "../staff/audit.server.ts";
import { listStockMoves, moveStock, type Move } from "./stock.server.ts";
import { returnStock, takeStockCall } from "./stock.sql.ts";

const kept = useFreshDatabase();
const SLUG = "travel-sleeve";
const by: Acting = { staffId: randomUUID(), role: "packer", address: "127.0.0.1", requestId: null };
let productId: string;

type Change = { delta: number } | { counted: number };
const move = (change: Change, formKey = randomUUID()) =>
  moveStock(
    kept.db,
    by,
    { productId, reason: "counted" in change ? "counted" : "correction", note: null, formKey, ...change } as Move,
    unsentUnits(productId),
  );
const number = async (text: string) => Number((await kept.pool.query<{ n: string }>(text, [productId])).rows[0]?.n);
const units = () => number("SELECT inventory_count AS n FROM stock WHERE product_id = $1");
const moved = () => number("SELECT sum(delta) AS n FROM stock_moves WHERE product_id = $1");
const sold = () => number("SELECT coalesce(sum(quantity), 0) AS n FROM order_items WHERE product_id = $1");

/** An order as it is placed: its units are taken in the transaction that writes its lines. */
async function order(quantity: number): Promise<void> {
  await kept.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM lock_stock(ARRAY[${productId}::uuid])`);
    await tx.execute(
      sql`SELECT ${takeStockCall(sql`(SELECT ${productId}::uuid AS product_id, ${quantity}::int AS quantity)`)}`,
    );
    await placedOrder(tx as never, { [SLUG]: quantity });
  });
}

beforeAll(async () => {
  const { rows } = await kept.pool.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [SLUG]);
  productId = rows[0]!.id;
});

describe("stock", () => {
  it("begins with a move of its own", async () => {
    expect(await moved()).toBe(await units());
    expect(await listStockMoves(kept.db, productId)).toMatchObject([
      { reason: "counted", note: "Opening stock", by: null },
    ]);
  });

  it("moves with its reason, and is audited", async () => {
    const before = await units();
    expect(await move({ delta: 7 })).toEqual({ ok: true, delta: 7, units: before + 7 });
    const { rows } = await kept.pool.query("SELECT action, before, after FROM audit_log WHERE subject = $1", [
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

  it("never goes below zero, and a move is never changed", async () => {
    const before = await units();
    expect(await move({ delta: -before - 1 })).toMatchObject({ ok: false, reason: "below-zero", units: before });
    expect(await units()).toBe(before);
    await expect(kept.pool.query("UPDATE stock_moves SET delta = 0")).rejects.toThrow("never changed");
  });

  it("moves once by one form, also where it is sent twice at once", async () => {
    const before = await units();
    const key = randomUUID();
    await Promise.all([move({ delta: 3 }, key), move({ delta: 3 }, key), move({ delta: 3 }, key)]);
    expect(await units()).toBe(before + 3);
  });

  it("counted on the shelf: what is sold and not sent lies there too", async () => {
    await order(4);
    const toSell = await units();
    const shelf = toSell + 4;
    expect(await move({ counted: shelf - 2 })).toEqual({ ok: true, delta: -2, units: toSell - 2 });
    expect(await move({ counted: 3 })).toMatchObject({ ok: false, reason: "below-zero", unsent: 4 });
  });

  it("is right where it is counted while orders take it", async () => {
    const shelf = (await units()) + (await sold());
    for (let round = 0; round < 5; round++) {
      await Promise.all([order(1), order(2), move({ counted: shelf }), order(1), move({ counted: shelf })]);
      // Nobody brought anything or took anything away: whoever counted found what lay there.
      expect((await units()) + (await sold())).toBe(shelf);
    }
  });

  it("is its moves, less what is sold, with what came back", async () => {
    const back = 2;
    await kept.db.execute(returnStock(sql`(SELECT ${productId}::uuid AS product_id, ${back}::int AS quantity)`));
    expect(await units()).toBe((await moved()) - (await sold()) + back);
  });
});
