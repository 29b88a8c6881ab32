/** Every page as programs read it: valid HTML, metadata for search engines and link previews. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import type { Article, BlogPosting, Offer, Product } from "schema-dts";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { crawl, jsonLd, unescapeHtml, type Crawl, type Page } from "../support/crawl.ts";
import { productContent } from "#shop/catalog/product-content.ts";
import { testimonials } from "#shop/content/home.ts";
import { formatMoneyShort, decimalMoney } from "#shop/money.ts";
import { productPolicy, returnPolicy, shippingPolicy, warrantyPolicy } from "#shop/policies.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { deliveries } from "#shop/shipping/methods.ts";
import { adminPages, pages } from "../support/site-map.ts";
import { textOf } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { setUnits } from "../support/stock.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, visitor, database, actor, staff } = useShop({ PAYMENTS: "sandbox" });
let site: Crawl;
beforeAll(async () => {
  site = await crawl(shop.url);
});

const get = async (path: string) => (await visitor.fetch(path)).text();
const one = (html: string, pattern: RegExp) => unescapeHtml(pattern.exec(html)?.[1] ?? "");
const title = ({ html }: Page) => one(html, /<title>([^<]*)/);
const description = ({ html }: Page) => one(html, /<meta name="description" content="([^"]*)"/);
const canonical = ({ html }: Page) => one(html, /<link rel="canonical" href="([^"]*)"/);
const property = ({ html }: Page, name: string) => one(html, new RegExp(`property="${name}" content="([^"]*)"`));
const isNoindex = ({ html, headers }: Page) =>
  headers.get("X-Robots-Tag") === "noindex" || /<meta name="robots" content="noindex"/.test(html);

/** Pages that may be listed, each under its own address. */
const indexable = () =>
  [...site.pages.values()].filter((page) => !isNoindex(page) && canonical(page) === shop.url + page.path);

describe("the crawler", () => {
  it("finds no dead link, picture or anchor", () => {
    expect(site.dead).toEqual([]);
    expect(site.pages.size).toBeGreaterThan(40);
  });

  it("finds only indexable pages, variants of them, and noindex pages", () => {
    const listed = new Set(indexable().map((page) => shop.url + page.path));
    for (const page of site.pages.values())
      expect(isNoindex(page) || listed.has(canonical(page)), page.path).toBe(true);
  });
});

const judge = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:standard"] }));

/** Problems by page. */
async function faultsIn(documents: Iterable<[path: string, html: string]>): Promise<string[]> {
  const faults: string[] = [];
  for (const [path, html] of documents) {
    const { results } = await judge.validateString(html);
    for (const { ruleId, message, selector } of results.flatMap((result) => result.messages))
      faults.push(`${path}: ${ruleId}: ${message} (${selector})`);
  }
  return faults;
}

/** Pages of addresses that the site map has; those of things that are not there are left out. */
async function read(who: Visitor, paths: string[], things: Record<string, string> = {}) {
  const found: [string, string][] = [];
  for (const path of paths) {
    const address = path.replace("*", "none").replaceAll(/:\w+/g, (name) => things[name] ?? name);
    const answer = await who.fetch(address);
    const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
    if (isPage && !address.includes(":")) found.push([path, await answer.text()]);
  }
  return found;
}

const rendering = (addresses: typeof pages) => addresses.flatMap(({ path, rendersPage }) => (rendersPage ? path : []));

describe("the HTML of every page", () => {
  it("is valid for visitors", async () => {
    expect(await faultsIn([...site.pages].map(([path, { html }]) => [path, html]))).toEqual([]);
  });

  it("is valid for a customer", async () => {
    const { visitor, orderId } = await actor("customer");
    const tabs = ["orders", "wishlist", "settings"].map((tab) => `/account?tab=${tab}`);
    const found = await read(visitor, [...rendering(pages), ...tabs, "/auth?error=access_denied"], {
      ":orderId": orderId,
    });
    expect(found.length).toBeGreaterThan(25);
    expect(await faultsIn(found)).toEqual([]);
  });

  it("is valid in the back office", async () => {
    const { userId, orderId, productId } = await actor("customer");
    const { visitor, staffId } = await staff("owner");
    const things = { ":orderId": orderId, ":userId": userId ?? "", ":productId": productId, ":staffId": staffId };
    const found = await read(visitor, rendering(adminPages), { ...things, ":key": "home" });
    expect(found.length).toBeGreaterThan(25);
    expect(await faultsIn(found)).toEqual([]);
  });
});

