/** Spellings, filters and made-up addresses: they evict nothing from the page cache, and a network may have few of them rendered. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startShop, type Shop } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";

const { shop, database } = useShop();

/** More than the cache holds of products (page-cache.ts). */
const PRODUCTS = 320;

const text = async (path: string) => (await fetch(shop.url + path)).text();
const many = (count: number, path: (i: number) => string) => Array.from({ length: count }, (_, i) => path(i));

/** Spellings of an address, its characters percent-encoded by turns. */
const spellings = (prefix: string, characters: string, count: number) =>
  many(count, (i) => {
    const escaped = Array.from(characters, (one, at) =>
      (i + 1) & (1 << at) ? `%${one.charCodeAt(0).toString(16)}` : one,
    );
    return prefix + escaped.join("");
  });

async function askAll(paths: string[]): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let i = 0; i < paths.length; i += 20) {
    const answers = await Promise.all(paths.slice(i, i + 20).map((path) => fetch(shop.url + path)));
    for (const answer of answers) {
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
  }
  return statuses;
}

describe("the page cache", () => {
  const CACHED = ["/shop", "/product/travel-sleeve", "/shop.md"];
  let edition = 0;

  const rename = (to: string) =>
    database.pool.query(
      `BEGIN; ALTER TABLE products DISABLE TRIGGER USER;
       UPDATE products SET name = '${to}' WHERE slug = 'travel-sleeve';
       ALTER TABLE products ENABLE TRIGGER USER; COMMIT`,
    );

  const price = (i: number) => `minPrice=${(i % 25) * 10}&maxPrice=${260 + Math.floor(i / 25) * 10}`;
  it.each<[what: string, paths: string[], statuses?: number[]]>([
    ["spellings of one address", [...spellings("/", "shop", 15), ...spellings("/product/", "travel-sleeve", PRODUCTS)]],
    ["valid filters", many(240, (i) => `/${i % 2 ? "shop" : "api/products"}?${price(i)}&sort=newest`)],
    ["data of made-up routes", many(PRODUCTS, (i) => `/shop.data?_routes=routes/storefront/shop/route,x${i}`)],
    ["products that do not exist", many(PRODUCTS, (i) => `/product/no-such-bowl-${i}${"-x".repeat(i * 3)}`), [404]],
  ])("keeps its pages through more %s than it holds", async (_what, paths, statuses = [200]) => {
    const before = `Edition ${++edition}`;
    // Cached pages may change only after the notification.
    for (const path of CACHED) await text(path);
    await rename(before);
    await database.pool.query("NOTIFY catalog");
    for (const path of CACHED) await expect.poll(() => text(path)).toContain(before);
    await rename("Rendered Anew");
    expect([...(await askAll(paths))]).toEqual(statuses);
    for (const path of [...CACHED, "/%73h%6Fp", "/product/%74ravel-sleeve", "//shop", "/shop?utm_source=a"])
      expect(await text(path), path).toContain(before);
  });
});

describe("the limit of rendered pages", () => {
  let limited: Shop;
  /** A tenth of the default limit. */
  const SCALE = 0.1;
  beforeAll(async () => {
    const env = { RATE_LIMIT_SCALE: String(SCALE), TRUST_PROXY: "loopback", WORKER: "outside" };
    limited = await startShop({ DATABASE_URL: database.url, ...env });
  });
  afterAll(() => limited.stop());

  const from = (address: string) => ({ headers: { "X-Forwarded-For": address, Accept: "text/html" } });
  async function askUntilRefused(
    path: (i: number) => string,
    address: (i: number) => string,
  ): Promise<Response | null> {
    for (let i = 0; i < 400 * SCALE; i++) {
      const answer = await fetch(limited.url + path(i), from(address(i)));
      if (answer.status === 429) return answer;
      await answer.arrayBuffer();
    }
    return null;
  }

  it.each([
    ["pages that do not exist", (i: number) => `/no/such/page/${i}`],
    ["products that do not exist", (i: number) => `/product/no-such-bowl-${i}`],
    ["filters", (i: number) => `/shop?minPrice=${(i % 25) * 10}&maxPrice=${260 + Math.floor(i / 25) * 10}`],
    ["searches", (i: number) => `/search?q=bowl${i}`],
    ["suggestions", (i: number) => `/search.json?q=bowl${i}`],
    ["the catalog's API", (i: number) => `/api/products?minPrice=${(i % 25) * 10}&maxPrice=${260 + i}`],
    ["Markdown pages that do not exist", (i: number) => `/product/no-such-bowl-${i}.md`],
  ])("answers one network with 429 and the wait: %s", async (name, path) => {
    const network = `2001:db8:${createHash("sha256").update(name).digest("hex").slice(0, 4)}:1`;
    const refused = await askUntilRefused(path, (i) => `${network}::${(i + 1).toString(16)}`);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    expect(refused?.headers.get("Cache-Control")).toContain("no-store");
    expect(await refused?.text()).toMatch(/Wait \d+ seconds?, then try again\./);
    // Cached pages still answer, as do other networks.
    expect((await fetch(`${limited.url}/shop`, from("192.0.2.1"))).status).toBe(200);
    expect((await fetch(`${limited.url}/shop`, from(`${network}::1`))).status).toBe(200);
    expect((await fetch(limited.url + path(999), from("192.0.2.1"))).status).not.toBe(429);
    expect((await fetch(`${limited.url}/cart`, from(`${network}::1`))).status).toBe(200);
  });

  it("allows a household's personal pages, but not without end", async () => {
    const answers: number[] = [];
    for (let i = 0; i < 1_400 * SCALE; i += 20) {
      const some = Array.from({ length: 20 }, () => fetch(`${limited.url}/personal.data`, from("198.51.100.7")));
      for (const answer of await Promise.all(some)) {
        await answer.arrayBuffer();
        answers.push(answer.status);
      }
    }
    expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600 * SCALE);
    expect(answers.at(-1)).toBe(429);
  });
});
