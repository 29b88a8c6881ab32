import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Pool } from "pg";
import { openDatabase } from "#db/connection.server.ts";
import { createDatabase } from "../support/database.setup.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";
import { setUnits } from "../support/stock.ts";

let shops: Shop[];
let query: (text: string) => Promise<unknown>;
let pool: Pool;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase(inject("databaseServer"), inject("templateName"));
  ({ pool } = openDatabase(database.url, 1));
  query = (text) => pool.query(text);
  shops = [await startShop({ DATABASE_URL: database.url }), await startShop({ DATABASE_URL: database.url })];
  close = async () => {
    await Promise.all(shops.map((shop) => shop.stop()));
    await pool.end();
    await database.drop();
  };
});
afterAll(() => close());

const page = async (shop: Shop, path: string) => (await fetch(shop.url + path)).text();

it("an early-bird price names its last day, and shows nothing of it without an end", async () => {
  const [shop] = shops as [Shop];
  const ends = (at: string) =>
    query(`UPDATE products SET early_bird_end_date = ${at} WHERE early_bird_price IS NOT NULL`);
  for (const path of ["/", "/shop", "/product/polara-pro-earth-green"]) {
    await ends("'2100-01-01 05:00Z'");
    await expect.poll(() => page(shop, path)).toMatch(/after (<!-- -->)?December 31, 2099/);
    await ends("NULL");
    await expect.poll(() => page(shop, path)).not.toMatch(/December 31, 2099|Early Bird Ends In|Ends in|Today Only/);
  }
});

describe("a change of the catalog", () => {
  it("shows at once on every process that had cached the page", async () => {
    for (const shop of shops) expect(await page(shop, "/product/travel-sleeve")).toContain("$19.00");
    await query("UPDATE products SET price = 2100 WHERE slug = 'travel-sleeve'");
    for (const shop of shops) {
      await expect.poll(() => page(shop, "/product/travel-sleeve")).toContain("$21.00");
      expect(await page(shop, "/shop")).toContain("$21.00");
    }
  });

  it("low stock after an order shows 'Only N left' on the other process", async () => {
    await setUnits(pool, "charging-dock", 11);
    const [here, there] = shops as [Shop, Shop];
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("In Stock");
    const guest = new Visitor(here.url);
    await guest.add("charging-dock", 2);
    expect((await guest.checkout()).status).toBe(200);
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("Only 9 left");
  });

  it("a sale of plentiful stock leaves cached pages", async () => {
    const [here] = shops as [Shop];
    const etag = async () => (await fetch(`${here.url}/product/ethylene-filter-2-pack`)).headers.get("ETag");
    const before = await etag();
    const guest = new Visitor(here.url);
    await guest.add("ethylene-filter-2-pack", 2);
    expect((await guest.checkout()).status).toBe(200);
    expect(await etag()).toBe(before);
  });
});
