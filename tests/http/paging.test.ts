/** A shop with more products than one page shows, without a browser: pages, their addresses, and what machines read. */
import { beforeAll, expect, it } from "vitest";
import { jsonLd, unescapeHtml } from "../support/crawl.ts";
import { addCopies } from "../support/many-products.ts";
import { useShop } from "../support/use-shop.ts";

const { shop, visitor, database } = useShop();
const COPIES = 50;
const TOTAL = 12 * COPIES;

beforeAll(() => addCopies(database.pool, COPIES));

async function page(path: string) {
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
    const { html, names, shown, more, before, first, canonical } = await page(path);
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
  const { html, canonical } = await page("/shop?page=3");
  expect(canonical).toBe("/shop?page=3");
  expect(html).toContain("<title>Shop, page 3 | Polara</title>");
});

it.each(["page=0", "page=-1", "page=1e9", "page=two", "page=999", "page[]=2", "page=%20"])(
  "/shop?%s is the first page",
  async (query) => {
    const response = await visitor.fetch(`/shop?${query}`);
    expect(response.status).toBe(200);
    const { canonical, first, before } = await page(`/shop?${query}`);
    expect({ canonical, first, before }).toEqual({ canonical: "/shop", first: 1, before: "" });
  },
);

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
