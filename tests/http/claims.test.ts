/** Claims about a page's products are true. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { productContent } from "#shop/catalog/product-content.ts";
import { testimonials } from "#shop/content/home.ts";
import { warrantyPolicy } from "#shop/policies.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { crawl, jsonLd, type Crawl } from "../support/crawl.ts";
import { textOf } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, visitor, database } = useShop();
const mainOf = async (path: string, who = visitor) => {
  const html = await (await who.fetch(path)).text();
  const [, main = ""] = /<main\b[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
  return textOf(main);
};
const { warrantyYears, partsWarrantyYears } = warrantyPolicy;
const BOWLS = ["polara-pro-earth-green", "polara-classic-frost-white"];
const ACCESSORIES = ["ethylene-filter-2-pack", "charging-dock", "travel-sleeve", "lid-gasket-set"];

describe("a warranty in the cart", () => {
  it.each([
    ["charging-dock", null],
    ["travel-sleeve", null],
    ["ethylene-filter-2-pack", null],
    ["lid-gasket-set", partsWarrantyYears],
    ["polara-pro-midnight-black", warrantyYears],
    ["polara-classic-frost-white", warrantyYears],
  ])("of %s is %s years", async (slug, years) => {
    const buyer = new Visitor(shop.url);
    await buyer.add(slug);
    const cart = await mainOf("/cart", buyer);
    expect(cart).toContain("Order Summary");
    expect(cart.match(/\d+-Year Warranty/g) ?? []).toEqual(years === null ? [] : [`${years}-Year Warranty`]);
  });

  it("is shown at the right line", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("charging-dock");
    await buyer.add("polara-classic-frost-white");
    const cart = await mainOf("/cart", buyer);
    expect(cart).toMatch(new RegExp(`Polara Classic Frost White [^.]*\\$89\\.00 ${warrantyYears}-Year Warranty`));
    expect(cart.match(/Warranty/g)).toHaveLength(1);
  });
});

describe("the sample reviews", () => {
  it.each(BOWLS)("of %s are labeled as samples, also at the rating", async (slug) => {
    const page = await mainOf(`/product/${slug}`);
    expect(page).toContain("4.9 of 5 stars, 2,340 sample reviews");
    expect(page).toContain("Ratings and reviews are samples until we have real ones from customers.");
    expect(page).toContain("Raspberries on day eight");
  });

  it("are only on their models", async () => {
    expect(await mainOf("/product/polara-pro-earth-green")).toContain("Herbs, of all things");
    // It speaks of the humidity that only the Pro controls.
    expect(await mainOf("/product/polara-classic-frost-white")).not.toContain("Herbs, of all things");
  });

  it.each(ACCESSORIES)("are not on %s", async (slug) => {
    const page = await mainOf(`/product/${slug}`);
    expect(page).toContain("No reviews yet.");
    for (const claim of ["4.9", "2,340", "Raspberries on day eight", "of 5 stars"]) expect(page).not.toContain(claim);
  });

  it.each([...BOWLS, ...ACCESSORIES])("are in no structured data of %s", async (slug) => {
    const data = JSON.stringify(jsonLd(await (await visitor.fetch(`/product/${slug}`)).text()));
    expect(data).toContain('"@type":"Product"');
    expect(data).not.toMatch(/rating|review/i);
  });
});

describe("what is invented", () => {
  const live = useShop({
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_claims",
    STRIPE_API_URL: "http://127.0.0.1:9",
  });
  const sites = {} as Record<"trial" | "live", Crawl>;
  const written = {} as Record<"trial" | "live", string>;

  /** Every public page, its Markdown, and what programs read. */
  async function readAll({ visitor: reader }: Pick<typeof live, "visitor">, site: Crawl): Promise<string> {
    const pages = [...site.pages.values()].map(({ html }) => html);
    const texts = [...site.pages.keys()].filter((path) => /^\/[a-z/-]+$/.test(path)).map((path) => `${path}.md`);
    const files = ["/llms.txt", "/feeds/google.xml", "/api/products", "/search.json?q=household+waste", ...texts];
    const read = await Promise.all(files.map(async (path) => (await reader.fetch(path)).text()));
    return [...pages, ...read].join("\n").replaceAll("<!-- -->", "");
  }
  beforeAll(async () => {
    sites.trial = await crawl(shop.url);
    sites.live = await crawl(live.shop.url);
    written.trial = await readAll({ visitor }, sites.trial);
    written.live = await readAll(live, sites.live);
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
    expect(sites.live.dead).toEqual([]);
    const paths = ({ pages }: Crawl) => [...pages.keys()].toSorted();
    expect(paths(sites.live)).toEqual(paths(sites.trial));
    expect(/No reviews yet|#reviews/.exec(written.live)).toBeNull();
  });

  it("is in no structured data", () => {
    for (const { pages } of Object.values(sites))
      for (const { path, html } of pages.values())
        expect(JSON.stringify(jsonLd(html)), path).not.toMatch(/rating|review/i);
  });

  it("is no day of arrival on home, a product's page and the cart, until an order can be paid", async () => {
    const heroOf = ({ pages }: Crawl) => textOf(/<main\b[\s\S]*?<\/section>/.exec(pages.get("/")!.html)![0]);
    expect(heroOf(sites.trial)).toContain("In stock. Nothing to pay today. 30-day returns.");
    expect(heroOf(sites.live)).toContain("In stock. Arrives in 5-7 business days. 30-day returns.");
    const buyers = { trial: new Visitor(shop.url), live: new Visitor(live.shop.url) };
    for (const buyer of Object.values(buyers)) await buyer.add("polara-classic-frost-white");
    for (const path of ["/product/polara-classic-frost-white", "/cart"]) {
      const [trial, paid] = [await mainOf(path, buyers.trial), await mainOf(path, buyers.live)];
      expect([trial.includes("Nothing to pay today"), trial.includes("Arrives in")], path).toEqual([true, false]);
      expect([paid.includes("Nothing to pay today"), paid.includes("Arrives in")], path).toEqual([false, true]);
    }
  });

  it("is no percentage: what is left is the humidity of the Pro, or has its source in the text", () => {
    const withSources = (path: string) => path.startsWith("/blog/") || path === "/science";
    const left = [...sites.live.pages.values()]
      .filter(({ path }) => !withSources(path))
      .flatMap(({ html }) => [
        ...html.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, " ").matchAll(/[\d.–-]+ ?(?:%|percent)/g),
      ]);
    expect([...new Set(left.map(String))].toSorted()).toEqual(["70–95%", "95%"]);
  });
});

describe("links to the brand's social profiles", () => {
  it("exist only for existing profiles", async () => {
    const html = await (await visitor.fetch("/")).text();
    const [footer = ""] = /<footer[\s\S]*<\/footer>/.exec(html) ?? [];
    for (const name of ["Instagram", "YouTube", "Pinterest"]) expect(footer).toContain(name);
    const addresses = [...footer.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
    expect(addresses.length).toBeGreaterThan(8);
    const elsewhere = addresses.filter((href) => !/^\/(?!\/)/.test(href));
    expect(elsewhere).toEqual([]);
    const url = "https://www.youtube.com/@polara";
    await database.db
      .insert(settingsVersions)
      .values({ section: "social", value: { youtube: url }, effectiveOn: "2020-01-01", staffId: randomUUID() });
    await expect.poll(async () => (await visitor.fetch("/")).text()).toContain(`href="${url}"`);
    expect(JSON.stringify(jsonLd(await (await visitor.fetch("/")).text()))).toContain(`"sameAs":["${url}"]`);
  });
});
