/** Filters and made-up addresses: a network may have few of them rendered. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useShop } from "../../support/use-shop.ts";

describe("the limit of rendered pages", () => {
  /** A tenth of the default limit. */
  const SCALE = 0.1;
  const { shop } = useShop({ RATE_LIMIT_SCALE: String(SCALE), TRUST_PROXY: "loopback" });

  const from = (address: string) => ({ headers: { "X-Forwarded-For": address, Accept: "text/html" } });
  async function askUntilRefused(
    path: (i: number) => string,
    address: (i: number) => string,
  ): Promise<Response | null> {
    for (let i = 0; i < 400 * SCALE; i++) {
      const answer = await fetch(shop.url + path(i), from(address(i)));
      if (answer.status === 429) return answer;
      await answer.arrayBuffer();
    }
    return null;
  }

  it.each([
    ["pages that do not exist", (i: number) => `/no/such/page/${i}`],
    ["products that do not exist", (i: number) => `/product/no-such-bowl-${i}`],
    ["filters", (i: number) => `/shop?minPrice=${(i % 25) * 10}&maxPrice=${260 + Math.floor(i / 25) * 10}`],
    ["searches", (i: number) => `/search?q=bowl${i}`],
    ["suggestions", (i: number) => `/search.json?q=bowl${i}`],
    ["the catalog's API", (i: number) => `/api/products?minPrice=${(i % 25) * 10}&maxPrice=${260 + i}`],
    ["Markdown pages that do not exist", (i: number) => `/product/no-such-bowl-${i}.md`],
  ])("answers one network with 429 and the wait: %s", async (name, path) => {
    const network = `2001:db8:${createHash("sha256").update(name).digest("hex").slice(0, 4)}:1`;
    const refused = await askUntilRefused(path, (i) => `${network}::${(i + 1).toString(16)}`);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    expect(refused?.headers.get("Cache-Control")).toContain("no-store");
    expect(await refused?.text()).toMatch(/Wait \d+ seconds?, then try again\./);
    // Cached pages still answer, as do other networks.
    expect((await fetch(`${shop.url}/shop`, from("192.0.2.1"))).status).toBe(200);
    expect((await fetch(`${shop.url}/shop`, from(`${network}::1`))).status).toBe(200);
    expect((await fetch(shop.url + path(999), from("192.0.2.1"))).status).not.toBe(429);
    expect((await fetch(`${shop.url}/cart`, from(`${network}::1`))).status).toBe(200);
  });

  it("allows a household's personal pages, but not without end", async () => {
    const answers: number[] = [];
    for (let i = 0; i < 1_400 * SCALE; i += 20) {
      const some = Array.from({ length: 20 }, () => fetch(`${shop.url}/personal.data`, from("198.51.100.7")));
      for (const answer of await Promise.all(some)) {
        await answer.arrayBuffer();
        answers.push(answer.status);
      }
    }
    expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600 * SCALE);
    expect(answers.at(-1)).toBe(429);
  });
});
