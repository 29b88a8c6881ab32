/** The catalog as programs read it: API, feed, Markdown, and that all of them say the same price. */
import { connect, createServer, type Socket } from "node:net";
import { bundleFromString, createConfig, lintFromString } from "@redocly/openapi-core";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { decimalMoney } from "#shop/money.ts";
import { policyText } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { deliveries } from "#shop/shipping/methods.ts";
import { jsonLd } from "../support/crawl.ts";
import { createDatabase } from "../support/database.setup.ts";
import { freePort, startShop } from "../support/shop.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database } = useShop();

/** A connection to a database that can be cut. */
async function wireTo(database: URL): Promise<{ url: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const there = connect(Number(database.port), database.hostname);
    for (const socket of [near, there]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    near.pipe(there).pipe(near);
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: Object.assign(new URL(database), { host: `127.0.0.1:${port}` }).href,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const ask = (path: string, init?: RequestInit) => fetch(shop.url + path, init);
const text = async (path: string) => (await ask(path)).text();
const json = async <T = Record<string, unknown>>(path: string) => (await (await ask(path)).json()) as T;

type Item = Record<string, string | string[]> & { "g:shipping": { "g:service": string; "g:price": string }[] };
async function feed(): Promise<Item[]> {
  const xml = await text("/feeds/google.xml");
  expect(XMLValidator.validate(xml)).toBe(true);
  const parsed = new XMLParser({ parseTagValue: false }).parse(xml) as { rss: { channel: { item: Item[] } } };
  return parsed.rss.channel.item;
}

describe("the API", () => {
  it("matches its valid OpenAPI document", async () => {
    const source = await text("/api/openapi.json");
    // The shop of a test is at localhost.
    const config = await createConfig({ extends: ["recommended-strict"], rules: { "no-server-example.com": "off" } });
    expect(await lintFromString({ source, config })).toEqual([]);

    const { bundle } = await bundleFromString({ source, config, dereference: true });
    const whole = bundle.parsed as { openapi: string; components: { schemas: Record<string, never> } };
    expect(whole.openapi).toMatch(/^3\.1/);
    const { Product, ProductList, Problem } = Object.fromEntries(
      Object.entries(whole.components.schemas).map(([name, schema]) => [name, z.fromJSONSchema(schema)]),
    ) as Record<"Product" | "ProductList" | "Problem", z.ZodType>;
    const list = await json<{ products: { slug: string }[] }>("/api/products");
    expect(ProductList.parse(list)).toEqual(list);
    expect(list.products).toHaveLength(12);
    for (const product of list.products) {
      const alone = await json(`/api/products/${product.slug}`);
      expect(Product.parse(alone)).toEqual(product);
    }
    expect(Product.safeParse({ ...list.products[0], price: 99 }).success).toBe(false);
    expect(Product.safeParse({ ...list.products[0], secret: 1 }).success).toBe(false);
    expect(Problem.parse(await json("/api/nope"))).toMatchObject({ status: 404, instance: "/api/nope" });
  });

  it("filters and sorts like the shop page", async () => {
    const slugs = async (query: string) =>
      (await json<{ products: { slug: string }[] }>(`/api/products?${query}`)).products.map(({ slug }) => slug);
    expect(await slugs("category=Classic&availability=in-stock&color=Frost+White")).toEqual([
      "polara-classic-frost-white",
    ]);
    expect((await slugs("sort=price-asc"))[0]).toBe("lid-gasket-set");
    expect(await slugs("utm_source=x&category=Nonsense")).toHaveLength(12);
  });

  it("allows any origin, caches and conditional requests", async () => {
    for (const path of ["/api/products", "/api/products/travel-sleeve", "/api/openapi.json"]) {
      const response = await ask(path, { headers: { Origin: "https://elsewhere.example" } });
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(response.headers.get("Set-Cookie")).toBeNull();
      expect(response.headers.get("Cache-Control")).toMatch(/^public, max-age=0, s-maxage=60/);
      const etag = response.headers.get("ETag") ?? "";
      expect(etag).not.toBe("");
      const again = await ask(path, { headers: { "If-None-Match": etag } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      const head = await ask(path, { method: "HEAD" });
      expect(head.headers.get("ETag")).toBe(etag);
      expect(await head.text()).toBe("");
    }
    const preflight = await ask("/api/products", {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET,HEAD");
  });

  it.each([
    ["GET", "/api/products/nope", 404],
    ["GET", "/api/products/%00", 400],
    ["GET", "/api/products/a/b", 404],
    ["GET", "/api/nope", 404],
    ["GET", "/api/a/b/c", 404],
    ["GET", "/api/auth/list-sessions", 404],
    ["GET", "/api", 404],
    ["POST", "/api/nope", 403],
    ["POST", "/api/products", 405],
    ["DELETE", "/api/products/travel-sleeve", 405],
  ])("%s %s is a problem: %i", async (method, path, status) => {
    const response = await ask(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(response.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'/);
    if (status === 405) expect(response.headers.get("Allow")).toBe("GET, HEAD");
    expect(await response.json()).toMatchObject({
      status,
      title: expect.any(String),
      detail: expect.stringMatching(/^[ -~’]+$/),
    });
  });
});

describe("without a database", () => {
  it("the API returns a problem, the feed a page, both with Retry-After", async () => {
    const far = await createDatabase(inject("databaseServer"), inject("templateName"));
    const wire = await wireTo(new URL(far.url));
    const lonely = await startShop({ DATABASE_URL: wire.url });
    wire.cut();
    try {
      const problem = await fetch(`${lonely.url}/api/products`);
      expect(problem.status).toBe(503);
      expect(problem.headers.get("Content-Type")).toBe("application/problem+json");
      expect(Number(problem.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await problem.json()).toMatchObject({ status: 503, title: "Service Unavailable" });
      const feed = await fetch(`${lonely.url}/feeds/google.xml`);
      expect(feed.status).toBe(503);
      expect(Number(feed.headers.get("Retry-After"))).toBeGreaterThan(0);
    } finally {
      await lonely.kill();
      await far.drop();
    }
  });
});

describe("the feed for Google Merchant", () => {
  it("has Google's required fields for every product with a picture", async () => {
    await database.pool.query("UPDATE products SET thumbnail = NULL, images = '{}' WHERE slug = 'lid-gasket-set'");
    await expect.poll(async () => (await feed()).map((item) => item["g:id"])).not.toContain("lid-gasket-set");
    const items = await feed();
    expect(items).toHaveLength(11);
    for (const item of items) {
      for (const name of ["id", "title", "description", "link", "image_link", "brand", "identifier_exists"])
        expect(item[`g:${name}`], `${String(item["g:id"])} ${name}`).toBeTruthy();
      expect(String(item["g:id"]).length).toBeLessThanOrEqual(50);
      expect(String(item["g:title"]).length).toBeLessThanOrEqual(150);
      expect(String(item["g:description"]).length).toBeLessThanOrEqual(5000);
      expect(item["g:price"]).toMatch(/^\d+\.\d\d USD$/);
      expect(item["g:availability"]).toMatch(/^(in_stock|out_of_stock)$/);
      expect(item["g:condition"]).toBe("new");
      expect((await ask(String(item["g:link"]).slice(shop.url.length))).status).toBe(200);
      const picture = await ask(String(item["g:image_link"]).slice(shop.url.length), { method: "HEAD" });
      expect(picture.headers.get("Content-Type")).toBe("image/webp");
    }
  });

  it("has correct prices, sales and shipping", async () => {
    const item = new Map((await feed()).map((one) => [one["g:id"], one]));
    const pro = item.get("polara-pro-frost-white");
    expect(pro).toMatchObject({ "g:price": "149.00 USD", "g:sale_price": "99.00 USD", "g:availability": "in_stock" });
    const [start = "", end = ""] = String(pro?.["g:sale_price_effective_date"]).split("/");
    for (const moment of [start, end]) expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+0000$/);
    const { price } = await json<{ price: { earlyBirdEndsAt: string } }>("/api/products/polara-pro-frost-white");
    expect(end.slice(0, 16)).toBe(price.earlyBirdEndsAt.slice(0, 16));
    expect(start < end).toBe(true);
    expect(pro?.["g:item_group_id"]).toBe("polara-pro");
    expect(pro?.["g:shipping"].map((one) => `${one["g:service"]} ${one["g:price"]}`)).toEqual(
      deliveries(FIRST_SETTINGS.shipping, 99_00).map(
        (delivery) => `${delivery.name} ${decimalMoney(delivery.priceCents)} USD`,
      ),
    );
    const classic = item.get("polara-classic-earth-green");
    expect(classic).toMatchObject({ "g:price": "89.00 USD", "g:availability": "out_of_stock" });
    expect(classic).not.toHaveProperty("g:sale_price");
    expect(item.get("produce-basket")?.["g:availability"]).toBe("out_of_stock");
    expect(item.get("travel-sleeve")).not.toHaveProperty("g:item_group_id");
  });

  it("has free shipping if one unit reaches the minimum", async () => {
    await database.pool.query("UPDATE products SET price = $1 WHERE slug = 'charging-dock'", [
      FIRST_SETTINGS.shipping.freeFromCents,
    ]);
    const rates = async () =>
      (await feed()).find((one) => one["g:id"] === "charging-dock")?.["g:shipping"].map((one) => one["g:price"]);
    await expect.poll(rates).toEqual(["0.00 USD", "0.00 USD", "0.00 USD"]);
    await database.pool.query("UPDATE products SET price = 3900 WHERE slug = 'charging-dock'");
  });
});

describe("Markdown", () => {
  it.each(["/shop", "/product/lid-gasket-set", "/how-it-works", "/science", "/about", "/blog", "/support", "/terms"])(
    "%s is available as Markdown",
    async (path) => {
      const html = await text(path);
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"/>`);
      const response = await ask(`${path}.md`);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
      expect(response.headers.get("Link")).toBe(`<${shop.url}${path}>; rel="canonical"`);
      expect(response.headers.get("ETag")).toBeTruthy();
      const markdown = await response.text();
      expect(markdown).toMatch(/^# \S/);
      expect(markdown).not.toMatch(/\[object|undefined|NaN|<\w+[^>]*>/);
    },
  );

  it("preserves sections, tables and links", async () => {
    const warranty = await text("/warranty.md");
    expect(warranty.match(/^## \d+\. /gm)).toHaveLength(18);
    expect(warranty).toContain(`for ${policyText.warrantyYears} from the date of the original purchase`);
    expect(warranty).toContain(`[Consumables](${shop.url}/warranty#consumables)`);
    const science = await text("/science.md");
    expect(science).toContain("| Very high | over 100 | Passion fruit, cherimoya |");
  });

  it("/llms.txt links to every Markdown page, without dead links", async () => {
    const llms = await text("/llms.txt");
    expect(llms).toMatch(/^# Polara\n\n> /);
    const links = [...llms.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = ""]) => link.slice(shop.url.length));
    const markdown = links.filter((link) => link.endsWith(".md"));
    expect(markdown, "13 products, 17 pages and posts: a new page of words adds one").toHaveLength(13 + 17);
    for (const link of links) expect((await ask(link)).status, link).toBe(200);
  });
});

describe("the same price everywhere", () => {
  /** The price paid now, in cents, as each form of a product says it. */
  async function prices(slug: string): Promise<Record<string, number>> {
    const html = await text(`/product/${slug}`);
    const cents = (dollars: string | undefined) => Math.round(Number(dollars) * 100);
    const shown = /aria-label="Buy"[\s\S]*?\$(\d+\.\d\d)/.exec(html)?.[1];
    const product = jsonLd(html).find((part) => part["@type"] === "Product") as { offers: { price: string } };
    const item = (await feed()).find((one) => one["g:id"] === slug);
    const answer = await json<{ price: { cents: number; display: string } }>(`/api/products/${slug}`);
    const { products } = await json<{ products: { slug: string; price: { cents: number } }[] }>("/api/products");
    return {
      page: cents(shown),
      jsonLd: cents(product.offers.price),
      ...(item && { feed: cents(String(item["g:sale_price"] ?? item["g:price"]).split(" ")[0]) }),
      api: answer.price.cents,
      apiDisplay: cents(answer.price.display.slice(1)),
      apiList: products.find((one) => one.slug === slug)?.price.cents ?? 0,
      markdown: cents(/^- Price: \$(\d+\.\d\d)/m.exec(await text(`/product/${slug}.md`))?.[1]),
      shopMarkdown: cents(
        new RegExp(`\\$(\\d+\\.\\d\\d)[^|]*\\|[^|]*\\| \\S*/${slug}\\.md`).exec(await text("/shop.md"))?.[1],
      ),
    };
  }
  const same = async (slug: string) => new Set(Object.values(await prices(slug)));

  it.each([
    ["polara-pro-earth-green", 9900],
    ["polara-classic-frost-white", 8900],
    ["ethylene-filter-6-pack", 5900],
    ["lid-gasket-set", 1200],
  ])("%s costs %i cents in every format", async (slug, cents) => {
    expect(await same(slug)).toEqual(new Set([cents]));
  });

  it("holds before and after the end of an early-bird price", async () => {
    const slug = "travel-sleeve";
    expect(await same(slug)).toEqual(new Set([1900]));
    await database.pool.query(
      "UPDATE products SET early_bird_price = 900, early_bird_end_date = now() + interval '50 seconds' WHERE slug = $1",
      [slug],
    );
    await expect.poll(async () => (await prices(slug)).page).toBe(900);
    expect(await same(slug)).toEqual(new Set([900]));
    const guest = new Visitor(shop.url);
    await guest.add(slug);
    const seen = await guest.checkoutFields();
    for (const path of [
      `/api/products/${slug}`,
      `/product/${slug}.md`,
      "/feeds/google.xml",
      "/shop.md",
      "/sitemap.xml",
      // The sleeve is in these from then on.
      "/shop?minPrice=10&maxPrice=20",
      "/api/products?minPrice=10&maxPrice=20",
    ])
      expect((await ask(path)).headers.get("Cache-Control"), path).toMatch(
        /s-maxage=(?:[0-4]?\d|50), stale-while-revalidate=[0-4]?\d$/,
      );
    await database.pool.query(
      "UPDATE products SET early_bird_end_date = now() + interval '2 seconds' WHERE slug = $1",
      [slug],
    );
    await expect.poll(() => prices(slug), { interval: 200 }).toMatchObject({ page: 1900 });
    expect(await same(slug)).toEqual(new Set([1900]));
    expect((await feed()).find((one) => one["g:id"] === slug)).not.toHaveProperty("g:sale_price");
    expect(await text(`/api/products/${slug}`)).toMatch(/earlyBirdEndsAt":null/);
    const late = await guest.checkout(seen);
    expect(late.status).toBe(409);
    expect(await late.text()).toContain("The price is now $19.00 instead of $9.00");
  });
});