describe("every indexable page", () => {
  it("has a unique title and description of suitable length", () => {
    const pages = indexable();
    for (const say of [title, description]) expect(new Set(pages.map(say)).size).toBe(pages.length);
    for (const page of pages) {
      expect(title(page), page.path).toMatch(/Polara/);
      expect(title(page).length, title(page)).toBeLessThanOrEqual(70);
      expect(description(page).length, page.path).toBeGreaterThanOrEqual(40);
      expect(description(page).length, page.path).toBeLessThanOrEqual(170);
      expect(page.html.match(/<h1/g), page.path).toHaveLength(1);
    }
  });

  it("has Open Graph data, with a picture of 1200 by 630", async () => {
    const pictures = new Set<string>();
    for (const page of indexable()) {
      expect(property(page, "og:title"), page.path).toBe(title(page));
      expect(property(page, "og:description"), page.path).toBe(description(page));
      expect(property(page, "og:url"), page.path).toBe(canonical(page));
      expect(property(page, "og:type"), page.path).toMatch(/^(website|article|product)$/);
      expect(page.html).toContain('name="twitter:card" content="summary_large_image"');
      pictures.add(property(page, "og:image"));
    }
    expect(pictures).toContain(`${shop.url}/images/og.jpg`);
    for (const picture of pictures) {
      const bytes = Buffer.from(await (await fetch(picture)).arrayBuffer());
      expect(await sharp(bytes).metadata(), picture).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
    }
  });

  it("is in the sitemap with its last change, and nothing else is", async () => {
    const xml = await get("/sitemap.xml");
    expect(XMLValidator.validate(xml)).toBe(true);
    const { urlset } = new XMLParser().parse(xml) as { urlset: { url: { loc: string; lastmod: string }[] } };
    expect(urlset.url.map(({ loc }) => loc).toSorted()).toEqual(indexable().map(canonical).toSorted());
    for (const { loc, lastmod } of urlset.url) {
      expect(lastmod, loc).toMatch(/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/);
      expect(Date.parse(lastmod), loc).toBeLessThanOrEqual(Date.now());
    }
  });
});

describe("the sitemap's dates", () => {
  const lastmod = async (path: string) =>
    new RegExp(`<loc>${shop.url}${path}</loc>\\s*<lastmod>([^<]+)`).exec(await get("/sitemap.xml"))?.[1] ?? "";

  it("change with an edit, not with a sale", async () => {
    const before = await lastmod("/product/travel-sleeve");
    await setUnits(database.pool, "travel-sleeve", 5);
    await expect.poll(() => get("/product/travel-sleeve.md")).toContain("Only 5 left");
    expect(await lastmod("/product/travel-sleeve")).toBe(before);
    await database.pool.query("UPDATE products SET name = 'Travel Sleeve II' WHERE slug = 'travel-sleeve'");
    await expect.poll(() => lastmod("/product/travel-sleeve")).not.toBe(before);
    expect(await lastmod("/shop")).toBe(await lastmod("/product/travel-sleeve"));
  });
});

