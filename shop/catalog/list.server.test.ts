import { beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { countFacets, getProductPage, listFeedProducts, listProducts } from "./catalog.server.ts";
import { PAGE_SIZE, parseFilters, type Filters } from "./filters.ts";
import { priceOf, type Product } from "./product.ts";
import { unitsLeft } from "./stock.ts";

const shop = useFreshDatabase(4);
const COPIES = 25;
const TOTAL = 12 * (COPIES + 1);

/** Many products that differ only by id, some out of stock, with current, expired and no early-bird prices. */
beforeAll(async () => {
  await shop.pool.query(
    `INSERT INTO products (name, slug, short_description, description, price, early_bird_price, early_bird_end_date,
       color_variant, category, featured, is_available, created_at)
     SELECT name, slug || '-' || n, '', '', price + n % 3 * 1050, CASE WHEN n % 2 = 0 THEN 100_00 + n % 5 * 1000 END,
       now() + (CASE n % 4 WHEN 0 THEN 1 WHEN 1 THEN NULL ELSE -1 END) * interval '1 hour',
       color_variant, category, featured, n % 7 > 0, created_at
     FROM products, generate_series(1, $1::int) AS n`,
    [COPIES],
  );
  await shop.pool.query("UPDATE stock SET inventory_count = 5 WHERE product_id::text < '9'");
});

const filtersOf = (query: string) => parseFilters(new URLSearchParams(query));

async function allPages(filters: Filters): Promise<{ products: Product[]; count: number }> {
  const products: Product[] = [];
  for (let page = 1; ; page++) {
    const list = await listProducts(shop.db, filters, page);
    expect(list.products.length).toBeLessThanOrEqual(PAGE_SIZE);
    products.push(...list.products);
    if (!list.hasMore) return { products, count: list.count };
  }
}

const everything = async () => listFeedProducts(shop.db);
const paid = (product: Product) => priceOf(product, new Date()).priceCents;

function passes(product: Product, { colors, categories, availability, minPrice, maxPrice }: Filters): boolean {
  const cents = paid(product);
  return (
    (colors.length === 0 || (product.colorVariant !== null && colors.includes(product.colorVariant))) &&
    (categories.length === 0 || categories.includes(product.category)) &&
    (availability.length === 0 || availability.includes(unitsLeft(product) > 0 ? "in-stock" : "out-of-stock")) &&
    (minPrice === 0 || cents >= minPrice * 100) &&
    (maxPrice === 500 || cents <= maxPrice * 100)
  );
}

describe("a list of many pages", () => {
  it.each([
    "",
    "color=Earth+Green",
    "category=Accessories&color=Frost+White&color=Midnight+Black",
    "availability=in-stock",
    "availability=out-of-stock&category=Pro",
    "availability=in-stock&availability=out-of-stock",
    "minPrice=90&maxPrice=100",
    "minPrice=110",
    "maxPrice=40&availability=in-stock",
  ])("with the filters '%s' has each product once in each order, and its count", async (query) => {
    const every = await everything();
    for (const sort of ["featured", "price-asc", "price-desc", "newest"]) {
      const filters = filtersOf(`${query}&sort=${sort}`);
      const wanted = every.filter((product) => passes(product, filters)).map(({ id }) => id);
      const { products, count } = await allPages(filters);
      expect(products.map(({ id }) => id).toSorted(), sort).toEqual(wanted.toSorted());
      expect(count, sort).toBe(wanted.length);
      expect(count).toBeGreaterThan(0);
      const prices = products.map(paid);
      if (sort === "price-asc") expect(prices).toEqual(prices.toSorted((a, b) => a - b));
      if (sort === "price-desc") expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    }
  });

  it.each(["", "color=Earth+Green&category=Pro", "availability=in-stock&minPrice=90&maxPrice=100"])(
    "with the filters '%s' says how many each filter would show",
    async (query) => {
      const filters = filtersOf(query);
      const { colors, categories, availability, prices } = await countFacets(shop.db, filters, ["Earth Green", "Gold"]);
      const counted = async (part: Partial<Filters>) => (await listProducts(shop.db, { ...filters, ...part })).count;
      expect(colors).toEqual({ "Earth Green": await counted({ colors: ["Earth Green"] }), Gold: 0 });
      expect(categories.Pro).toBe(await counted({ categories: ["Pro"] }));
      expect(categories.Accessories).toBe(await counted({ categories: ["Accessories"] }));
      expect(availability["out-of-stock"]).toBe(await counted({ availability: ["out-of-stock"] }));
      const all = (await everything()).map(paid);
      expect(prices).toEqual({ lowest: Math.min(...all), highest: Math.max(...all) });
    },
  );

  it("is empty beyond its last page, with its count", async () => {
    expect(await listProducts(shop.db, filtersOf(""), 999)).toMatchObject({
      products: [],
      count: TOTAL,
      hasMore: false,
    });
  });

  it("has the next end of an early-bird price, whether or not its product is on the page", async () => {
    const nextEnd = async (query: string, page = 1) =>
      (await listProducts(shop.db, filtersOf(query), page)).nextEarlyBirdEnd;
    const end = (seconds: number) => new Date(Date.now() + seconds * 1000);
    const setEnd = (slug: string, at: Date) =>
      shop.pool.query("UPDATE products SET early_bird_end_date = $1 WHERE slug = $2", [at, slug]);
    const [sooner, soon] = [end(30), end(40)];
    await setEnd("lid-gasket-set-1", end(-1));
    await setEnd("lid-gasket-set-2", sooner);
    await setEnd("lid-gasket-set-3", soon);
    for (const query of ["", "category=Pro", "minPrice=490"]) expect(await nextEnd(query), query).toEqual(sooner);
    expect(await nextEnd("", 999)).toEqual(sooner);
    const retire = "UPDATE products SET is_available = false, retired_at = now() WHERE slug = 'lid-gasket-set-2'";
    await shop.pool.query(retire);
    expect(await nextEnd("category=Pro")).toEqual(soon);
    await shop.pool.query("UPDATE products SET retired_at = NULL WHERE slug = 'lid-gasket-set-2'");
  });

  it("has added, changed and removed products at once", async () => {
    const pros = async () =>
      (await listProducts(shop.db, filtersOf("category=Pro&color=Earth+Green&maxPrice=20"))).count;
    const before = await pros();
    await shop.pool.query(
      `INSERT INTO products (name, slug, short_description, description, price, category, color_variant)
       SELECT 'New', 'new-' || n, '', '', 1900, 'Pro', 'Earth Green' FROM generate_series(1, 3) AS n`,
    );
    expect(await pros()).toBe(before + 3);
    await shop.pool.query("UPDATE products SET price = 2001 WHERE slug = 'new-1'");
    expect(await pros()).toBe(before + 2);
    await shop.pool.query("UPDATE products SET color_variant = NULL WHERE slug = 'new-2'");
    expect(await pros()).toBe(before + 1);
    await shop.pool.query("DELETE FROM products WHERE slug LIKE 'new-_'");
    expect(await pros()).toBe(before);
    expect(await everything()).toHaveLength(TOTAL);
  });
});

it("a product page has its colors and four other products", async () => {
  await shop.pool.query(
    "UPDATE products SET name = 'Cup ' || color_variant || ' Mini' WHERE slug LIKE 'polara-pro%-7'",
  );
  const page = await getProductPage(shop.db, "polara-pro-frost-white-7");
  expect(page?.product.model).toBe("Cup  Mini");
  expect(page?.colors.map(({ slug }) => slug).toSorted()).toEqual([
    "polara-pro-earth-green-7",
    "polara-pro-frost-white-7",
    "polara-pro-midnight-black-7",
  ]);
  const firsts = (await listProducts(shop.db, filtersOf("category=Pro"))).products.slice(0, 4);
  expect(page?.related.map(({ id }) => id)).toEqual(firsts.map(({ id }) => id));
  expect((await getProductPage(shop.db, "polara-pro-frost-white"))?.colors.length).toBeLessThan(20);
});
