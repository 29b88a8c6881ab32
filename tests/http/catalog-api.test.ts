/** The catalog as programs read it: API, feed, Markdown, and that all of them say the same price. */
import { bundleFromString, createConfig, lintFromString } from "@redocly/openapi-core";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { decimalMoney } from "#shop/money.ts";
import { policyText } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { deliveries } from "#shop/shipping/methods.ts";
import { jsonLd } from "../support/crawl.ts";
import { emailTo } from "../support/mailbox.ts";
import { textOf } from "../support/page-data.ts";
import { someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database } = useShop();

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

/** One rule in every place where one buys, and never a later day beside 'In Stock'. */
describe("the availability of a product", () => {
  const DAY = "January 12, 2100";
  const SHIPS = `Ships ${DAY}`;

  type Is = { words: string; note: string | null; schema: string; feed: string };
  const PRODUCTS: [slug: string, columns: string | null, is: Is][] = [
    ["polara-classic-midnight-black", null, { words: "In Stock", note: null, schema: "InStock", feed: "in_stock" }],
    [
      "polara-pro-midnight-black",
      "ships_from = '2100-01-12'",
      { words: SHIPS, note: SHIPS, schema: "PreOrder", feed: "preorder" },
    ],
    [
      "charging-dock",
      "waitlist_only_until = '2100-01-12 17:00Z'",
      {
        words: `Waitlist first: by invitation now, for everyone starting ${DAY}`,
        note: "Waitlist first",
        schema: "OutOfStock",
        feed: "out_of_stock",
      },
    ],
  ];

  beforeAll(async () => {
    for (const [slug, columns] of PRODUCTS) {
      if (columns) await database.pool.query(`UPDATE products SET ${columns} WHERE slug = '${slug}'`);
    }
  });

  /** Words as they are read. */
  const blocks = (html: string, from: string, to: string) =>
    html
      .split(from)
      .slice(1)
      .map((rest) => rest.split(to)[0]);
  /** The block whose first link leads to the product; the others of a card lead to its other colors. */
  const blockOf = (slug: string, found: (string | undefined)[]) =>
    textOf(found.find((block) => /href="\/product\/([^"]+)"/.exec(block ?? "")?.[1] === slug));
  /** 'In Stock', a ship day, or both, which nothing may say. */
  const said = (text: string) =>
    new Set(text.match(/In Stock|[Ss]hips (?=January)/g)?.map((words) => words.toLowerCase()));
  const nameOf = (slug: string) => slug.replaceAll("-", " ");

  type Found = { results: { path: string; product: { note: string | null } | null }[] };

  /** Places with the whole words, and those with a note in place of 'In Stock'. */
  const PLACES: [place: string, isNote: boolean, read: (slug: string) => Promise<string>][] = [
    ["a card", true, async (slug) => blockOf(slug, blocks(await text("/shop"), "<article", "</article>"))],
    [
      "the product page",
      false,
      async (slug) => textOf(blocks(await text(`/product/${slug}`), '<section aria-label="Buy"', "</section>")[0]),
    ],
    [
      "a search result",
      true,
      async (slug) => blockOf(slug, blocks(await text(`/search?q=${nameOf(slug)}`), "<li", "</li>")),
    ],
    [
      "a search suggestion",
      true,
      async (slug) => {
        const { results } = JSON.parse(await text(`/search.json?q=${nameOf(slug)}`)) as Found;
        return results.find(({ path }) => path === `/product/${slug}`)?.product?.note ?? "";
      },
    ],
    ["the Markdown page", false, (slug) => text(`/product/${slug}.md`)],
    [
      "the Markdown list",
      false,
      async (slug) => (await text("/shop.md")).split("\n").find((row) => row.includes(`/${slug}.md`)) ?? "",
    ],
    [
      "the catalog API",
      false,
      async (slug) => (JSON.parse(await text(`/api/products/${slug}`)) as { stockMessage: string }).stockMessage,
    ],
  ];

  describe.each(PRODUCTS)("%s", (slug, _columns, { words, note, schema, feed }) => {
    it.each(PLACES)("says so in %s", async (_place, isNote, read) => {
      const text = await read(slug);
      expect(text).toContain((isNote ? note : words) ?? "");
      expect(said(text)).toEqual(said((isNote ? note : words) ?? ""));
    });

    it("says so to programs", async () => {
      expect(await text(`/product/${slug}`)).toContain(`"availability":"https://schema.org/${schema}"`);
      const item = blocks(await text("/feeds/google.xml"), "<item>", "</item>").find((one) =>
        one?.includes(`>${slug}<`),
      );
      expect(item).toContain(`<g:availability>${feed}</g:availability>`);
      const { availability, shipsFrom } = JSON.parse(await text(`/api/products/${slug}`)) as Record<string, unknown>;
      expect([availability, shipsFrom]).toEqual([feed, feed === "preorder" ? "2100-01-12" : null]);
    });
  });

  it("the bar of a phone names the day of a pre-order only", async () => {
    const bar = async (slug: string) =>
      textOf(blocks(await text(`/product/${slug}`), '<div class="buy-bar', "<form")[0]);
    expect(await bar("polara-pro-midnight-black")).toContain(SHIPS);
    for (const [slug] of PRODUCTS.filter(([, , { feed }]) => feed !== "preorder")) {
      expect(said(await bar(slug))).toEqual(new Set());
    }
  });

  it("the comparison names what each model says", async () => {
    const table = textOf(
      blocks(await text("/product/polara-pro-midnight-black"), '<table class="w-full table-fixed', "</table>")[0],
    );
    expect(table).toMatch(new RegExp(`\\$99.00 .*\\$89.00 .* Availability ${SHIPS} .*In Stock`));
  });

  it("home says it beside Pre-Order, and for the chosen color", async () => {
    const hero = async () => textOf(blocks(await text("/"), ">Pre-Order<", "</section>")[0]);
    expect(await hero()).toContain("In stock in Earth Green and Frost White. Nothing to pay today.");
    const chosen = textOf(blocks(await text("/"), 'id="featured"', "</section>")[0]);
    expect(chosen).toContain(SHIPS);
    expect(chosen).not.toContain("In Stock");
    await database.pool.query("UPDATE products SET ships_from = '2100-01-12' WHERE slug LIKE 'polara-pro-%'");
    await expect.poll(hero).toContain(`${SHIPS}. `);
    expect(await hero()).not.toMatch(/in stock|nothing to pay/i);
  });

  it("cart, checkout, confirmation and the order's page keep the promise of the day of the order", async () => {
    const promise = `Pre-order, ships ${DAY}`;
    const guest = new Visitor(shop.url);
    await guest.add("polara-pro-midnight-black");
    await guest.add("travel-sleeve");
    const times = async (path: string) => textOf(await (await guest.fetch(path)).text()).split(promise).length - 1;
    // At checkout also above the summary, which a phone folds.
    expect([await times("/cart"), await times("/checkout")]).toEqual([1, 2]);
    const email = someEmail();
    expect((await guest.checkout({ email })).status).toBe(200);
    await database.pool.query("UPDATE products SET ships_from = NULL");
    const confirmation = await emailTo(shop.url, email, "Your Polara order");
    expect(confirmation.text.split(promise)).toHaveLength(2);
    const { pathname, search } = new URL(confirmation.links.find((link) => link.includes("?k="))!);
    await guest.fetch(pathname + search);
    expect(textOf(await (await guest.fetch(pathname)).text()).split(promise)).toHaveLength(2);
  });
});
