import { describe, expect, it } from "vitest";
import { Visitor } from "../support/visitor.ts";
import { useShop } from "../support/use-shop.ts";

const { shop, visitor } = useShop();

describe("status", () => {
  it.each([
    ["/", 200],
    ["/shop", 200],
    ["/product/polara-pro-earth-green", 200],
    ["/product/lid-gasket-set", 200],
    ["/cart", 200],
    ["/checkout", 200],
    ["/mailbox", 200],
    ["/mailbox.json", 200],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/product/no-such-bowl", 404],
    ["/no/such/page", 404],
    ["/assets/no-such-file.js", 404],
    ["/product/%00", 400],
    ["/%E0%A4%A", 404],
    ["/shop?color=Pink&category=<script>&minPrice=abc&maxPrice=-5&sort=worst&availability=never", 200],
    ["/product/polara-pro-earth-green?utm_source=x&y[]=%", 200],
  ])("%s answers %i", async (path, status) => {
    expect((await visitor.fetch(path)).status).toBe(status);
  });

  it("an unknown product says so and leads back", async () => {
    const html = await (await visitor.fetch("/product/no-such-bowl")).text();
    expect(html).toContain("Product Not Found");
    expect(html).toMatch(/Sorry, we couldn(&#x27;|'|’)t find the product you(&#x27;|'|’)re looking for\./);
    expect(html).toMatch(/href="\/shop"[^>]*>(<[^>]+>)*Return to Shop/);
  });
});

describe("the first picture of a document", () => {
  it.each(["/", "/cart", "/auth?tab=sign-up", "/no/such/page"])(
    "%s waits for all of it, and no script for its styles",
    async (path) => {
      const html = await (await visitor.fetch(path)).text();
      const [styles, ...more] = [...html.matchAll(/<link rel="stylesheet"/g)].map(({ index }) => index);
      expect(more).toEqual([]);
      expect(html.indexOf("early=[]")).toBeGreaterThan(0);
      expect(html.indexOf("early=[]")).toBeLessThan(styles ?? 0);
      expect(html.indexOf('<link rel="expect" href="#end" blocking="render"/>')).toBeLessThan(styles ?? 0);
      expect(html.split('<span id="end"')).toHaveLength(2);
      expect(html.indexOf('<span id="end"')).toBeGreaterThan(html.lastIndexOf("</footer>"));
      // Styled in tasks of their own, before it is laid out and painted.
      expect(html.slice(0, html.indexOf('<span id="end"'))).toMatch(
        /<script>[^<]*=true;[^<]*<\/script><script>[^<]*=false;[^<]*<\/script><script>document\.body\.offsetHeight<\/script>$/,
      );
      expect(html).not.toContain('<link rel="modulepreload"');
    },
  );
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
    "%s is kept by its browser alone, to go back to",
    async (path) => {
      expect((await visitor.fetch(path)).headers.get("Cache-Control")).toBe("private, no-cache");
    },
  );

  it("an unknown product is not kept", async () => {
    expect((await visitor.fetch("/product/nope")).headers.get("Cache-Control") ?? "").not.toContain("public");
  });

  it("pictures may be shown by an email, wherever it is read; pages stay with the shop", async () => {
    const policy = async (path: string) => (await visitor.fetch(path)).headers.get("Cross-Origin-Resource-Policy");
    expect(await policy("/images/mail-wordmark.png")).toBe("cross-origin");
    expect(await policy("/")).toBe("same-origin");
  });

  it("script files are immutable and come compressed", async () => {
    const html = await (await visitor.fetch("/")).text();
    const script = /\/assets\/[^"]+\.js/.exec(html)?.[0] ?? "";
    const response = await visitor.fetch(script, { headers: { "Accept-Encoding": "br" } });
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("Content-Encoding")).toBe("br");
  });
});

describe("headers", () => {
  it.each(["/", "/shop?color=Earth+Green", "/product/polara-classic-frost-white"])(
    "%s has those from the cache that it had when it was made",
    async (path) => {
      const headers = async (init: RequestInit = {}) => {
        const response = await visitor.fetch(path, init);
        await response.arrayBuffer();
        return Object.fromEntries([...response.headers].filter(([name]) => name !== "date"));
      };
      const made = await headers();
      expect(Object.keys(made)).toEqual(expect.arrayContaining(["content-security-policy", "x-frame-options", "etag"]));
      expect(made.vary).toBe("Accept-Encoding");
      expect(await headers()).toEqual(made);
      const { "content-length": _, "content-encoding": __, ...known } = made;
      expect(await headers({ headers: { "If-None-Match": made.etag ?? "" } })).toEqual(known);
    },
  );

  it("a page that is not kept comes compressed, too", async () => {
    const response = await visitor.fetch("/product/nope", { headers: { "Accept-Encoding": "br" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Encoding")).toBe("br");
    expect(await response.text()).toContain("Product Not Found");
  });

  it.each(["/", "/cart", "/no/such/page"])("%s allows its own scripts by hash and no others", async (path) => {
    const response = await visitor.fetch(path);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(/script-src ([^;]+)/.exec(policy)?.[1]).toMatch(/^'self'( 'sha256-[^']+')+$/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get("X-Frame-Options")).toBe("DENY");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  });
});
