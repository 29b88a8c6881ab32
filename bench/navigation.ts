/** How soon the next page is there: by a link on slow 4G, by the way back, and on a line that hardly carries anything. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "@playwright/test";
import { CHROMIUM } from "../tests/support/chromium.ts";
import { addressOf, become, SCREENS, type Screen } from "../tests/support/screens.ts";
import { DESK, HARDLY, inBrowser, PHONE, SLOW_4G, touch } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { atMost, heading, median, round, type Row } from "./report.ts";

const ROUNDS = 5;
const MAX_MS = 300;
/** How long a mouse rests before it presses. */
const MOUSE_MS = 200;
/** How long a page is looked at before. */
const LOOK_MS = 1_000;

/** Chromium with a window, which it need not show: the one without has no back/forward cache. */
const WITH_WINDOW = "/usr/bin/chromium";

type Way = { what: string; from: string; link: (page: Page) => Locator; to: RegExp };

const WAYS: Way[] = [
  {
    what: "home to list",
    from: "/",
    link: (page) => page.getByRole("main").locator("a[href='/shop']").filter({ visible: true }).first(),
    to: /^\/shop/,
  },
  {
    what: "home to product",
    from: "/",
    link: (page) => page.getByRole("main").locator("a[href^='/product/']").filter({ visible: true }).first(),
    to: /^\/product\//,
  },
  {
    what: "list to product",
    from: "/shop",
    link: (page) => page.getByRole("article").first().getByRole("heading").getByRole("link"),
    to: /^\/product\//,
  },
];

export async function navigation(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  await inBrowser(bench, async ({ browser, url, database }) => {
    rows.push(heading("a link on slow 4G", "from the press"));
    for (const way of WAYS) {
      rows.push(await linkRow(`${way.what}, finger`, () => followed(browser, url, way, PHONE)));
      rows.push(await linkRow(`${way.what}, mouse`, () => followed(browser, url, way, DESK)));
    }
    rows.push(heading("400 kbit/s, 2 s away", "text and frames", "first picture", "all scripts", "shift"));
    for (const path of ["/", "/shop", "/product/polara-pro-earth-green"]) rows.push(await lateRow(browser, url, path));
    rows.push(heading("saving data", "fetched ahead"));
    for (const way of WAYS) rows.push(atMost(way.what, await fetchedAhead(browser, url, way), 0, { unit: "" }));
    rows.push(heading("the way back", ""));
    if (!existsSync(WITH_WINDOW)) {
      rows.push({ what: `not measured: there is no ${WITH_WINDOW}`, figures: [""] });
      return;
    }
    const full = await chromium.launch({
      executablePath: WITH_WINDOW,
      args: [...CHROMIUM.args, "--headless=new"],
      headless: false,
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    for (const screen of SCREENS.filter(({ order }) => !order)) {
      const context = await full.newContext();
      const email = `${screen.name}@example.com`;
      await become(screen.who, context.request, url, database, { email });
      rows.push(await backRow(await context.newPage(), url, screen, addressOf(screen, email)));
      await context.close();
    }
    await full.close();
  });
  return rows;
}

async function linkRow(what: string, follow: () => Promise<number>): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await follow());
  return atMost(what, median(times), MAX_MS, { unit: "ms" });
}

async function awake(browser: Browser, address: string, device: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(device)).newPage();
  await page.addInitScript(() => localStorage.setItem("polara:waitlist", "closed"));
  const personal = page.waitForResponse(/\/personal/);
  await page.goto(address, { waitUntil: "networkidle" });
  await personal;
  return page;
}

