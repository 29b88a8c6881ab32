import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Pool } from "pg";
import { openDatabase } from "../../db/connection.server.ts";
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

describe("a change of the catalog", () => {
  it("shows at once on every process, although both had the page", async () => {
    for (const shop of shops) expect(await page(shop, "/product/travel-sleeve")).toContain("$19.00");
    await query("UPDATE products SET price = 2100 WHERE slug = 'travel-sleeve'");
    for (const shop of shops) {
      await expect.poll(() => page(shop, "/product/travel-sleeve")).toContain("$21.00");
      expect(await page(shop, "/shop")).toContain("$21.00");
    }
  });

  it("an order that leaves few shows 'Only N left' on the other process", async () => {
    await setUnits(pool, "charging-dock", 11);
    const [here, there] = shops as [Shop, Shop];
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("In Stock");
    const guest = new Visitor(here.url);
    await guest.add("charging-dock", 2);
    expect((await guest.checkout()).status).toBe(200);
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("Only 9 left");
  });

  it("a sale of what is plenty leaves the pages where they are", async () => {
    const [here] = shops as [Shop];
    const etag = async () => (await fetch(`${here.url}/product/ethylene-filter-2-pack`)).headers.get("ETag");
    const before = await etag();
    const guest = new Visitor(here.url);
    await guest.add("ethylene-filter-2-pack", 2);
    expect((await guest.checkout()).status).toBe(200);
    expect(await etag()).toBe(before);
  });
});

describe("an early-bird price", () => {
  it("is never served, nor sold, past its end", async () => {
    const [here] = shops as [Shop];
    const path = "/product/charging-dock";
    await query(
      "UPDATE products SET early_bird_price = 2900, early_bird_end_date = now() + interval '50 seconds' WHERE slug = 'charging-dock'",
    );
    await expect
      .poll(async () => (await fetch(here.url + path)).headers.get("Cache-Control"))
      .toMatch(/s-maxage=(?:[0-4]?\d|50), stale-while-revalidate=[0-4]?\d$/);
    expect(await page(here, path)).toContain("Today Only");
    const guest = new Visitor(here.url);
    await guest.add("charging-dock", 1);
    const fields = await guest.checkoutFields();
    expect(fields.seen).toMatch(/:2900$/);
    await query("UPDATE products SET early_bird_end_date = now() + interval '2 seconds' WHERE slug = 'charging-dock'");
    await expect.poll(() => page(here, path), { interval: 200 }).not.toContain("Today Only");
    expect(await page(here, path)).toContain("$39.00");
    const late = await guest.checkout(fields);
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("The price is now $39.00 instead of $29.00");
  });
});
