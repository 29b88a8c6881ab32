import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PageCache, type Place } from "./page-cache.ts";

let cache: PageCache;
let rendered: string[];
beforeEach(() => {
  cache = new PageCache();
  cache.isDisconnected = false;
  rendered = [];
});

const place = (address: string, part: Place["part"] = "fixed"): Place => ({ address, part });
async function ask(
  where: Place,
  { mayRender = true, control = "public, s-maxage=60, stale-while-revalidate=600", status = 200 } = {},
) {
  const render = async () => {
    rendered.push(where.address);
    return new Response(`page of ${where.address}`, { status, headers: { "Cache-Control": control } });
  };
  const response = await cache.respond(where, new Request("http://localhost/"), render, () => mayRender);
  return response && response.text();
}
async function fill(part: Place["part"], count: number) {
  for (let i = 0; i < count; i++) await ask(place(`/${part}/${i}`, part));
}

describe("a cached page", () => {
  it("is evicted by its own part only", async () => {
    await ask(place("/shop"));
    await ask(place("/product/a", "products"));
    await ask(place("/shop?sort=newest", "filtered"));
    await fill("filtered", 600);
    rendered = [];
    await ask(place("/shop"));
    await ask(place("/product/a", "products"));
    expect(rendered).toEqual([]);
    await ask(place("/shop?sort=newest", "filtered"));
    expect(rendered).toEqual(["/shop?sort=newest"]);
  });

  it("stays while it is requested", async () => {
    for (let i = 0; i < 1_000; i++) {
      await ask(place("/product/loved", "products"));
      await ask(place(`/product/${i}`, "products"));
    }
    expect(rendered.filter((address) => address === "/product/loved")).toHaveLength(1);
  });

  it("is served to a network over its rendering limit", async () => {
    expect(await ask(place("/shop"), { mayRender: false })).toBeNull();
    await ask(place("/shop"));
    expect(await ask(place("/shop"), { mayRender: false })).toBe("page of /shop");
    expect(rendered).toEqual(["/shop"]);
  });

  it("is served stale to a network over its rendering limit", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await ask(place("/shop"));
    vi.setSystemTime(Date.now() + 100_000);
    expect(await ask(place("/shop"), { mayRender: false })).toBe("page of /shop");
    expect(rendered).toHaveLength(1);
    expect(await ask(place("/shop"))).toBe("page of /shop");
    expect(rendered).toHaveLength(2);
    vi.useRealTimers();
  });

  it.each([{ control: "no-cache" }, { status: 404 }])("is never one with %o", async (answer) => {
    await ask(place("/blog/made-up"), answer);
    await ask(place("/blog/made-up"), answer);
    expect(rendered).toHaveLength(2);
  });
});

it("without notifications, cached pages are served and none is added", async () => {
  await ask(place("/shop"));
  cache.isDisconnected = true;
  expect(await ask(place("/shop"))).toBe("page of /shop");
  await ask(place("/about"));
  await ask(place("/about"));
  expect(rendered).toEqual(["/shop", "/about", "/about"]);
});

it("concurrent requests share one rendering", async () => {
  const [first, second] = await Promise.all([ask(place("/shop")), ask(place("/shop"), { mayRender: false })]);
  expect([first, second]).toEqual(["page of /shop", "page of /shop"]);
  expect(rendered).toEqual(["/shop"]);
});

it("a page's age counts from before its rendering, so that it does not outlive a price", async () => {
  vi.useFakeTimers();
  try {
    let count = 0;
    const slowly = async () => {
      vi.advanceTimersByTime(800);
      return new Response(String(++count), { headers: { "Cache-Control": "public, s-maxage=1" } });
    };
    const text = async () =>
      (await cache.respond(place("/shop"), new Request("http://localhost/"), slowly, () => true))?.text();
    expect(await text()).toBe("1");
    vi.advanceTimersByTime(300);
    expect(await text()).toBe("2");
  } finally {
    vi.useRealTimers();
  }
});

it("a page has an ETag for each encoding", async () => {
  const render = async () => new Response("a bowl", { headers: { "Cache-Control": "public, s-maxage=60" } });
  const load = async (headers: Record<string, string>) => {
    const response = await cache.respond(place("/"), new Request("http://localhost/", { headers }), render, () => true);
    return response ?? Response.error();
  };
  const [br, plain] = [await load({ "Accept-Encoding": "gzip, br" }), await load({})];
  const body = Buffer.from(await br.arrayBuffer());
  expect(brotliDecompressSync(body).toString()).toBe("a bowl");
  expect(br.headers.get("Content-Length")).toBe(String(body.length));
  expect(await plain.text()).toBe("a bowl");
  const tags = [br, plain].map(({ headers }) => headers.get("ETag") ?? "");
  expect(new Set(tags).size).toBe(2);
  expect((await load({ "If-None-Match": tags[1] ?? "" })).status).toBe(304);
});
