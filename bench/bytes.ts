/** What a browser fetches before anybody touches the page, and whether anything jumps meanwhile. */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Client } from "pg";
import { openBrowser } from "./browser.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { serveShop } from "./processes.ts";
import { atMost, compared, round, type Row } from "./report.ts";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const KILO = 1000;

type Visit = { name: string; path: string; scriptBudget?: number; allBudget?: number };

const visits: Visit[] = [
  { name: "home", path: "/", scriptBudget: 115, allBudget: 350 },
  { name: "shop", path: "/shop", scriptBudget: 115 },
  { name: "product", path: "/product/polara-pro-earth-green", scriptBudget: 115 },
  { name: "cart", path: "/cart" },
  { name: "checkout", path: "/checkout" },
];

type FirstLoad = { scripts: number; all: number; byKind: Map<string, number>; shift: number };

export async function bytes(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  const shop = await serveShop({ DATABASE_URL: url });
  const browser = await openBrowser();
  const productId = await anyProduct(url);
  const scripts: Row[] = [];
  const weights: Row[] = [];
  const shifts: Row[] = [];
  for (const { name, path, scriptBudget, allBudget } of visits) {
    const desktop = await firstLoad(browser, shop.url, path, DESKTOP, productId);
    const phone = await firstLoad(browser, shop.url, path, PHONE, productId);
    const what = `${name}, JavaScript`;
    const kilobytes = desktop.scripts / KILO;
    const unit = { unit: "kB", digits: 1 };
    scripts.push(scriptBudget ? atMost(what, kilobytes, scriptBudget, unit) : compared(what, kilobytes, unit));
    const all = `${name}, everything (${[...desktop.byKind].map(([kind, sum]) => `${kind} ${round(sum / KILO)}`).join(", ")})`;
    weights.push(
      allBudget ? atMost(all, desktop.all / KILO, allBudget, unit) : compared(all, desktop.all / KILO, unit),
    );
    weights.push(compared(`${name}, everything, on a phone`, phone.all / KILO, unit));
    const none = { unit: "", digits: 4 };
    shifts.push(
      atMost(`${name}, layout shift at ${DESKTOP.width}`, desktop.shift, 0, none),
      atMost(`${name}, layout shift at ${PHONE.width}`, phone.shift, 0, none),
    );
  }
  await browser.close();
  await shop.stop();
  await drop();
  return [...scripts, ...weights, ...shifts];
}

async function anyProduct(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("SELECT id FROM products WHERE slug = 'polara-pro-earth-green'");
  await client.end();
  return rows[0]?.id ?? "";
}

/** A visitor with something in the cart and nothing in the browser's cache. */
async function firstLoad(
  browser: Browser,
  url: string,
  path: string,
  viewport: { width: number; height: number },
  productId: string,
): Promise<FirstLoad> {
  const context = await browser.newContext({ viewport });
  await context.request.post(`${url}/cart/add`, {
    form: { productId, quantity: "1" },
    headers: { Origin: url, Accept: "text/html" },
  });
  const page = await context.newPage();
  const fetched = await countBytes(context, page);
  await watchShifts(page);
  await page.goto(url + path, { waitUntil: "networkidle" });
  // What was fetched up to here was fetched without scrolling; shifts may come later too.
  const sizes = fetched();
  await scrollThrough(page);
  const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
  await context.close();
  return { ...sizes, shift };
}

async function countBytes(context: BrowserContext, page: Page): Promise<() => Omit<FirstLoad, "shift">> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const kinds = new Map<string, string>();
  const headers = new Map<string, number>();
  const byKind = new Map<string, number>();
  const add = (kind: string, size: number) => byKind.set(kind, (byKind.get(kind) ?? 0) + size);
  devtools.on("Network.responseReceived", ({ requestId, type, response }) => {
    kinds.set(requestId, type);
    headers.set(requestId, response.encodedDataLength);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const head = headers.get(requestId) ?? 0;
    add("Headers", head);
    add(kinds.get(requestId) ?? "Other", encodedDataLength - head);
  });
  return () => ({
    scripts: byKind.get("Script") ?? 0,
    all: [...byKind.values()].reduce((sum, size) => sum + size, 0),
    byKind: new Map(byKind),
  });
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = globalThis as unknown as { shift: number };
    kept.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) kept.shift += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += 600) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((done) => setTimeout(done, 60));
    }
  });
  await page.waitForLoadState("networkidle");
}
