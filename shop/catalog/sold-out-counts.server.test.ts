import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { returnStock, takeStockCall } from "../inventory/stock.sql.ts";
import { listProducts } from "./catalog.server.ts";
import { parseFilters } from "./filters.ts";
import { countSoldOut } from "./sold-out-counts.server.ts";

const kept = useFreshDatabase(8);

const count = async (query: string) => (await listProducts(kept.db, parseFilters(new URLSearchParams(query)))).count;
const soldOut = () => count("availability=out-of-stock&category=Classic");
const run = (text: string, ...values: unknown[]) => kept.pool.query(text, values);
const uncounted = async () => (await run("SELECT FROM sold_out_changes")).rowCount;
const slugs = ["polara-classic-midnight-black", "polara-classic-frost-white"];
const ofSlugs = "(SELECT id FROM products WHERE slug = ANY($1))";
const units = sql`(SELECT id AS product_id, 5 AS quantity FROM products WHERE slug = ANY(${sql.param(slugs)}))`;

/** As the list says before and after these products are counted, and as one finds by looking at each. */
async function expectSoldOut(wanted: number): Promise<void> {
  expect(await soldOut()).toBe(wanted);
  await countSoldOut(kept.db);
  expect(await uncounted()).toBe(0);
  expect(await soldOut()).toBe(wanted);
  const { rows } =
    await run(`SELECT category, (SELECT coalesce(sum(c.products), 0)::int FROM sold_out_counts c WHERE c.category = p.category) AS counted,
      count(*) FILTER (WHERE NOT is_available OR inventory_count = 0)::int AS there
    FROM products p JOIN stock ON id = product_id GROUP BY category`);
  for (const { category, counted, there } of rows) expect(counted, category).toBe(there);
}

beforeAll(() => countSoldOut(kept.db));

/** Two Classics with five units; the third, Earth Green, is sold out from the beginning. */
beforeEach(async () => {
  await run(`UPDATE stock SET inventory_count = 5 WHERE product_id IN ${ofSlugs}`, slugs);
  await run("UPDATE products SET is_available = true, category = 'Classic' WHERE slug = ANY($1)", slugs);
  await countSoldOut(kept.db);
});

it("follows a sale of the last units, their return and a restock", async () => {
  await expectSoldOut(1);
  await kept.db.execute(sql`SELECT ${takeStockCall(units)}`);
  await expectSoldOut(3);
  await kept.db.execute(returnStock(units));
  await expectSoldOut(1);
  await run(
    "UPDATE stock SET inventory_count = 9 WHERE product_id = (SELECT id FROM products WHERE slug = 'polara-classic-earth-green')",
  );
  await expectSoldOut(0);
  await run(
    "UPDATE stock SET inventory_count = 0 WHERE product_id = (SELECT id FROM products WHERE slug = 'polara-classic-earth-green')",
  );
  await expectSoldOut(1);
});

it("is told of nothing by a sale that leaves units, or by an edit of words", async () => {
  await run(`UPDATE stock SET inventory_count = inventory_count - 1 WHERE product_id IN ${ofSlugs}`, slugs);
  await run("UPDATE products SET description = description || '.'");
  expect(await uncounted()).toBe(0);
});

it("follows edits of what is sold out, and its removal", async () => {
  await run("UPDATE products SET is_available = false WHERE slug = ANY($1)", slugs);
  await expectSoldOut(3);
  await run("UPDATE products SET category = 'Pro' WHERE slug = $1", slugs[0]);
  await expectSoldOut(2);
  await run(`INSERT INTO products (name, slug, short_description, description, price, category, color_variant)
    VALUES ('New', 'new', '', '', 7000, 'Classic', 'Frost White')`);
  await expectSoldOut(3);
  const cheap = "availability=out-of-stock&category=Classic&maxPrice=60";
  const white = "availability=out-of-stock&category=Classic&color=Frost+White";
  expect([await count(cheap), await count(white)]).toEqual([0, 2]);
  await run("UPDATE products SET price = 5500, color_variant = NULL WHERE slug = 'new'");
  await countSoldOut(kept.db);
  expect([await count(cheap), await count(white)]).toEqual([1, 1]);
  await run("DELETE FROM products WHERE slug = 'new'");
  await expectSoldOut(2);
});

it("counts an early-bird price until it ends", async () => {
  await run(`UPDATE products SET early_bird_price = 100, early_bird_end_date = now() + interval '300 ms'
    WHERE slug = 'polara-classic-earth-green'`);
  await countSoldOut(kept.db);
  const cheap = "availability=out-of-stock&category=Classic&maxPrice=10";
  expect(await count(cheap)).toBe(1);
  await expect.poll(() => count(cheap)).toBe(0);
  expect(await uncounted()).toBe(0);
});

it("nobody waits: neither a last sale for an edit of the same products, nor a count for both", async () => {
  const editor = await kept.pool.connect();
  const buyer = await kept.pool.connect();
  for (const client of [editor, buyer]) await client.query("SET lock_timeout = 1000");
  await editor.query("BEGIN");
  await editor.query("UPDATE products SET category = 'Pro' WHERE slug = ANY($1)", [slugs]);
  await buyer.query("BEGIN");
  await buyer.query(`UPDATE stock SET inventory_count = 0 WHERE product_id IN ${ofSlugs}`, [slugs]);
  await countSoldOut(kept.db);
  await buyer.query("COMMIT");
  await countSoldOut(kept.db);
  expect(await soldOut()).toBe(3);
  await editor.query("COMMIT");
  editor.release();
  buyer.release();
  await expectSoldOut(1);
});

it("stays right while many cross zero, edit and count at once", async () => {
  await run(`INSERT INTO products (name, slug, short_description, description, price, category)
    SELECT 'Lot', 'lot-' || n, '', '', 1000, 'Classic' FROM generate_series(1, 20) AS n`);
  const random = (amount: number) => Math.floor(Math.random() * amount);
  const crossing = () =>
    kept.db.execute(sql`
    UPDATE stock SET inventory_count = 1 - inventory_count WHERE product_id IN (
      SELECT product_id FROM stock JOIN products ON id = product_id WHERE slug LIKE 'lot-%' AND inventory_count < 2
        AND slug LIKE ${`%${random(10)}`} ORDER BY product_id FOR UPDATE OF stock)`);
  const edit = () =>
    run("UPDATE products SET category = $1 WHERE slug = $2", ["Pro", "Classic"][random(2)], `lot-${random(20)}`);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 25; i++) await [crossing, edit, () => countSoldOut(kept.db)][random(3)]?.();
    }),
  );
  const { rows } = await run(`SELECT count(*)::int AS n FROM products JOIN stock ON id = product_id
    WHERE category = 'Classic' AND (inventory_count = 0 OR NOT is_available)`);
  await expectSoldOut(rows[0].n);
});
