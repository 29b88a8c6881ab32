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
  { mayRender = true, control = "public, s-maxage=60, stale-while-revalidate=600" } = {},
) {
  const render = async () => {
    rendered.push(where.address);
    return new Response(`page of ${where.address}`, { headers: { "Cache-Control": control } });
  };
  const response = await cache.respond(where, new Request("http://localhost/"), render, () => mayRender);
  return response && response.text();
}
async function fill(part: Place["part"], count: number) {
  for (let i = 0; i < count; i++) await ask(place(`/${part}/${i}`, part));
}

describe("what is kept", () => {
  it("is pushed out by its own part only", async () => {
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

  it("stays while it is asked for, however many others come", async () => {
    for (let i = 0; i < 1_000; i++) {
      await ask(place("/product/loved", "products"));
      await ask(place(`/product/${i}`, "products"));
    }
    expect(rendered.filter((address) => address === "/product/loved")).toHaveLength(1);
  });

  it("is answered to whoever may not have anything rendered", async () => {
    expect(await ask(place("/shop"), { mayRender: false })).toBeNull();
    await ask(place("/shop"));
    expect(await ask(place("/shop"), { mayRender: false })).toBe("page of /shop");
    expect(rendered).toEqual(["/shop"]);
  });

  it("is answered, not renewed, to whoever may not have it renewed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await ask(place("/shop"));
    vi.setSystemTime(Date.now() + 100_000);
    expect(await ask(place("/shop"), { mayRender: false })).toBe("page of /shop");
    expect(rendered).toHaveLength(1);
    expect(await ask(place("/shop"))).toBe("page of /shop");
    expect(rendered).toHaveLength(2);
    vi.useRealTimers();
  });

  it("is not what says no-cache", async () => {
    await ask(place("/blog/made-up"), { control: "no-cache" });
    await ask(place("/blog/made-up"), { control: "no-cache" });
    expect(rendered).toHaveLength(2);
  });
});

it("while changes cannot be heard, what is held is served and nothing more is kept", async () => {
  await ask(place("/shop"));
  cache.isDisconnected = true;
  expect(await ask(place("/shop"))).toBe("page of /shop");
  await ask(place("/about"));
  await ask(place("/about"));
  expect(rendered).toEqual(["/shop", "/about", "/about"]);
});

it("whoever waits for a rendering under way needs none of their own", async () => {
  const [first, second] = await Promise.all([ask(place("/shop")), ask(place("/shop"), { mayRender: false })]);
  expect([first, second]).toEqual(["page of /shop", "page of /shop"]);
  expect(rendered).toEqual(["/shop"]);
});

it("counts a page's time from before it was rendered, so that a slow one outlives no price", async () => {
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

describe("what is asked for again", () => {
  const text = Array.from({ length: 3_000 }, (_, i) => `<a href="/product/${(i * 7919) % 997}">bowl ${i}</a>`).join("");
  const brotli = { headers: { "Accept-Encoding": "br" } };
  let shown = text;
  beforeEach(() => {
    shown = text;
  });

  async function load() {
    const render = async () => new Response(shown, { headers: { "Cache-Control": "public, s-maxage=60" } });
    const request = new Request("http://localhost/", brotli);
    const response = await cache.respond(place("/shop"), request, render, () => true);
    const body = response ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
    expect(brotliDecompressSync(body).toString()).toBe(shown);
    expect(response?.headers.get("Content-Length")).toBe(String(body.length));
    return { size: body.length, etag: response?.headers.get("ETag") };
  }

  async function compressedWell(quick: number) {
    await vi.waitFor(async () => expect((await load()).size).toBeLessThan(quick * 0.97), { timeout: 20_000 });
    return load();
  }

  it("is sent smaller after a moment, under the same tag", async () => {
    const quick = await load();
    const well = await compressedWell(quick.size);
    expect(well.etag).toBe(quick.etag);
  });

  it("stays small when it is rendered again and is the same, and is never an older one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const quick = await load();
    const well = await compressedWell(quick.size);
    vi.setSystemTime(Date.now() + 100_000);
    expect((await load()).size).toBe(well.size);
    shown = text.replaceAll("bowl", "lid");
    vi.setSystemTime(Date.now() + 100_000);
    expect((await load()).etag).not.toBe(quick.etag);
    vi.useRealTimers();
  });
});
