/** What each page weighs on its first load, at a desk and on a phone, and that nothing in it jumps. */
import { setTimeout } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import type { Pool } from "pg";
import { addressOf, become, giveOrder, SCREENS, type Screen } from "../tests/support/screens.ts";
import { DESK, inBrowser, PHONE } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { firstLoad, type FirstLoad } from "./first-load.ts";
import { atMost, heading, round, type Row } from "./report.ts";

const KILO = 1000;

const KILOBYTES = { unit: "kB", digits: 1 };
const HOME_BUDGET = 350;
const CONTENT_BUDGET = 92;
const scriptBudgets: Record<string, number> = {
  home: 100,
  shop: 100,
  product: 102,
  account: 106,
  "how-it-works": CONTENT_BUDGET,
  science: CONTENT_BUDGET,
  about: CONTENT_BUDGET,
  blog: CONTENT_BUDGET,
  post: CONTENT_BUDGET,
  support: CONTENT_BUDGET,
  warranty: CONTENT_BUDGET,
  privacy: CONTENT_BUDGET,
  terms: CONTENT_BUDGET,
};

const htmlBudgets: Record<string, number> = { home: 11.9, shop: 9.3, product: 13.2, terms: 9.9 };

export async function bytes(bench: Bench): Promise<Row[]> {
  const budgets: Row[] = [];
  const pages: Row[] = [];
  await inBrowser(bench, async ({ browser, url, database }) => {
    for (const screen of SCREENS) {
      const desk = await visit(browser, DESK, url, screen, database);
      const phone = await visit(browser, PHONE, url, screen, database);
      const scriptBudget = scriptBudgets[screen.name];
      if (scriptBudget) {
        budgets.push(atMost(`${screen.name}, JavaScript`, desk.scripts / KILO, scriptBudget, KILOBYTES));
      }
      const htmlBudget = htmlBudgets[screen.name];
      if (htmlBudget) {
        const size = await htmlSize(url + addressOf(screen, ""));
        budgets.push(atMost(`${screen.name}, HTML`, size / KILO, htmlBudget, KILOBYTES));
      }
      if (screen.name === "home") budgets.push(everything(DESK, desk), everything(PHONE, phone));
      pages.push(page(screen, DESK, desk), page(screen, PHONE, phone));
    }
  });
  const pictures = ["pictures in view", "unscrolled", "in all"];
  const columns = ["HTML", "CSS", "JavaScript", "font", "everything", "ahead", ...pictures, "shift"];
  return [...budgets, heading(""), heading("each page, kB", ...columns), ...pages];
}

type Device = typeof DESK | typeof PHONE;

async function visit(
  browser: Browser,
  device: Device,
  url: string,
  screen: Screen,
  database: Pool,
): Promise<FirstLoad> {
  const context = await browser.newContext(device);
  const email = `${screen.name}-${device.viewport.width}@example.com`;
  await become(screen.who, context.request, url, database, { email });
  if (screen.order) await giveOrder(database, email, screen.order);
  const load = await firstLoad(context, url + addressOf(screen, email));
  await context.close();
  return load;
}

/** In Brotli, once the cache has compressed a page well, which it begins when the page is asked for again. */
async function htmlSize(address: string): Promise<number> {
  const ask = async () => {
    const { headers } = await fetch(address, { headers: { "Accept-Encoding": "br" } });
    return Number(headers.get("Content-Length"));
  };
  await ask();
  await ask();
  await setTimeout(2_000);
  return ask();
}

function everything({ viewport: { width } }: Device, { all, byKind }: FirstLoad): Row {
  const kinds = [...byKind].map(([kind, size]) => `${kind} ${round(size / KILO)}`).join(", ");
  return { ...atMost(`home at ${width}, everything unscrolled`, all / KILO, HOME_BUDGET, KILOBYTES), note: kinds };
}

function page({ name }: Screen, { viewport: { width } }: Device, load: FirstLoad): Row {
  const { inView, unscrolled, all } = load.pictures;
  const of = (kind: string) => load.byKind.get(kind) ?? 0;
  const kilobytes = [
    of("Document"),
    of("Stylesheet"),
    load.scripts,
    of("Font"),
    load.all,
    of("Ahead"),
    inView,
    unscrolled,
    all,
  ].map((size) => round(size / KILO, 1));
  return {
    what: `${name} at ${width}`,
    figures: [...kilobytes, round(load.shift, 4)],
    budget: "no shift",
    holds: load.shift === 0,
  };
}
