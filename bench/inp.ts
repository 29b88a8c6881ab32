/** Interaction to Next Paint of a whole visit, as Lighthouse's phone has it: the longest press of all. */
import type { Browser, Locator, Page } from "@playwright/test";
import type { Pool } from "pg";
import { become, type Who } from "../tests/support/screens.ts";
import { inBrowser, PHONE, SLOW_4G, touch } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { heading, median, round, type Row } from "./report.ts";
import { SLOWER } from "./trace.ts";

const MAX_MS = 100;
const ROUNDS = 5;
/** Between one press and the next. */
const PAUSE_MS = 600;
/** What is faster than that the browser does not report. */
const LEAST_MS = 16;

type Press = { on: (page: Page) => Locator; types?: string };
type Visit = { what: string; path: string; who?: Who; presses: Press[] };

const button = (name: string | RegExp): Press => ({ on: (page) => page.getByRole("button", { name }).first() });
const field = (name: string, types: string): Press => ({ on: (page) => page.getByLabel(name, { exact: true }), types });

const VISITS: Visit[] = [
  {
    what: "home",
    path: "/",
    presses: [
      button(/^Menu$/),
      button("Close menu"),
      { on: (page) => page.getByRole("radio", { name: "Frost White" }).locator("..") },
      button("Compare Models"),
    ],
  },
  {
    what: "list",
    path: "/shop",
    presses: [
      button("Filters"),
      { on: (page) => page.getByRole("dialog").getByRole("checkbox").first().locator("..") },
      button("Close filters"),
      button(/^Add to Cart/),
    ],
  },
  {
    what: "product",
    path: "/product/polara-pro-earth-green",
    presses: [
      button("Increase quantity"),
      { on: (page) => page.getByRole("list", { name: "Choose a picture" }).getByRole("link").nth(2) },
      button(/^Add to Cart/),
      { on: (page) => page.getByRole("tab", { name: "Reviews" }) },
      { on: (page) => page.getByRole("list", { name: "Colors" }).getByRole("link").nth(1) },
    ],
  },
  {
    what: "cart",
    path: "/cart",
    who: "shopper",
    presses: [button("Increase quantity"), button("Decrease quantity"), button(/^Remove/)],
  },
  {
    what: "checkout",
    path: "/checkout",
    who: "shopper",
    presses: [
      field("Email", "ada@example.com"),
      field("Phone", "2125550100"),
      field("First name", "Ada"),
      button("Place Order"),
    ],
  },
];

/** A page that does next to nothing: what the machine itself takes. */
const EMPTY = `data:text/html,<meta name=viewport content=width=device-width><button onclick="this.textContent+='.'">Press</button>`;

export async function inp(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  await inBrowser(bench, async ({ browser, url, database }) => {
    const visits = [
      { what: "an empty page", path: EMPTY, presses: [button("Press"), button("Press"), button("Press")] },
      ...VISITS.map((visit) => ({ ...visit, path: url + visit.path })),
    ];
    const times = new Map<string, Longest[]>();
    // In turn, so that a bad minute falls on all of them.
    for (let i = 0; i < ROUNDS; i++)
      for (const visit of visits)
        times.set(visit.what, [...(times.get(visit.what) ?? []), await longestOf(browser, url, database, visit)]);
    for (const { what, path } of visits) {
      const found = (times.get(what) ?? []).toSorted((a, b) => a.ms - b.ms);
      const ms = median(found.map((one) => one.ms));
      rows.push({
        what,
        figures: [`${round(ms)} ms`],
        ...(path === EMPTY ? {} : { budget: `≤ ${MAX_MS} ms`, holds: ms <= MAX_MS }),
        note: found.map((one) => `${round(one.ms)} ${one.on}`).join(", "),
      });
    }
  });
  return [heading("", "INP"), ...rows];
}

type Longest = { ms: number; on: string };

async function longestOf(browser: Browser, url: string, database: Pool, visit: Visit): Promise<Longest> {
  const { path, who = "visitor", presses } = visit;
  const context = await browser.newContext(PHONE);
  await become(who, context.request, url, database, { email: "" });
  const page = await context.newPage();
  await page.addInitScript((least) => {
    const kept = globalThis as unknown as { longest: Longest };
    kept.longest = { ms: least, on: "" };
    if (location.protocol === "http:") localStorage.setItem("polara:waitlist", "closed");
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[])
        if (entry.interactionId && entry.duration > kept.longest.ms)
          kept.longest = {
            ms: entry.duration,
            on: `${entry.name} ${(entry.target as Element | null)?.textContent?.slice(0, 20) ?? ""}`,
          };
    }).observe({ type: "event", durationThreshold: least } as PerformanceObserverInit);
  }, LEAST_MS);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(path);
  for (const { on, types } of presses) {
    const target = on(page);
    await target.scrollIntoViewIfNeeded();
    await touch(page, target);
    if (types) await page.keyboard.type(types, { delay: 60 });
    await page.waitForTimeout(PAUSE_MS);
  }
  const longest = await page.evaluate(() => (globalThis as unknown as { longest: Longest }).longest);
  await context.close();
  return longest;
}
