/** Pages: Lighthouse and bytes of every page, and the longest interaction of a visit at a quarter of the CPU speed. */
import { chromium, type Browser, type Locator, type Page } from "@playwright/test";
import lighthouse, { type RunnerResult } from "lighthouse";
import type { Pool } from "pg";
import { openDatabase } from "#db/connection.server.ts";
import { isIndexable } from "#server/cache/public-pages.ts";
import { CHROMIUM } from "#tests/support/chromium.ts";
import { addressOf, become, giveOrder, SCREENS, type Screen, type Who } from "#tests/support/screens.ts";
import { freePort } from "#tests/support/shop.ts";
import { freshDatabase, serveShop, type Bench } from "./measured.ts";
import { atMost, median, round, type Row } from "./report.ts";

const MAX_SCRIPT_KB = { shop: 160, words: 150 };
const MAX_STYLE_KB = 16;
const MAX_HOME_KB = 350;
const MAX_PRESS_MS = 300;
const PRESS_ROUNDS = 5;
const SLOWER = 4;
const BOWL = "/product/polara-pro-earth-green";

type Walk = { browser: Browser; url: string; database: Pool };

export async function pages(bench: Bench): Promise<Row[]> {
  const { url: databaseUrl, drop } = await freshDatabase(bench);
  const { pool: database } = openDatabase(databaseUrl, 1);
  const { url, stop } = await serveShop({ DATABASE_URL: databaseUrl });
  const port = await freePort();
  const args = [...CHROMIUM.args, `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...CHROMIUM, args });
  const rows = [...(await scores({ browser, url, database }, port)), ...(await presses({ browser, url, database }))];
  await browser.close();
  await stop();
  await database.end();
  await drop();
  return rows;
}

const emailOf = ({ name }: Screen) => `${name}@example.com`;

async function scores({ browser, url, database }: Walk, port: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const screen of SCREENS) {
    const address = url + addressOf(screen, emailOf(screen));
    await enter({ browser, url, database }, screen);
    // Most visitors get a cached page.
    await (await fetch(address)).arrayBuffer();
    const result = await lighthouse(address, { port, logLevel: "error", output: "json", ignoreStatusCode: true });
    if (!result) throw new Error(`Lighthouse says nothing of ${address}`);
    rows.push(score(screen, result));
  }
  return rows;
}

/** Lighthouse uses the browser's default context, so cookies are set there. */
async function enter({ browser, url, database }: Walk, screen: Screen): Promise<void> {
  const context = await browser.newContext();
  await become(screen.who, context.request, url, database, { email: emailOf(screen) });
  if (screen.order) await giveOrder(database, emailOf(screen), screen.order);
  const cookies = (await context.cookies()).map(({ name, value, domain, path }) => ({ name, value, domain, path }));
  await context.close();
  const devtools = await browser.newBrowserCDPSession();
  await devtools.send("Storage.clearCookies");
  await devtools.send("Storage.setCookies", { cookies });
  await devtools.detach();
}

function score({ name, path, status }: Screen, { lhr: { audits, categories } }: RunnerResult): Row {
  const pathname = path.replace(/\?.*/, "");
  const of = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? NaN;
  const details = audits["network-requests"]?.details;
  const requests = details?.type === "table" ? details.items : [];
  const kilobytes = (kind?: string) =>
    requests
      .filter(({ resourceType }) => !kind || resourceType === kind)
      .reduce((sum, { transferSize }) => sum + Number(transferSize), 0) / 1000;
  const lcp = value("largest-contentful-paint") / 1000;
  const blocking = value("total-blocking-time");
  const isShop = ["home", "shop", "product", "accessory"].includes(name);
  // Unindexed pages fail SEO and error pages fail best practices by design.
  const perfect = ["accessibility", ...(status ? [] : ["best-practices"]), ...(isIndexable(pathname) ? ["seo"] : [])];
  const faults = [
    of("performance") < 97 && "performance",
    lcp > 1.5 && "LCP",
    blocking > 200 && "blocking",
    value("cumulative-layout-shift") > 0 && "shift",
    kilobytes("Script") > (isShop ? MAX_SCRIPT_KB.shop : MAX_SCRIPT_KB.words) && "JavaScript",
    kilobytes("Stylesheet") > MAX_STYLE_KB && "CSS",
    name === "home" && kilobytes() > MAX_HOME_KB && "bytes",
    ...perfect
      .flatMap((category) => categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  ].filter(Boolean);
  return {
    what: name,
    figures: {
      performance: round(of("performance")),
      LCP: `${round(lcp, 2)} s`,
      TBT: `${round(blocking)} ms`,
      shift: round(value("cumulative-layout-shift"), 3),
      a11y: round(of("accessibility")),
      practices: status ? String(status) : round(of("best-practices")),
      SEO: isIndexable(pathname) ? round(of("seo")) : "noindex",
      JS: `${round(kilobytes("Script"), 1)} kB`,
      CSS: `${round(kilobytes("Stylesheet"), 1)} kB`,
      all: `${round(kilobytes())} kB`,
    },
    budget: "README.md",
    holds: faults.length === 0,
    note: faults.join(", "),
  };
}

type Visit = { what: string; path: string; who?: Who; presses: ((page: Page) => Locator)[] };
const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first();

const VISITS: Visit[] = [
  { what: "home", path: "/", presses: [button(/^Menu$/), button("Close menu"), button("Compare Models")] },
  { what: "list", path: "/shop", presses: [button("Filters"), button("Close filters"), button(/^Add to Cart/)] },
  {
    what: "product",
    path: BOWL,
    presses: [
      button("Increase quantity"),
      button(/^Add to Cart/),
      (page) => page.getByRole("tab", { name: "Reviews" }),
      (page) => page.getByRole("list", { name: "Colors" }).getByRole("link").nth(1),
    ],
  },
  {
    what: "cart",
    path: "/cart",
    who: "shopper",
    presses: [button("Increase quantity"), button("Decrease quantity"), button(/^Remove/)],
  },
  { what: "checkout", path: "/checkout", who: "shopper", presses: [button("Place Order")] },
];

/** Event Timing at a quarter of the CPU speed; the median of several visits. */
async function presses({ browser, url, database }: Walk): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, path, who = "visitor", presses: all } of VISITS) {
    const times: number[] = [];
    for (let i = 0; i < PRESS_ROUNDS; i++) {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      await become(who, context.request, url, database, { email: "" });
      const page = await context.newPage();
      await page.addInitScript(() => {
        const measured = globalThis as unknown as { longestPress: number };
        measured.longestPress = 16;
        localStorage.setItem("polara:waitlist", "closed");
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries())
            measured.longestPress = Math.max(measured.longestPress, duration);
        }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
      });
      const devtools = await context.newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      await page.goto(url + path);
      for (const press of all) {
        await press(page).tap({ force: true });
        await page.waitForTimeout(600);
      }
      times.push(await page.evaluate(() => (globalThis as unknown as { longestPress: number }).longestPress));
      await context.close();
    }
    rows.push(atMost(`longest press on ${what}`, median(times), MAX_PRESS_MS, { unit: "ms" }));
  }
  return rows;
}
