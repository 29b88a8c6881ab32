/** Pages asked for as no browser asks: they push nothing out of the cache, and one network renders only so many. */
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startShop, type Shop } from "../../support/shop.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, visitor } = useShop();

/** More than the part of the cache for products holds (page-cache.ts), and than that for filters. */
const PRODUCTS = 320;
const FILTERS = 240;

const text = async (path: string, init?: RequestInit) => (await fetch(shop.url + path, init)).text();

/** Every way to write `letters` of an address with and without escapes, at most `count` of them. */
function spellings(prefix: string, characters: string, count: number): string[] {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  return Array.from({ length: count }, (_, mask) =>
    characters
      .split("")
      .map((character, i) => ((mask + 1) & (1 << i) ? escaped(character) : character))
      .join(""),
  ).map((path) => prefix + path);
}

async function askAll(paths: string[], init?: RequestInit): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < paths.length; i += 20) {
    const answers = await Promise.all(paths.slice(i, i + 20).map((path) => fetch(shop.url + path, init)));
    for (const answer of answers) {
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  }
  return statuses;
}

/** What one raw request is answered with. */
function raw(lines: string[]): Promise<string> {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(shop.url);
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("end", () => done(answer));
    socket.on("error", failed);
  });
}

describe("the page cache", () => {
  const KEPT = ["/shop", "/product/travel-sleeve", "/shop.md"];
  let edition = 0;

  const isAnew = async (path: string) => (await text(path)).includes("Rendered Anew");

  /** Which of these pages still come from memory through it: a change that the shop did not hear of is not on them. */
  async function keptThrough(attack: () => Promise<unknown>): Promise<string[]> {
    const before = `Edition ${++edition}`;
    const name = (to: string) =>
      database.pool.query(
        `BEGIN; ALTER TABLE products DISABLE TRIGGER USER;
         UPDATE products SET name = '${to}' WHERE slug = 'travel-sleeve';
         ALTER TABLE products ENABLE TRIGGER USER; COMMIT`,
      );
    // What is kept already shows when the shop has heard; what is not would show too early.
    for (const path of KEPT) await text(path);
    await name(before);
    await database.pool.query("NOTIFY catalog");
    for (const path of KEPT) await expect.poll(async () => (await text(path)).includes(before)).toBe(true);
    await name("Rendered Anew");
    await attack();
    const kept: string[] = [];
    for (const path of KEPT) if ((await text(path)).includes(before)) kept.push(path);
    return kept;
  }

  it("keeps its pages through more spellings of one address than it keeps, and answers them from the same page", async () => {
    const paths = [...spellings("/", "shop", 15), ...spellings("/product/", "travel-sleeve", PRODUCTS)];
    const kept = await keptThrough(async () => {
      expect(new Set(await askAll(paths))).toEqual(new Set([200]));
      for (const path of ["/%73h%6Fp", "/product/%74ravel-sleeve"]) expect(await isAnew(path), path).toBe(false);
    });
    expect(kept).toEqual(KEPT);
  });

  it.each([
    ["doubled and trailing slashes, dots, capitals", ["//shop", "/shop/", "/shop//", "/x/%2e%2e/shop", "/SHOP"]],
    ["parameters that no page reads", ["/shop?utm_source=a", "/shop?%63olour=b", "/shop?color=17", "/shop?_routes=x"]],
  ])("is one page for %s", async (_name, paths) => {
    await keptThrough(async () => {
      for (const path of paths) expect(await isAnew(path), path).toBe(false);
    });
  });

  it("keeps its pages through more valid filters than it keeps", async () => {
    const paths = Array.from({ length: FILTERS }, (_, i) => {
      const [low, high] = [(i % 25) * 10, 260 + Math.floor(i / 25) * 10];
      return `/${i % 2 ? "shop" : "api/products"}?minPrice=${low}&maxPrice=${high}&sort=newest`;
    });
    expect(await keptThrough(() => askAll(paths))).toEqual(KEPT);
  });

  it("keeps its pages through data asked for by routes that are made up", async () => {
    const paths = Array.from({ length: PRODUCTS }, (_, i) => `/shop.data?_routes=routes/storefront/shop/route,x${i}`);
    expect(await keptThrough(() => askAll(paths))).toEqual(KEPT);
  });

  it("keeps its pages through more products that do not exist than it keeps, however long their names", async () => {
    const paths = Array.from({ length: PRODUCTS }, (_, i) => `/product/no-such-bowl-${i}${"-x".repeat(i * 3)}`);
    const kept = await keptThrough(async () => expect(new Set(await askAll(paths))).toEqual(new Set([404])));
    expect(kept).toEqual(KEPT);
  });
});

