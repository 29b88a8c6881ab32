/** What an answer forbids a browser, and what is not done without encryption. */
import { describe, expect, it } from "vitest";
import { useShop } from "../../support/use-shop.ts";

const { shop, visitor } = useShop();
const secure = useShop({ BASE_URL: "https://localhost", TRUST_PROXY: "loopback" });

describe("every answer", () => {
  it.each([
    ["/", 200],
    ["/cart", 200],
    ["/cart.data", 200],
    ["/personal", 200],
    ["/api/products", 200],
    ["/api/me", 401],
    ["/sitemap.xml", 200],
    ["/shop.md", 200],
    ["/robots.txt", 200],
    ["/favicon.svg", 200],
    ["/images/og.jpg", 200],
    ["/assets/none.js", 404],
    ["/no/such/page", 404],
    ["/healthz", 200],
    ["/api/auth/none", 404],
  ])("%s has a policy that lets nobody frame it or add to it", async (path, status) => {
    const response = await visitor.fetch(path);
    expect(response.status).toBe(status);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    if (response.headers.get("Content-Type")?.startsWith("text/")) {
      expect(response.headers.get("Content-Type")?.toLowerCase()).toContain("charset=utf-8");
    }
  });

  it.each(["/api/products", "/api/me", "/sitemap.xml", "/shop.md", "/robots.txt"])(
    "%s is nothing that may run, where a browser shows it as a page after all",
    async (path) => {
      const policy = (await visitor.fetch(path)).headers.get("Content-Security-Policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("; sandbox");
    },
  );

  it.each([
    ["/about", "text/html; charset=utf-8"],
    ["/robots.txt", "text/plain; charset=utf-8"],
    ["/shop.md", "text/markdown; charset=utf-8"],
    ["/sitemap.xml", "application/xml; charset=utf-8"],
    ["/feeds/google.xml", "application/xml; charset=utf-8"],
    ["/cart.data", "text/x-script; charset=utf-8"],
    ["/api/products", "application/json; charset=utf-8"],
    ["/personal", "application/json"],
    ["/favicon.svg", "image/svg+xml; charset=utf-8"],
    ["/images/og.jpg", "image/jpeg"],
    ["/assets/none.js", "text/plain; charset=utf-8"],
  ])("%s says its type, and text its letters: %s", async (path, type) => {
    const said = (await visitor.fetch(path)).headers.get("Content-Type") ?? "";
    expect(said.toLowerCase()).toBe(type);
  });

  it("has it where something is refused, too", async () => {
    const foreign = await visitor.post("/cart/clear", {}, { Origin: "https://evil.example" });
    const large = await visitor.post("/support", { message: "x".repeat(100_000) });
    for (const response of [foreign, large]) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    }
  });
});

describe("what came without encryption", () => {
  const plain = { "X-Forwarded-Proto": "http" };
  const at = (path: string, init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {}) =>
    fetch(secure.shop.url + path, { redirect: "manual", ...init, headers: { ...plain, ...init.headers } });

  it("is led to the encrypted page", async () => {
    const response = await at("/shop?color=Frost+White");
    expect([response.status, response.headers.get("Location")]).toEqual([
      308,
      "https://localhost/shop?color=Frost+White",
    ]);
  });

  it.each([
    ["/api/products", {}],
    ["/personal.data", {}],
    ["/personal", {}],
    ["/feeds/google.xml", {}],
    ["/sitemap.xml", {}],
    ["/shop.md", {}],
    ["/robots.txt", {}],
    ["/auth", { method: "POST", headers: { Origin: "https://localhost" }, body: new URLSearchParams({ a: "1" }) }],
  ])("is refused at %s, where nobody would notice being led", async (path, init) => {
    expect((await at(path, init)).status).toBe(403);
  });

  it("is told of where it was refused", async () => {
    await at("/api/products");
    const told = /^.*"security":"without-encryption".*$/m;
    await expect.poll(() => told.exec(secure.shop.output())?.[0]).toContain('"outcome":"refused"');
  });

  it("is believed of a trusted proxy only, and health needs none", async () => {
    expect((await at("/healthz")).status).toBe(200);
    expect((await fetch(`${shop.url}/shop`, { headers: plain })).status).toBe(200);
  });
});