/** Google's required properties by type; a dot is one level. */
const required: Record<string, readonly string[]> = {
  OnlineStore: ["name", "url", "logo", "email", "contactPoint.email"],
  WebSite: ["name", "url", "potentialAction.target.urlTemplate", "potentialAction.query-input"],
  WebPage: ["name", "url", "description", "dateModified"],
  AboutPage: ["name", "url", "description", "about"],
  BreadcrumbList: ["itemListElement"],
  ItemList: ["itemListElement"],
  FAQPage: ["mainEntity"],
  Blog: ["name", "url", "blogPost"],
  Article: [
    "headline",
    "image",
    "datePublished",
    "dateModified",
    "author.name",
    "publisher.name",
  ] satisfies Paths<Article>,
  BlogPosting: [
    "headline",
    "image",
    "datePublished",
    "dateModified",
    "author.name",
    "publisher.name",
    "articleSection",
  ] satisfies Paths<BlogPosting>,
  Product: ["name", "image", "description", "sku", "brand.name", "offers"] satisfies Paths<Product>,
};
const requiredOfOffer = [
  "url",
  "price",
  "priceCurrency",
  "availability",
  "itemCondition",
  "shippingDetails",
  "hasMerchantReturnPolicy.merchantReturnDays",
  "hasMerchantReturnPolicy.applicableCountry",
  "hasMerchantReturnPolicy.returnPolicyCategory",
  "hasMerchantReturnPolicy.returnMethod",
  "hasMerchantReturnPolicy.returnFees",
] satisfies Paths<Offer>;
/** Names of properties that schema.org knows, alone or before a dot. */
type Paths<T> = readonly (Keys<T> | `${Keys<T>}.${string}`)[];
type Keys<T> = T extends object ? Extract<keyof T, string> : never;

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