/** From the press on a link to the first frame with the next page's heading and its first picture's place. */
async function followed(browser: Browser, url: string, way: Way, device: BrowserContextOptions): Promise<number> {
  const page = await awake(browser, url + way.from, device);
  const devtools = await page.context().newCDPSession(page);
  const link = way.link(page);
  await link.scrollIntoViewIfNeeded();
  await page.waitForTimeout(LOOK_MS);
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await page.evaluate((to) => {
    const before = document.querySelector("main h1")?.textContent;
    const isThere = () => {
      const title = document.querySelector("main h1");
      if (title?.textContent === before) return false;
      const picture = document.querySelector("main img");
      return new RegExp(to).test(location.pathname) && title?.checkVisibility() && picture?.checkVisibility();
    };
    const kept = globalThis as unknown as { shown: Promise<number> };
    kept.shown = new Promise((done) =>
      addEventListener(
        "click",
        ({ timeStamp }) => {
          // What is found before a frame is on the screen after it.
          const look = () =>
            requestAnimationFrame(() => (isThere() ? setTimeout(() => done(performance.now() - timeStamp)) : look()));
          look();
        },
        { capture: true, once: true },
      ),
    );
  }, way.to.source);
  await press(page, link, device);
  const ms = await page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown);
  await page.context().close();
  return ms;
}

async function press(page: Page, link: Locator, device: BrowserContextOptions): Promise<void> {
  if (device.hasTouch) return touch(page, link);
  await link.hover();
  await page.waitForTimeout(MOUSE_MS);
  await link.click();
}

/** What is there when on a line that hardly carries anything: text and the places of pictures first, and nothing moves. */
async function lateRow(browser: Browser, url: string, path: string): Promise<Row> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", HARDLY);
  await page.goto(url + path, { waitUntil: "networkidle", timeout: 180_000 });
  const { text, picture, scripts, shift } = await page.evaluate(async () => {
    const shifts = await new Promise<number>((done) => {
      new PerformanceObserver((list) =>
        done(list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0)),
      ).observe({ type: "layout-shift", buffered: true });
      setTimeout(done, 500, 0);
    });
    const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const ends = (kind: RegExp) => files.filter(({ name }) => kind.test(name)).map(({ responseEnd }) => responseEnd);
    return {
      text: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
      picture: Math.min(...ends(/\/images\//)),
      scripts: Math.max(...ends(/\.js$/)),
      shift: shifts,
    };
  });
  await context.close();
  const seconds = (ms: number) => `${round(ms / 1000, 1)} s`;
  return {
    what: path,
    figures: [seconds(text), seconds(picture), seconds(scripts), round(shift, 4)],
    budget: "text before scripts, no shift",
    holds: text < scripts && shift === 0,
  };
}

/** How much is fetched for a link that a mouse rests on, while its owner saves data. */
async function fetchedAhead(browser: Browser, url: string, way: Way): Promise<number> {
  const context = await browser.newContext(DESK);
  await context.addInitScript(() => {
    localStorage.setItem("polara:waitlist", "closed");
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const page = await context.newPage();
  await page.goto(url + way.from, { waitUntil: "networkidle" });
  const link = way.link(page);
  await link.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  let count = 0;
  page.on("request", (request) => {
    if (request.resourceType() !== "image") count += 1;
  });
  await link.hover();
  await page.waitForTimeout(1_000);
  await context.close();
  return count;
}

/** Who pays, has an account or opens a mailed link leaves nothing behind; nor does a browser keep an answer that is an error. */
const LEAVES_NOTHING = /^\/(checkout|account|orders\/(?!find)|mailbox)/;

async function backRow(page: Page, url: string, screen: Screen, path: string): Promise<Row> {
  await page.goto(url + path, { waitUntil: "networkidle" });
  await page.evaluate(() =>
    addEventListener("pageshow", ({ persisted }) => ((globalThis as { restored?: boolean }).restored = persisted)),
  );
  await page.goto(`${url}/robots.txt`);
  await page.goBack({ waitUntil: "commit" });
  await page.waitForTimeout(300);
  const reasons = await page.evaluate(() => {
    const [arrival] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
      notRestoredReasons: { reasons: { reason: string }[] } | null;
    })[];
    if ((globalThis as { restored?: boolean }).restored) return null;
    return arrival?.notRestoredReasons?.reasons.map(({ reason }) => reason) ?? ["unknown"];
  });
  const isMeant = !LEAVES_NOTHING.test(path) && !screen.status;
  return {
    what: screen.name,
    figures: [reasons ? "loaded" : "restored"],
    ...(isMeant ? { budget: "restored", holds: reasons === null } : { note: reasons?.join(", ") }),
  };
}
