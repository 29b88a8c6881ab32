/** Pages as every visitor gets them: caching, headers, and no more of the products than a page shows. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pageData } from "../support/page-data.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, visitor, actor } = useShop();

it.each([
  "/shop?color=Pink&category=<script>&minPrice=abc&maxPrice=-5&sort=worst&availability=never",
  "/product/polara-pro-earth-green?utm_source=x&y[]=%",
])("%s ignores unknown parameters", async (path) => {
  expect((await visitor.fetch(path)).status).toBe(200);
});

describe("caching", () => {
  const publicPages = ["/", "/shop", "/shop?category=Pro", "/product/polara-pro-earth-green"];

  it.each(publicPages)("%s is public, with an ETag, and sets no cookie", async (path) => {
    const response = await visitor.fetch(path);
    expect(response.headers.get("Cache-Control")).toMatch(
      /^public, max-age=0, s-maxage=\d+, stale-while-revalidate=\d+$/,
    );
    expect(response.headers.get("Set-Cookie")).toBeNull();
    const etag = response.headers.get("ETag") ?? "";
    expect(etag).not.toBe("");
    expect((await visitor.fetch(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  it.each(publicPages)("%s is the same for a guest with a full cart", async (path) => {
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
      for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(response.headers.get("X-Frame-Options")).toBe("DENY");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
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
const COMPARED = `${NAMED} ${PRICE} lastDay daysLeft isInStock stockMessage category specs picture`;

describe("product data sent to the browser", () => {
  it("has the fields of a card in the shop, with at most two pictures", async () => {
    const { products } = await routeData("/shop.data");
    expect(products.length).toBeGreaterThan(10);
    for (const product of products) {
      expect(fields(product)).toEqual(words(CARD));
      expect((product.pictures as string[]).length).toBeLessThanOrEqual(2);
    }
  });

  it("has the fields of a card on a wishlist", async () => {
    const customer = await actor("customer");
    const { content } = await routeData("/account.data?tab=wishlist", customer.visitor);
    expect(content.products.map(fields)).toEqual([words(CARD)]);
  });

  it("is what featured products and the comparison show, on home", async () => {
    const { products, classics } = await routeData("/_.data");
    expect(products).toHaveLength(3);
    const featured = `${COMPARED} shortDescription`;
    for (const product of products) expect(fields(product)).toEqual(words(featured));
    expect(classics.length).toBeGreaterThan(1);
    for (const product of classics) expect(fields(product)).toEqual(words(COMPARED));
  });

  it("is complete on its own page without stock count and dates; what else it shows are cards", async () => {
    const { product, related, goesWith, addOn, models, colors } = await routeData(
      "/product/polara-pro-earth-green.data",
    );
    expect(fields(product), "a new field belongs here if shoppers see it, else not in shown-product.ts").toEqual(
      words(`${CARD} description invitedMessage isWaitlistFirst pictureAlts shipDay shortDescription specs`),
    );
    expect((product.pictures as string[]).length).toBeGreaterThan(2);
    expect(related.length).toBeGreaterThan(0);
    expect(related.length + goesWith.length).toBe(4);
    for (const other of [...related, ...goesWith]) expect(fields(other)).toEqual(words(CARD));
    expect(fields(addOn)).toEqual(words(`${CARD} freeFromCents shortDescription`));
    expect(models.map(fields)).toEqual([words(COMPARED), words(COMPARED)]);
    for (const color of colors) expect(fields(color)).toEqual(words("slug colorVariant colorHex"));
  });

  it("is a row among search results", async () => {
    const { results } = await routeData("/search.data?q=polara");
    const found = results.flatMap(({ product }) => (product ? [product] : []));
    expect(found.length).toBeGreaterThan(2);
    for (const product of found) expect(fields(product)).toEqual(words(`inStock note thumbnail ${PRICE}`));
  });

  it("has the fields of a cart line", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    const { cart } = await routeData("/cart.data", buyer);
    const line = "id productId slug name colorVariant colorHex thumbnail quantity maxQuantity unitPriceCents preOrder";
    expect(cart.lines.map(fields)).toEqual([words(`${line} shipsFrom warrantyYears`)]);
  });
});