describe("structured data", () => {
  it("has the required properties of its type", () => {
    for (const page of indexable()) {
      const parts = jsonLd(page.html);
      expect(parts.length, page.path).toBeGreaterThan(1);
      for (const part of parts) {
        const type = String(part["@type"]);
        expect(required, type).toHaveProperty(type);
        for (const path of required[type] ?? []) {
          expect(at(part, path), `${page.path}: ${type}.${path}`).toBeTruthy();
        }
      }
    }
  });

  it.each([
    ["/", ["OnlineStore", "WebSite"]],
    ["/shop", ["ItemList", "BreadcrumbList"]],
    ["/product/polara-pro-earth-green", ["Product", "BreadcrumbList", "FAQPage"]],
    ["/how-it-works", ["WebPage", "BreadcrumbList"]],
    ["/science", ["Article", "BreadcrumbList"]],
    ["/about", ["AboutPage", "BreadcrumbList"]],
    ["/blog", ["Blog", "BreadcrumbList"]],
    ["/blog/what-one-apple-does-to-your-greens", ["BlogPosting", "BreadcrumbList"]],
    ["/support", ["FAQPage", "BreadcrumbList"]],
    ["/warranty", ["WebPage", "BreadcrumbList"]],
  ])("%s is %j", (path, types) => {
    expect(jsonLd(site.pages.get(path)?.html ?? "").map((part) => part["@type"])).toEqual(types);
  });

  it("breadcrumbs lead from home to the page", () => {
    for (const page of indexable().filter(({ path }) => path !== "/")) {
      const trail = jsonLd(page.html).find((part) => part["@type"] === "BreadcrumbList");
      const items = trail?.itemListElement as { position: number; item: string; name: string }[];
      expect(items.map(({ position }) => position)).toEqual(items.map((_, i) => i + 1));
      expect(items[0]).toMatchObject({ name: "Home", item: `${shop.url}/` });
      expect(items.at(-1)?.item).toBe(canonical(page));
      for (const { item } of items) expect(site.pages.has(item.slice(shop.url.length)), item).toBe(true);
    }
  });

  it("questions and answers match the page", () => {
    for (const path of ["/support", "/product/polara-classic-earth-green"]) {
      const { html = "" } = site.pages.get(path) ?? {};
      const shown = unescapeHtml(html.split("<main")[1]?.replace(/<[^>]+>/g, "") ?? "");
      const faq = jsonLd(html).find((part) => part["@type"] === "FAQPage");
      const questions = faq?.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
      expect(questions.length).toBeGreaterThanOrEqual(3);
      for (const { name, acceptedAnswer } of questions) {
        expect(shown).toContain(name);
        expect(shown.replace(/\s+/g, " ")).toContain(acceptedAnswer.text);
      }
    }
  });

  it("an offer has price, end, shipping and return window", () => {
    const offer = (slug: string) => {
      const product = jsonLd(site.pages.get(`/product/${slug}`)?.html ?? "").find(
        (part) => part["@type"] === "Product",
      );
      return product?.offers as Record<string, unknown>;
    };
    for (const { path } of indexable().filter((page) => page.path.startsWith("/product/")))
      for (const name of requiredOfOffer) expect(at(offer(path.split("/")[2] ?? ""), name), name).toBeTruthy();
    const early = offer("polara-pro-earth-green");
    expect(early).toMatchObject({
      price: "99.00",
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
      hasMerchantReturnPolicy: { merchantReturnDays: returnPolicy.returnDays, applicableCountry: "US" },
    });
    expect(Date.parse(String(early.priceValidUntil))).toBeGreaterThan(Date.now());
    const rates = (early.shippingDetails as { shippingRate: { value: string } }[]).map((one) => one.shippingRate.value);
    expect(rates).toEqual(deliveries(FIRST_SETTINGS.shipping, 99_00).map(({ priceCents }) => decimalMoney(priceCents)));
    const classic = offer("polara-classic-earth-green");
    expect(classic).toMatchObject({ price: "89.00", availability: "https://schema.org/OutOfStock" });
    expect(classic).not.toHaveProperty("priceValidUntil");
  });

  it("text is escaped in scripts, feeds and pages", async () => {
    const name = `</script><script>alert("1")</script> & <b>'x' |`;
    await database.pool.query("UPDATE products SET name = $1, short_description = $1 WHERE slug = 'produce-basket'", [
      name,
    ]);
    await expect.poll(() => get("/product/produce-basket")).not.toContain("Produce Basket");
    const response = await visitor.fetch("/product/produce-basket");
    const html = await response.text();
    expect(html).not.toContain("<script>alert");
    expect(jsonLd(html)[0]).toMatchObject({ "@type": "Product", name });
    // Data is no script: the policy allows by hash what runs, and nothing else.
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(/script-src ([^;]+)/.exec(policy)?.[1]).toMatch(/^'self'( 'sha256-[^']+')+$/);
    const feed = await get("/feeds/google.xml");
    expect(XMLValidator.validate(feed)).toBe(true);
    const { rss } = new XMLParser().parse(feed) as { rss: { channel: { item: Record<string, string>[] } } };
    expect(rss.channel.item.find((item) => item["g:id"] === "produce-basket")?.["g:title"]).toBe(name);
    expect(await get("/product/produce-basket.md")).toContain("# \\</script>");
  });
});

describe("numbers in marketing texts", () => {
  const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const number = (text: string) =>
    words.includes(text.toLowerCase()) ? words.indexOf(text.toLowerCase()) : Number(text);
  const amount = `(?:\\d+(?:\\.\\d+)?|${words.join("|")})`;
  const span = new RegExp(
    `(?<![:\\d])\\b(${amount}(?:(?:-| to |–)${amount})?)[- ](business day|day|hour|month|year|degree)s?\\b`,
    "gi",
  );
  const money = /\$(\d[\d,]*\b)(?=\+| or more| for free)|(?:from|over) \$(\d[\d,]*\b)/gi;

  const promised: Record<string, readonly (number | string)[]> = {
    "business day": [
      warrantyPolicy.repairBusinessDays,
      ...deliveries(FIRST_SETTINGS.shipping, 0).map(({ businessDays }) => businessDays),
    ].map(({ min, max }) => (min === max ? min : `${min}-${max}`)),
    day: [returnPolicy.returnDays],
    hour: [productPolicy.batteryHours, productPolicy.chargeHours],
    month: [productPolicy.filterMonths],
    year: [warrantyPolicy.warrantyYears, warrantyPolicy.partsWarrantyYears],
    degree: [productPolicy.temperatureToleranceF],
  };

  it("match the policies", async () => {
    const { rows } = await database.pool.query<{ text: string }>(
      "SELECT unnest(ARRAY[description, short_description]) AS text FROM products",
    );
    const { rows: prices } = await database.pool.query<{ cents: number }>(
      "SELECT DISTINCT price AS cents FROM products",
    );
    const isPrice = (dollars: string) => prices.some(({ cents }) => cents === Number(dollars) * 100);
    const found = new Set<string>();
    for (const page of site.pages.values()) {
      // Posts and science speak of produce, legal pages have a test of their own.
      if (/^\/(blog\/|science|privacy|terms|warranty|mailbox)/.test(page.path)) continue;
      const own = page.html
        .replace(/<head>[\s\S]*<\/head>/, description(page))
        // Home's section about its chart has a test of its own.
        .replace(/<section[^>]*"shelf-life"[\s\S]*?<\/section>/, " ")
        // Reviews, charts, product texts and clocks are no promises of the shop.
        .replace(
          /<(script|article|blockquote|figure|table|dl|time)\b[\s\S]*?<\/\1>|<div role="timer"[\s\S]*?<\/div>/g,
          " ",
        );
      let text = unescapeHtml(own.replace(/<[^>]+>/g, " ")).replace(/\s+/g, " ");
      for (const row of rows) text = text.replaceAll(row.text, " ");
      for (const [said, figure = "", unit = ""] of text.matchAll(span)) {
        const value = /-| to |–/.test(figure) ? figure.replace(/ to |–/, "-") : number(figure);
        expect(promised[unit.toLowerCase()], `${page.path} says ${said}`).toContain(value);
        found.add(unit.toLowerCase());
      }
      for (const [said, a, b = ""] of text.matchAll(money)) {
        if (isPrice(b)) continue;
        expect(`$${a ?? b}`, `${page.path} says ${said}`).toBe(formatMoneyShort(shippingPolicy.freeFromCents));
        found.add("$");
      }
    }
    expect([...found].toSorted()).toEqual(["$", "business day", "day", "degree", "hour", "month", "year"]);
  });
});

describe("personal pages", () => {
  const paths = ["/cart", "/checkout", "/search", "/mailbox", "/auth", "/account", "/reset-password", "/personal"];
  it.each(paths)("%s is noindex", async (path) => {
    expect((await visitor.fetch(path)).headers.get("X-Robots-Tag")).toBe("noindex");
  });

  it.each(["/cart", "/checkout", "/mailbox"])(
    "%s is noindex in the document too, without a canonical link",
    async (path) => {
      const html = await get(path);
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).not.toContain('rel="canonical"');
    },
  );

  it("robots may crawl everything else, and find the sitemap", async () => {
    const response = await visitor.fetch("/robots.txt");
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
    const closed = [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = ""]) => path);
    for (const page of indexable()) for (const path of closed) expect(page.path.startsWith(path)).toBe(false);
  });
});

