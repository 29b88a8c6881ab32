import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { searchShop } from "#shop/search/search.server.ts";
import { listWishlist } from "#shop/wishlist/wishlist.server.ts";
import * as catalog from "./catalog.server.ts";
import { parseFilters } from "./filters.ts";
import type { Product } from "./product.ts";

const shop = useFreshDatabase();
const slug = "polara-pro-earth-green";
const all = parseFilters(new URLSearchParams());
type Priced = Pick<Product, "earlyBirdPriceCents"> | null | undefined;

async function wishlist(): Promise<Priced[]> {
  const { rows } = await shop.pool.query(
    `WITH u AS (INSERT INTO users (email, name) VALUES (gen_random_uuid() || '@example.com', 'Ada') RETURNING id)
     INSERT INTO wishlists (user_id, product_id) SELECT u.id, p.id FROM u, products p WHERE slug = $1 RETURNING user_id`,
    [slug],
  );
  return listWishlist(shop.db, rows[0].user_id);
}

/** Readers of prices: a new reader of the catalog must be added here or declared price-free. */
const readers: Record<string, () => Promise<Priced[]>> = {
  listProducts: async () => (await catalog.listProducts(shop.db, all)).products,
  listFeedProducts: () => catalog.listFeedProducts(shop.db),
  getProduct: async () => [await catalog.getProduct(shop.db, slug)],
  getProductPage: async () => {
    const page = await catalog.getProductPage(shop.db, slug);
    return [page?.product, ...(page?.related ?? []), page?.counterpart, ...(page?.accessories ?? [])];
  },
  listColors: () => catalog.listColors(shop.db, "Pro"),
  listWishlist: wishlist,
  searchShop: async () => (await searchShop(shop.db, "polara pro")).results.map(({ product }) => product),
};
const readsNoPrice = ["listModelColors", "listProductDates", "listProductsBySlug", "findProductByName", "listParts"];
/** Reads prices in SQL, by the rule that price.server.test.ts proves. */
const readsPriceRange = ["countFacets"];

describe("an early-bird price", () => {
  it.each(Object.keys(readers))("is returned by %s until its end", async (name) => {
    const prices = async () => (await readers[name]!()).map((product) => product?.earlyBirdPriceCents ?? null);
    await shop.db.execute(sql`UPDATE products SET early_bird_end_date = now() + interval '1 hour'`);
    expect(await prices()).toContain(99_00);
    await shop.db.execute(sql`UPDATE products SET early_bird_end_date = now() - interval '1 second'`);
    expect((await prices()).length).toBeGreaterThan(0);
    expect(new Set(await prices())).toEqual(new Set([null]));
  });

  it("has no reader without a test", () => {
    const functions = Object.entries(catalog).filter(([, value]) => typeof value === "function");
    expect(
      functions
        .map(([name]) => name)
        .filter((name) => !(name in readers) && ![...readsNoPrice, ...readsPriceRange].includes(name)),
    ).toEqual([]);
  });
});
