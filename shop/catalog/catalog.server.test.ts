import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { searchShop } from "../search/search.server.ts";
import { listWishlist } from "../wishlist/wishlist.server.ts";
import * as catalog from "./catalog.server.ts";
import { parseFilters } from "./filters.ts";
import type { Product } from "./product.ts";

const shop = useFreshDatabase();
const slug = "polara-pro-earth-green";
const all = parseFilters(new URLSearchParams());
type Told = Pick<Product, "earlyBirdPriceCents"> | null | undefined;

async function listOfWishes(): Promise<Told[]> {
  const { rows } = await shop.pool.query(
    `WITH u AS (INSERT INTO users (email, name) VALUES (gen_random_uuid() || '@example.com', 'Ada') RETURNING id)
     INSERT INTO wishlists (user_id, product_id) SELECT u.id, p.id FROM u, products p WHERE slug = $1 RETURNING user_id`,
    [slug],
  );
  return listWishlist(shop.db, rows[0].user_id);
}

/** Whoever reads prices: a new reader of the catalog must be added here, or says that it reads none. */
const readers: Record<string, () => Promise<Told[]>> = {
  listProducts: async () => (await catalog.listProducts(shop.db, all)).products,
  listProductsAfter: () => catalog.listProductsAfter(shop.db, "", 100),
  getProduct: async () => [await catalog.getProduct(shop.db, slug)],
  getProductPage: async () => {
    const page = await catalog.getProductPage(shop.db, slug);
    return [page?.product, ...(page?.related ?? [])];
  },
  listColors: () => catalog.listColors(shop.db, "Pro"),
  listWishlist: listOfWishes,
  searchShop: async () => (await searchShop(shop.db, "polara pro")).results.map(({ product }) => product),
};
const readsNoPrice = ["listProductDates", "listProductsBySlug", "countProducts"];

describe("an early-bird price", () => {
  it.each(Object.keys(readers))("is told by %s while it runs, and not after its end", async (name) => {
    const loggedUntil = async () => (await readers[name]!()).map((product) => product?.earlyBirdPriceCents ?? null);
    await shop.db.execute(sql`UPDATE products SET early_bird_end_date = now() + interval '1 hour'`);
    expect(await loggedUntil()).toContain(99_00);
    await shop.db.execute(sql`UPDATE products SET early_bird_end_date = now() - interval '1 second'`);
    expect((await loggedUntil()).length).toBeGreaterThan(0);
    expect(new Set(await loggedUntil())).toEqual(new Set([null]));
  });

  it("has no reader that this test does not know", () => {
    const functions = Object.entries(catalog).filter(([, value]) => typeof value === "function");
    expect(
      functions.map(([name]) => name).filter((name) => !(name in readers) && !readsNoPrice.includes(name)),
    ).toEqual([]);
  });
});
