/** How long a press waits until the screen shows something of it, on a phone whose processor is four times slower. */
import type { Locator, Page } from "@playwright/test";
import { become, type Who } from "../tests/support/screens.ts";
import { inBrowser, PHONE, touch } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { heading, median, round, type Row } from "./report.ts";
import { SLOWER } from "./trace.ts";

const MAX_MS = 100;
const ROUNDS = 5;

type Press = { what: string; path: string; who?: Who; on: (page: Page) => Locator };

const BOWL = "/product/polara-pro-earth-green";
const presses: Press[] = [
  { what: "home: a color", path: "/", on: (page) => page.getByRole("radio", { name: "Frost White" }).locator("..") },
  { what: "home: Compare Models", path: "/", on: (page) => page.getByRole("button", { name: "Compare Models" }) },
  { what: "every page: the menu", path: "/", on: (page) => page.getByRole("button", { name: "Menu", exact: true }) },
  { what: "shop: Filters", path: "/shop", on: (page) => page.getByRole("button", { name: "Filters" }) },
  { what: "shop: a card", path: "/shop", on: (page) => page.getByRole("article").first().getByRole("link") },
  {
    what: "shop: Add to Cart",
    path: "/shop",
    on: (page) => page.getByRole("button", { name: /^Add to Cart/ }).first(),
  },
  {
    what: "product: a thumbnail",
    path: BOWL,
    on: (page) => page.getByRole("list", { name: "Choose a picture" }).getByRole("link").nth(2),
  },
  {
    what: "product: the picture",
    path: BOWL,
    on: (page) =>
      page
        .getByRole("list", { name: /^Pictures of/ })
        .getByRole("link")
        .first(),
  },
  {
    what: "product: one more",
    path: BOWL,
    on: (page) => page.getByRole("button", { name: "Increase quantity" }).first(),
  },
  { what: "product: a tab", path: BOWL, on: (page) => page.getByRole("tab", { name: "Reviews" }) },
  {
    what: "cart: one more",
    path: "/cart",
    who: "shopper",
    on: (page) => page.getByRole("button", { name: "Increase quantity" }).first(),
  },
  {
    what: "checkout: Place Order, empty",
    path: "/checkout",
    who: "shopper",
    on: (page) => page.getByRole("button", { name: "Place Order" }),
  },
];

export async function pressTimes(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  await inBrowser(bench, async ({ browser, url, database }) => {
    for (const { what, path, who = "visitor", on } of presses) {
      const times: Times[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        const context = await browser.newContext(PHONE);
        await become(who, context.request, url, database, { email: "" });
        const page = await context.newPage();
        await page.addInitScript(() => localStorage.setItem("polara:waitlist", "closed"));
        const personal = page.waitForResponse(/\/personal/);
        await page.goto(url + path, { waitUntil: "networkidle" });
        await personal;
        times.push(await pressTime(page, on(page)));
        await context.close();
      }
      const pressed = median(times.map(({ pointerdown }) => pointerdown));
      const done = median(times.map(({ click }) => click));
      rows.push({
        what,
        figures: [`${round(pressed)} ms`, `${round(done)} ms`],
        budget: `≤ ${MAX_MS} ms`,
        holds: pressed <= MAX_MS,
      });
    }
  });
  return [heading("", "pressed", "let go"), ...rows];
}

type Times = { pointerdown: number; click: number };

/** From the finger's touch, and from its leaving, to the next picture on the screen: the browser's own Event Timing. */
async function pressTime(page: Page, target: Locator): Promise<Times> {
  await target.scrollIntoViewIfNeeded();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.evaluate((least) => {
    const kept = globalThis as unknown as { times: Times };
    // What is faster than that the browser does not report.
    kept.times = { pointerdown: least, click: least };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === "pointerdown" || name === "click") kept.times[name] = duration;
    }).observe({ type: "event", durationThreshold: least } as PerformanceObserverInit);
  }, 16);
  await touch(page, target);
  await page.waitForTimeout(1_000);
  return page.evaluate(() => (globalThis as unknown as { times: Times }).times);
}
