/** Pages as every visitor gets them: caching, headers, and no more of the products than a page shows. */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fixedPages } from "#shop/pages.ts";
import { policy, warrantyPolicy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { jsonLd } from "../support/crawl.ts";
import { pageData, textOf } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const ADDRESSES = { supportEmail: "help@own.example", ordersEmail: "sales@own.example" };
const { shop, visitor, database, actor, staff } = useShop();

const page = async (path: string) => (await visitor.fetch(path)).text();
const posts = readdirSync("shop/content/posts").map((file) => {
  const text = readFileSync(`shop/content/posts/${file}`, "utf8");
  const [sentence = ""] = /(?<=\n)[A-Z][A-Za-z ,]{25,}/.exec(text.split("\n---\n")[1] ?? "") ?? [];
  return { path: `/blog/${file.replace(".mdx", "")}`, date: /^date: (.+)$/m.exec(text)?.[1] ?? "", sentence };
});
const [lead] = posts.toSorted((a, b) => b.date.localeCompare(a.date)) as [(typeof posts)[number]];
const LEAD = lead.path;

it.each([
  "/shop?color=Pink&category=<script>&minPrice=abc&maxPrice=-5&sort=worst&availability=never",
  "/product/polara-pro-earth-green?utm_source=x&y[]=%",
])("%s ignores unknown parameters", async (path) => {
  expect((await visitor.fetch(path)).status).toBe(200);
});

describe("caching", () => {
  const listings = ["/", "/shop", "/shop?category=Pro", "/product/polara-pro-earth-green"];
  const publicPages = [...new Set([...listings, ...fixedPages.map(({ path }) => path), LEAD])];

  it.each(publicPages)("%s is public, with an ETag, and sets no cookie", async (path) => {
    const response = await visitor.fetch(path);
    expect(response.headers.get("Cache-Control")).toMatch(
      /^public, max-age=0, s-maxage=\d+, stale-while-revalidate=\d+$/,
    );
    expect(response.headers.get("Set-Cookie")).toBeNull();
    const etag = response.headers.get("ETag") ?? "";
    expect(etag).not.toBe("");
    expect((await visitor.fetch(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const data = path === "/" ? "/_.data" : path.replace(/(?=\?|$)/, ".data");
    expect((await visitor.fetch(data)).status).toBe(200);
  });

  const PRO = "polara-pro-earth-green";
  it.each([
    [`/product/${PRO}`, PRO],
    [`/product/${PRO}`, "polara-classic-earth-green"],
    [`/product/${PRO}`, "ethylene-filter-2-pack"],
  ])("%s is cached no longer than the early-bird price of %s", async (path, slug) => {
    const secondsFresh = async () =>
      Number(/s-maxage=(\d+)/.exec((await visitor.fetch(path)).headers.get("Cache-Control") ?? "")?.[1]);
    const { rows } = await database.pool.query(
      "SELECT early_bird_price AS price, early_bird_end_date AS ends FROM products WHERE slug = $1",
      [slug],
    );
    const setEarlyBird = (price: unknown, ends: unknown) =>
      database.pool.query("UPDATE products SET early_bird_price = $2, early_bird_end_date = $3 WHERE slug = $1", [
        slug,
        price,
        ends,
      ]);
    await setEarlyBird(1_00, new Date(Date.now() + 40_000));
    await expect.poll(secondsFresh).toBeLessThanOrEqual(40);
    await setEarlyBird(rows[0].price, rows[0].ends);
    await expect.poll(secondsFresh).toBe(60);
  });

  it.each(listings)("%s is the same for a guest with a full cart", async (path) => {
    const guest = new Visitor(shop.url);
    await guest.add("travel-sleeve", 3);
    const mine = await (await guest.fetch(path)).text();
    expect(mine).toBe(await (await new Visitor(shop.url).fetch(path)).text());
  });

  it.each(["/checkout", "/personal", "/mailbox", "/mailbox.json", "/reset-password?token=spent", "/orders/claim"])(
    "%s is private",
    async (path) => {
      expect((await visitor.fetch(path)).headers.get("Cache-Control")).toBe("private, no-store");
    },
  );

  it.each(["/cart", "/search?q=filter", "/auth", "/reset-password", "/orders/find", "/support?order=8f3a61c2"])(
    "%s is cached by its browser alone, for going back",
    async (path) => {
      expect((await visitor.fetch(path)).headers.get("Cache-Control")).toBe("private, no-cache");
    },
  );

  it.each(["/%73h%6Fp", "//shop"])("%s leads to the one spelling that is cached", async (path) => {
    expect((await visitor.fetch(path)).headers.get("Location")).toBe("/shop");
  });

  it("an unknown product is not cached", async () => {
    expect((await visitor.fetch("/product/nope")).headers.get("Cache-Control") ?? "").not.toContain("public");
  });

  it("pictures may be embedded by emails on other origins, pages may not", async () => {
    const policy = async (path: string) => (await visitor.fetch(path)).headers.get("Cross-Origin-Resource-Policy");
    expect(await policy("/images/mail-wordmark.png")).toBe("cross-origin");
    expect(await policy("/")).toBe("same-origin");
  });

  it("script files are immutable and compressed", async () => {
    const html = await (await visitor.fetch("/")).text();
    const script = /\/assets\/[^"]+\.js/.exec(html)?.[0] ?? "";
    const response = await visitor.fetch(script, { headers: { "Accept-Encoding": "br" } });
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("Content-Encoding")).toBe("br");
  });
});

describe("headers", () => {
  it.each(["/", "/shop?color=Earth+Green", "/product/polara-classic-frost-white"])(
    "%s has the same ones from the cache as when it was rendered",
    async (path) => {
      const headers = async (more: Record<string, string> = {}) => {
        const response = await visitor.fetch(path, { headers: { "Accept-Encoding": "br", ...more } });
        await response.arrayBuffer();
        return Object.fromEntries([...response.headers].filter(([name]) => name !== "date"));
      };
      const made = await headers();
      expect(Object.keys(made)).toEqual(expect.arrayContaining(["content-security-policy", "x-frame-options", "etag"]));
      expect(made.vary).toBe("Accept-Encoding");
      expect(await headers()).toEqual(made);
      const { "content-length": _, "content-encoding": __, ...known } = made;
      expect(await headers({ "If-None-Match": made.etag ?? "" })).toEqual(known);
    },
  );

  it("an uncached page is compressed too", async () => {
    const response = await visitor.fetch("/product/nope", { headers: { "Accept-Encoding": "br" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Encoding")).toBe("br");
    expect(await response.text()).toContain("Product Not Found");
  });

  it.each(["/", "/shop", "/product/travel-sleeve", "/blog", "/cart", "/auth", "/no/such/page"])(
    "%s loads only from the shop, and allows its own scripts by hash",
    async (path) => {
      const response = await visitor.fetch(path);
      const html = await response.text();
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      const sources = policy.split(";").flatMap((directive) => directive.trim().split(" ").slice(1));
      const ours = /^('self'|'none'|data:|'sha256-[^']+'|'unsafe-inline')$/;
      expect(sources.filter((source) => !ours.test(source) && source !== "")).toEqual([]);
      expect(/script-src ([^;]+)/.exec(policy)?.[1]).not.toContain("unsafe");
      const allowed = /script-src 'self'((?: 'sha256-[^']+')+)(?:;|$)/.exec(policy)?.[1]?.trim().split(" ");
      const scripts = [...html.matchAll(/<script(?![^>]*(?:src=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
      );
      expect(scripts.length).toBeGreaterThan(1);
      expect(allowed).toEqual(expect.arrayContaining(scripts));
      expect(`${html}${JSON.stringify([...response.headers])}`).not.toMatch(/\bnonce\b/);
      expect(response.headers.get("X-Frame-Options")).toBe("DENY");
    },
  );
});

type Sent = Record<string, unknown>;
/** Loader data by route. */
type PageSent = {
  products: Sent[];
  classics: Sent[];
  related: Sent[];
  goesWith: Sent[];
  models: Sent[];
  addOn: Sent;
  colors: Sent[];
  product: Sent;
  results: { product: Sent | null }[];
  content: { products: Sent[] };
  cart: { lines: Sent[] };
};
const routeData = async (path: string, who = visitor) => {
  const all = await pageData(await who.fetch(path));
  return Object.assign({}, ...Object.values(all).map(({ data }) => data)) as PageSent;
};
const fields = (record: Sent) => Object.keys(record).toSorted();
const words = (text: string) => text.split(" ").toSorted();

const PRICE = "compareAtPriceCents earlyBirdEndDate earlyBirdPriceCents priceCents";
const NAMED = "id slug name colorVariant colorHex";
const CARD = `${NAMED} ${PRICE} lastDay daysLeft isInStock stockMessage note category pictures`;
const DETAILS = "description invitedMessage isRetired isWaitlistFirst pictureAlts shipDay shortDescription specs";
const BOWL = "/product/polara-pro-earth-green.data";
const foundIn = ({ results }: PageSent) => results.flatMap(({ product }) => (product ? [product] : []));
const COMPARED = `${NAMED} ${PRICE} lastDay daysLeft isInStock stockMessage category specs picture`;

describe("product data sent to the browser", () => {
  it.each<[what: string, least: number, path: string, pick: (sent: PageSent) => Sent[], fields: string]>([
    ["a card in the shop", 10, "/shop.data", ({ products }) => products, `${CARD} colors`],
    [
      "the colors of its model",
      3,
      "/shop.data",
      ({ products }) => products[0]!.colors as Sent[],
      "slug colorVariant colorHex",
    ],
    ["a featured product", 3, "/_.data", ({ products }) => products, `${COMPARED} shortDescription`],
    ["the comparison on home", 2, "/_.data", ({ classics }) => classics, COMPARED],
    // A new field belongs here if shoppers see it, else not in shown-product.ts. There is no stock count, and no date.
    ["a product's own page", 1, BOWL, ({ product }) => [product], `${CARD} ${DETAILS}`],
    ["the cards beside it", 4, BOWL, ({ related, goesWith }) => [...related, ...goesWith], CARD],
    ["the one that goes with it", 1, BOWL, ({ addOn }) => [addOn], `${CARD} freeFromCents shortDescription`],
    ["the models it is compared with", 2, BOWL, ({ models }) => models, COMPARED],
    ["its colors", 2, BOWL, ({ colors }) => colors, "slug colorVariant colorHex"],
    ["a search result", 3, "/search.data?q=polara", foundIn, `inStock note thumbnail ${PRICE}`],
  ])("is what shoppers see: %s", async (_what, least, path, pick, sent) => {
    const found = pick(await routeData(path));
    expect(found.length).toBeGreaterThanOrEqual(least);
    for (const product of found) expect(fields(product)).toEqual(words(sent));
  });

  it("has at most two pictures of each product in the shop, and all on its page", async () => {
    const { products } = await routeData("/shop.data");
    for (const { pictures } of products) expect((pictures as string[]).length).toBeLessThanOrEqual(2);
    const { product, related } = await routeData(BOWL);
    expect((product.pictures as string[]).length).toBeGreaterThan(2);
    expect(related.length).toBeGreaterThan(0);
  });

  it("has the fields of a card on a wishlist, and those of a cart line", async () => {
    const { visitor: customer } = await actor("customer");
    const { content } = await routeData("/account.data?tab=wishlist", customer);
    expect(content.products.map(fields)).toEqual([words(CARD)]);
    const { cart } = await routeData("/cart.data", customer);
    const line = "id productId slug name colorVariant colorHex thumbnail quantity maxQuantity unitPriceCents preOrder";
    expect(cart.lines.map(fields)).toEqual([words(`${line} shipsFrom warrantyYears`)]);
  });
});

describe("content pages", () => {
  it("an unknown post shows the lead post with its canonical link, uncached", async () => {
    const response = await visitor.fetch("/blog/no-such-post");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(await response.text()).toContain(`rel="canonical" href="${shop.url}${LEAD}"`);
  });

  it("the blog links to every post, each with a date, a reading time and related products", async () => {
    const html = await page("/blog");
    const posts = new Set([...html.matchAll(/href="(\/blog\/[^"]+)"/g)].map(([, href = ""]) => href));
    expect(posts.size).toBe(readdirSync("shop/content/posts").length);
    for (const path of posts) {
      const post = await page(path);
      expect(post).toMatch(/<time dateTime="\d{4}-\d\d-\d\d">/i);
      expect(post).toMatch(/\d(<!-- -->)? min read/);
      expect(post.match(/href="\/product\//g)?.length).toBe(3);
    }
  });

  it.each([
    ["/privacy", 13],
    ["/terms", 19],
    ["/warranty", 18],
  ])("%s has %i anchored sections, each in its table of contents, and its dates", async (path, count) => {
    const html = await page(path);
    const sections = [...html.matchAll(/<section id="([^"]+)" aria-labelledby/g)].map(([, id]) => id);
    expect(sections).toHaveLength(count);
    for (const id of sections) expect(html).toMatch(new RegExp(`href="(${path})?#${id}"`));
    const [, updated = policy.effectiveDate] =
      /^updated: (.+)$/m.exec(readFileSync(`shop/content/legal${path}.mdx`, "utf8")) ?? [];
    expect(html).toContain(`Effective date: ${dayText(updated)}`);
    expect(html).toContain(`Last updated: ${dayText(updated)}`);
    expect(html).toContain('href="/support"');
  });

  it("keep their text out of scripts", async () => {
    for (const [path, words] of [
      ["/terms", "American Arbitration Association"],
      [LEAD, lead.sentence],
    ] as const) {
      const html = await page(path);
      expect(html).toContain(words);
      const scripts = [...html.matchAll(/\/assets\/[^"]+\.js/g)].map(String);
      for (const script of new Set(scripts)) expect(await page(script)).not.toContain(words);
    }
  });
});

describe("the addresses of the settings", () => {
  beforeAll(async () => {
    await database.db.insert(settingsVersions).values({
      section: "contact",
      value: ADDRESSES,
      effectiveOn: "2020-01-01",
      staffId: randomUUID(),
    });
    await vi.waitFor(async () => expect(await page("/support")).toContain(ADDRESSES.supportEmail), 5_000);
  });

  it.each(["/", "/privacy", "/terms", "/warranty", "/support", "/warranty.md", "/support.md", "/api/openapi.json"])(
    "%s has the support address",
    async (path) => {
      const text = await page(path);
      expect(text).toContain(ADDRESSES.supportEmail);
      expect(text).not.toContain("@polara.example");
    },
  );

  it("receipts have the orders address, packing slips that of support", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    await buyer.checkout();
    const [{ id }] = (await database.pool.query("SELECT id FROM orders ORDER BY created_at DESC LIMIT 1")).rows;
    expect(await (await buyer.fetch(`/orders/${id}/receipt`)).text()).toContain(ADDRESSES.ordersEmail);
    const packer = await staff("packer");
    const slips = await packer.visitor.fetch(`/admin/orders/slips?ids=${id}`);
    expect(await slips.text()).toContain(ADDRESSES.supportEmail);
  });
});

describe("the contact form", () => {
  const fields = { name: "Ada Lovelace", email: "contact@example.com", message: "Does it fit a melon?" };
  const count = async () => Number((await database.pool.query("SELECT count(*) FROM contact_messages")).rows[0].count);

  it("shows errors beside fields, and preserves what was typed", async () => {
    const before = await count();
    const response = await visitor.post("/support", { name: " ", email: "not <an> address", message: "Typed & kept" });
    expect(response.status).toBe(400);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const html = await response.text();
    for (const [field, message] of [
      ["name", "Name is required"],
      ["email", "Please enter a valid email address"],
    ])
      expect(html).toMatch(new RegExp(`id="contact-form-${field}-error"[^>]*>${message}`));
    expect(html).toContain('value="not &lt;an&gt; address"');
    expect(html).toContain("Typed &amp; kept</textarea>");
    expect(await count()).toBe(before);
  });

  it("confirms to a program that filled the honeypot, and stores nothing", async () => {
    const before = await count();
    const honeypot = /<input[^>]*tabindex="-1"[^>]*name="([^"]+)"/i.exec(await page("/support"))?.[1] ?? "";
    expect(honeypot).not.toBe("");
    const response = await visitor.post("/support", { ...fields, message: "Buy now", [honeypot]: "x" });
    expect(await response.text()).toContain("Message sent");
    expect(await count()).toBe(before);
  });
});

const mainOf = async (path: string, who = visitor) => {
  const html = await (await who.fetch(path)).text();
  const [, main = ""] = /<main\b[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
  return textOf(main);
};
const { warrantyYears } = warrantyPolicy;
const BOWLS = ["polara-pro-earth-green", "polara-classic-frost-white"];
const ACCESSORIES = ["ethylene-filter-2-pack", "charging-dock", "travel-sleeve", "lid-gasket-set"];

describe("a warranty in the cart", () => {
  it("is shown at the right line", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("charging-dock");
    await buyer.add("polara-classic-frost-white");
    const cart = await mainOf("/cart", buyer);
    expect(cart).toMatch(new RegExp(`Polara Classic Frost White [^.]*\\$89\\.00 ${warrantyYears}-Year Warranty`));
    expect(cart.match(/Warranty/g)).toHaveLength(1);
  });
});

it("no day of arrival is promised until an order can be paid", async () => {
  expect(await mainOf("/")).toContain("In stock. Nothing to pay today. 30-day returns.");
  const buyer = new Visitor(shop.url);
  await buyer.add("polara-classic-frost-white");
  for (const path of ["/product/polara-classic-frost-white", "/cart"]) {
    const main = await mainOf(path, buyer);
    expect([main.includes("Nothing to pay today"), main.includes("Arrives in")], path).toEqual([true, false]);
  }
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