describe("the web manifest", () => {
  it("names the shop, and its icons have the declared sizes", async () => {
    const response = await visitor.fetch("/site.webmanifest");
    expect(response.headers.get("Content-Type")).toMatch(/^application\/manifest\+json/);
    const manifest = (await response.json()) as { name: string; icons: { src: string; sizes: string }[] };
    expect(manifest.name).toBe("Polara");
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
    for (const { src, sizes } of manifest.icons) {
      const { width, height } = await sharp(Buffer.from(await (await visitor.fetch(src)).arrayBuffer())).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    for (const page of site.pages.values()) expect(page.html).toContain('rel="manifest" href="/site.webmanifest"');
  });
});

describe("unknown addresses", () => {
  it.each([
    "/nope",
    "/no/such/page",
    "/product",
    "/product/a/b",
    "/blog/a/b",
    "/nope.md",
    "/blog/nope.md",
    "/%E0%A4%A",
    "/a%2Fb",
    "/ünïcode/🥬",
    `/${"x".repeat(2000)}`,
  ])("%s is a 404 with a link home", async (path) => {
    const response = await visitor.fetch(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control") ?? "").not.toContain("public");
    const html = await response.text();
    expect(html).toContain("Oops! Page not found");
    expect(html).toMatch(/<a[^>]*href="\/"[^>]*>Return to Home<\/a>/);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it.each(["/product/nope", "/product/nope.md", "/product/UPPER"])(
    "%s is a 404 with a link to the shop",
    async (path) => {
      const response = await visitor.fetch(path);
      expect(response.status).toBe(404);
      const html = (await response.text()).replaceAll("&#x27;", "'");
      const words = ["Product Not Found", "Sorry, we couldn't find the product you're looking for.", "Return to Shop"];
      for (const each of words) expect(html).toContain(each);
    },
  );
});

describe("what is invented", () => {
  const live = useShop({
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_claims",
    STRIPE_API_URL: "http://127.0.0.1:9",
  });
  let liveSite: Crawl;
  const written = {} as Record<"trial" | "live", string>;

  /** Every public page, its Markdown, and what programs read. */
  async function readAll(reader: Visitor, { pages: read }: Crawl): Promise<string> {
    const pages = [...read.values()].map(({ html }) => html);
    const texts = [...read.keys()].filter((path) => /^\/[a-z/-]+$/.test(path)).map((path) => `${path}.md`);
    const files = ["/llms.txt", "/feeds/google.xml", "/api/products", "/search.json?q=household+waste", ...texts];
    const told = await Promise.all(files.map(async (path) => (await reader.fetch(path)).text()));
    return [...pages, ...told].join("\n").replaceAll("<!-- -->", "");
  }
  beforeAll(async () => {
    liveSite = await crawl(live.shop.url);
    written.trial = await readAll(visitor, site);
    written.live = await readAll(live.visitor, liveSite);
  });

  const { reviews } = productContent({ slug: "a-bowl", category: "Pro", specs: {} } as never, policyWords());
  it.each([
    ..."of 5 stars|out of 5 stars|2,340|sample|20,000|20K|45% less|>45%<|45 percent|lasts three times".split("|"),
    ...testimonials.map(({ content }) => content),
    ...(reviews ?? []).map(({ title }) => title),
  ])("is nowhere in a shop with real payments: %s", (words) => {
    // A random key may spell the shortest of them.
    const says = words === "20K" ? /\b20K\b/ : { test: (pages: string) => pages.includes(words) };
    // Without the pages in a failure's message.
    expect([says.test(written.trial), says.test(written.live)]).toEqual([true, false]);
  });

  it("leaves no hole there: no empty tab, no dead link, the same pages", () => {
    expect(liveSite.dead).toEqual([]);
    const paths = ({ pages }: Crawl) => [...pages.keys()].toSorted();
    expect(paths(liveSite)).toEqual(paths(site));
    expect(/No reviews yet|#reviews/.exec(written.live)).toBeNull();
  });

  it("is in no structured data", () => {
    for (const { pages } of [site, liveSite])
      for (const { path, html } of pages.values())
        expect(JSON.stringify(jsonLd(html)), path).not.toMatch(/rating|review/i);
  });

  it("is no promise of an arrival: that is on home, a product's page and the cart once an order can be paid", async () => {
    const buyer = new Visitor(live.shop.url);
    await buyer.add("polara-classic-frost-white");
    for (const path of ["/", "/product/polara-classic-frost-white", "/cart"]) {
      const main = textOf(/<main\b[^]*<\/main>/.exec(await (await buyer.fetch(path)).text())?.[0]);
      expect([main.includes("Nothing to pay today"), main.includes("Arrives in")], path).toEqual([false, true]);
    }
  });

  it("is no percentage: what is left is the humidity of the Pro, or has its source in the text", () => {
    const withSources = (path: string) => path.startsWith("/blog/") || path === "/science";
    const left = [...liveSite.pages.values()]
      .filter(({ path }) => !withSources(path))
      .flatMap(({ html }) => [
        ...html.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ").matchAll(/[\d.–-]+ ?(?:%|percent)/g),
      ]);
    expect([...new Set(left.map(String))].toSorted()).toEqual(["70–95%", "95%"]);
  });
});