describe("the budget for pages that are rendered", () => {
  let limited: Shop;
  /** Of what `npm start` lets: as much is shown with a fifth of the requests. */
  const SCALE = 0.2;
  beforeAll(async () => {
    const env = { RATE_LIMIT_SCALE: String(SCALE), TRUST_PROXY: "loopback" };
    limited = await startShop({ DATABASE_URL: database.url, ...env });
  });
  afterAll(() => limited.stop());

  const from = (address: string) => ({ headers: { "X-Forwarded-For": address, Accept: "text/html" } });
  async function askUntilRefused(
    path: (i: number) => string,
    address: (i: number) => string,
  ): Promise<Response | null> {
    for (let i = 0; i < 400 * SCALE; i++) {
      const answer = await fetch(limited.url + path(i), from(address(i)));
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
  ])("ends for one network with 429 and what to do: %s", async (name, path) => {
    const network = `2001:db8:${createHash("sha256").update(name).digest("hex").slice(0, 4)}:1`;
    const refused = await askUntilRefused(path, (i) => `${network}::${(i + 1).toString(16)}`);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    expect(refused?.headers.get("Cache-Control")).toContain("no-store");
    expect(await refused?.text()).toMatch(/Wait \d+ seconds?, then try again\./);
    // What is kept still answers, and so does everything for others.
    expect((await fetch(`${limited.url}/shop`, from("192.0.2.1"))).status).toBe(200);
    expect((await fetch(`${limited.url}/shop`, from(`${network}::1`))).status).toBe(200);
    expect((await fetch(limited.url + path(999), from("192.0.2.1"))).status).not.toBe(429);
    expect((await fetch(`${limited.url}/cart`, from(`${network}::1`))).status).toBe(200);
  });

  it("leaves room on personal pages for a family that shops, and ends there too", async () => {
    const answers: number[] = [];
    for (let i = 0; i < 1_400 * SCALE; i += 20) {
      const some = Array.from({ length: 20 }, () => fetch(`${limited.url}/personal.data`, from("198.51.100.7")));
      for (const answer of await Promise.all(some)) {
        await answer.arrayBuffer();
        answers.push(answer.status);
      }
    }
    expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600 * SCALE);
    expect(answers.at(-1)).toBe(429);
  });
});

describe("the Content-Security-Policy", () => {
  it("does not allow a script that stands in a product's text, which stays text", async () => {
    const script = "alert(1)</script><script>alert(2)";
    await database.pool.query(
      "UPDATE products SET description = $1, short_description = $1 WHERE slug = 'lid-gasket-set'",
      [`<script>${script}</script>`],
    );
    await expect.poll(async () => (await text("/product/lid-gasket-set")).includes("alert(2)")).toBe(true);
    const answer = await visitor.fetch("/product/lid-gasket-set");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    for (const code of ["alert(1)", "alert(2)", script]) {
      expect(policy).not.toContain(createHash("sha256").update(code).digest("base64"));
    }
    expect((await answer.text()).includes("<script>alert")).toBe(false);
  });

  it("leaves nothing of how it knows its own scripts in what is sent", async () => {
    for (const path of ["/", "/cart", "/no/such/page"]) {
      const answer = await fetch(shop.url + path);
      expect(/\bnonce\b/.test(await answer.text())).toBe(false);
      expect(JSON.stringify([...answer.headers])).not.toContain("nonce");
    }
  });

  it("allows as many scripts as the document has, and each of them", async () => {
    for (const path of ["/", "/shop", "/product/travel-sleeve", "/blog", "/cart", "/no/such/page"]) {
      const answer = await fetch(shop.url + path);
      const html = await answer.text();
      const scripts = [...html.matchAll(/<script(?![^>]*(?:src=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
      );
      const allowed = (answer.headers.get("Content-Security-Policy") ?? "").match(/'sha256-[^']+'/g) as string[] | null;
      expect(scripts.length).toBeGreaterThan(2);
      expect(
        scripts.filter((hash) => !allowed?.includes(hash)),
        path,
      ).toEqual([]);
    }
  });
});

describe("what is personal", () => {
  it.each([
    "/personal",
    "/personal.data",
    "/personal.data?_routes=routes%2Fvisitor-state",
    "/personal/",
    "/personal/_.data",
    "/PERSONAL.data",
    "/%70ersonal.data",
    "/cart.data",
    "/checkout.data",
    "/account.data",
    "/auth.data",
    "/search.data?q=filter",
    "/orders/find.data",
    "/api/auth/token",
    "/account/download.data",
  ])("%s is kept by nobody", async (path) => {
    const guest = new Visitor(shop.url);
    await guest.add("travel-sleeve");
    for (const method of ["GET", "HEAD"]) {
      const answer = await guest.fetch(path, { method });
      const control = answer.headers.get("Cache-Control");
      // Whoever has no session is told by a line of its own.
      if (path === "/api/auth/token") expect([method, control]).toEqual([method, expect.stringMatching(/no-store/)]);
      else expect([method, control]).toEqual([method, "private, no-store"]);
    }
  });
});

describe("the Host header", () => {
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  const ask = (...hosts: string[]) =>
    raw(["GET /cart HTTP/1.1", ...hosts.map((host) => `Host: ${host}`), "Connection: close"]);

  it("answers one that is an address", async () => {
    for (const host of ["localhost", "LOCALHOST:3000", "shop.example", "127.0.0.1:8080", "[::1]:3000"]) {
      expect([host, statusOf(await ask(host))]).toEqual([host, 200]);
    }
  });

  it("refuses two, even of the same, and none", async () => {
    expect(statusOf(await ask("shop.example", "evil.example"))).toBe(400);
    expect(statusOf(await ask("shop.example", "shop.example"))).toBe(400);
    const spelled = ["GET / HTTP/1.1", "Host: shop.example", "hOST: evil.example", "Connection: close"];
    expect(statusOf(await raw(spelled))).toBe(400);
    expect(statusOf(await ask())).toBe(400);
  });

  it.each([
    "",
    "a b",
    "shop.example/path",
    "user@shop.example",
    'x"><script>',
    "a,b",
    "shop.example:port",
    "shop.example:999999",
    "%65vil.example",
    "exämple",
    "[::1",
    "[x]",
    "shop.example#",
  ])("refuses %j", async (host) => {
    expect(statusOf(await ask(host))).toBe(400);
  });
});
