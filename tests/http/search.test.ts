/** The search and the lists, without a browser: pages, their addresses, and what machines read. */
import { beforeAll, describe, expect, it } from "vitest";
import type { SearchResponse } from "#shop/search/result.ts";
import { jsonLd, unescapeHtml } from "../support/crawl.ts";
import { addCopies } from "../support/many-products.ts";
import { useShop } from "../support/use-shop.ts";

const { shop, visitor, database } = useShop();

const address = (path: string, query: string) => `${path}?${new URLSearchParams({ q: query })}`;
const page = async (query: string) => (await visitor.fetch(address("/search", query))).text();
const ask = async (query: string) =>
  (await (await visitor.fetch(address("/search.json", query))).json()) as SearchResponse;

describe("the page, without JavaScript", () => {
  it("every page links to it", async () => {
    const html = await (await visitor.fetch("/")).text();
    expect(html).toMatch(/<a[^>]*aria-label="Search"[^>]*href="\/search"/);
  });

  it("is a GET form", async () => {
    const html = await (await visitor.fetch("/search")).text();
    const form = /<form[^>]*role="search"[^>]*>/.exec(html)?.[0] ?? "";
    expect(form).toContain('action="/search"');
    expect(form).toContain('method="get"');
    expect(html).toMatch(/<input[^>]*name="q"/);
    expect(html).toContain('href="/warranty#return-policy"');
  });

  it("shows products with picture and price, marked words, and links to texts", async () => {
    const html = await page("earth green");
    expect(html).toContain('href="/product/polara-pro-earth-green"');
    expect(html).toMatch(/<img[^>]*src="\/images\/pro-earth-green-hero/);
    expect(html).toContain("$99.00");
    expect(html).toMatch(/<mark[^>]*>Earth<\/mark>/);
    expect(await page("refund")).toContain('href="/warranty#refunds"');
  });

  it("shows the corrected query", async () => {
    const html = await page("ethylen filtr");
    expect(html).toMatch(/<strong[^>]*>ethylene filter<\/strong>/);
    expect(html).toContain('value="ethylen filtr"');
  });

  it("without results it offers other links", async () => {
    const html = await page("xyzzy");
    expect(html).toContain("No results for");
    expect(html).toContain('href="/shop?category=Accessories"');
  });

  it("a query is escaped", async () => {
    const html = await page('<img src=x onerror=alert(1)>"filter');
    expect(html).not.toContain("<img src=x");
    expect(html).toContain("&lt;img src=x");
  });
});

describe("the suggestions", () => {
  it("are at most seven, with the data of a row", async () => {
    const { results, corrected } = await ask("filter");
    expect(corrected).toBeNull();
    expect(results.length).toBeLessThanOrEqual(7);
    expect(results[0]).toMatchObject({
      path: "/product/ethylene-filter-2-pack",
      product: { priceCents: 24_00, inStock: true },
    });
  });

  it("are neither cached nor indexed", async () => {
    const { headers } = await visitor.fetch(address("/search.json", "filter"));
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});

it.each([
  ["nothing asked", "/search"],
  ["nothing asked", "/search.json"],
  ["two questions", "/search?q=filter&q=lid"],
  ["not UTF-8", "/search?q=%E0%A4%A"],
  ["10,000 letters", address("/search", "q".repeat(10_000))],
  ["10,000 letters", address("/search.json", "q".repeat(10_000))],
])("%s is not an error: %s", async (_name, path) => {
  expect((await visitor.fetch(path)).status).toBe(200);
});

it("every result links to a page and an anchor on it", async () => {
  const paths = new Set<string>();
  for (const query of ["filter", "polara", "warranty", "cookies", "ripe", "battery", "clean", "order"]) {
    for (const { path } of (await ask(query)).results) paths.add(path);
  }
  expect(paths.size).toBeGreaterThan(15);
  for (const path of paths) {
    const [bare = "", anchor] = path.split("#");
    const response = await visitor.fetch(bare);
    expect(response.status, path).toBe(200);
    if (anchor) expect(await response.text(), path).toContain(`id="${anchor}"`);
  }
});

describe("a list of more products than one page shows", () => {
  const COPIES = 50;
  const TOTAL = 12 * COPIES;

  beforeAll(() => addCopies(database.pool, COPIES));

  async function list(path: string) {
    const html = await (await visitor.fetch(path)).text();
    const link = (label: string) =>
      unescapeHtml(new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${label}</a>`).exec(html)?.[1] ?? "");
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]?.slice(shop.url.length);
    const listed = jsonLd(html)[0]?.itemListElement as { position: number; url: string }[];
    const names = listed.map(({ url }) => url.slice(`${shop.url}/product/`.length));
    const shown = new Set([...html.matchAll(/href="\/product\/([^"]+)"/g)].map(([, slug]) => slug));
    return {
      html,
      canonical,
      first: listed[0]?.position,
      names,
      shown,
      more: link("Show more"),
      before: link("Show previous"),
    };
  }

  it("'Show more' links lead through all products once, and back", async () => {
    const seen: string[] = [];
    let path = "/shop?category=Accessories&sort=price-desc";
    let last = "";
    for (let number = 1; path; number++) {
      const { html, names, shown, more, before, first, canonical } = await list(path);
      expect(html).toContain(`Showing ${TOTAL / 2} products`);
      expect([...shown]).toEqual(names);
      expect(first).toBe(seen.length + 1);
      expect(before).toBe(last);
      expect(canonical).toBe("/shop");
      seen.push(...names);
      last = path;
      path = more;
      expect(more).toBe(more && `/shop?category=Accessories&sort=price-desc&page=${number + 1}`);
    }
    expect(seen).toHaveLength(TOTAL / 2);
    expect(new Set(seen).size).toBe(TOTAL / 2);
  });

  it("a page of the unfiltered list has its own title and canonical link", async () => {
    const { html, canonical } = await list("/shop?page=3");
    expect(canonical).toBe("/shop?page=3");
    expect(html).toContain("<title>Shop, page 3 | Polara</title>");
  });

  it.each(["page=-1", "page=999", "page[]=2"])("/shop?%s is the first page", async (query) => {
    const response = await visitor.fetch(`/shop?${query}`);
    expect(response.status).toBe(200);
    const { canonical, first, before } = await list(`/shop?${query}`);
    expect({ canonical, first, before }).toEqual({ canonical: "/shop", first: 1, before: "" });
  });

  it("the API and the Markdown page link to their next page", async () => {
    const slugs: string[] = [];
    for (let path: string | undefined = "/api/products?sort=newest"; path;) {
      const response = await visitor.fetch(path);
      const { products } = (await response.json()) as { products: { slug: string }[] };
      slugs.push(...products.map(({ slug }) => slug));
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1]?.slice(shop.url.length);
    }
    expect(new Set(slugs).size).toBe(TOTAL);
    expect(slugs).toHaveLength(TOTAL);
    const markdown = await (await visitor.fetch("/shop.md?page=2")).text();
    expect(markdown).toContain(`More products: ${shop.url}/shop.md?page=3`);
    expect((await visitor.fetch("/shop.md?page=99")).status).toBe(404);
  });
});
