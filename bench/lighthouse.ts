/** What Lighthouse says of each page on its own phone, slowed down as it always does. */
import type { Browser } from "@playwright/test";
import lighthouse, { type RunnerResult } from "lighthouse";
import type { Pool } from "pg";
import { isIndexable } from "../server/cache/public-pages.ts";
import { addressOf, become, giveOrder, SCREENS, type Screen } from "../tests/support/screens.ts";
import { freePort } from "../tests/support/shop.ts";
import { inBrowser } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { serveFloor } from "./floor.ts";
import { atMost, heading, round, type Row } from "./report.ts";

const LCP = "largest-contentful-paint";
const TBT = "total-blocking-time";
const SHIFT = "cumulative-layout-shift";

/** The pages that come within 1.3 times of the floor, a page of this stack that hydrates almost nothing. */
const NEAR_FLOOR = ["home", "shop", "product"];
const NEAR = 1.3;
/** These and the floor are loaded as often as Lighthouse advises: of one load a busy moment makes twice the blocking time. */
const LOADS = 5;
/** What the floor's blocking time is held for at least: below, a task of one millisecond more doubles it. */
const LEAST_BLOCKING_MS = 50;

export async function lighthouseScores(bench: Bench): Promise<Row[]> {
  const port = await freePort();
  const flags = { port, logLevel: "error", output: "json", ignoreStatusCode: true } as const;
  const rows: Row[] = [];
  const floor = await serveFloor();
  await inBrowser(
    bench,
    async ({ browser, url, database }) => {
      const measure = async (address: string) => {
        // The second visit finds the page in the shop's cache, as almost every visitor does.
        await (await fetch(address)).arrayBuffer();
        let result = await lighthouse(address, flags);
        // On a busy machine it may miss the frames.
        if (result?.lhr.audits[LCP]?.numericValue === undefined) result = await lighthouse(address, flags);
        if (!result) throw new Error(`Lighthouse says nothing of ${address}`);
        return result;
      };
      const middleOf = async (address: string) => {
        const results = [];
        for (let i = 0; i < LOADS; i++) results.push(await measure(address));
        results.sort((a, b) => blockingOf(a) - blockingOf(b));
        return results[LOADS >> 1] ?? measure(address);
      };
      const atFloor = await middleOf(floor.url);
      rows.push({ what: "the floor", figures: figures(atFloor) });
      for (const screen of SCREENS) {
        const address = url + addressOf(screen, emailOf(screen));
        await enter(browser, url, screen, database);
        const isNear = NEAR_FLOOR.includes(screen.name);
        const result = await (isNear ? middleOf(address) : measure(address));
        rows.push(scores(screen, result));
        if (isNear) rows.push(...besideFloor(screen.name, result, atFloor));
      }
    },
    [`--remote-debugging-port=${port}`],
  );
  floor.stop();
  return [heading("", ...COLUMNS), ...rows];
}

const valueOf = ({ lhr }: RunnerResult, audit: string) => lhr.audits[audit]?.numericValue ?? NaN;
const blockingOf = (result: RunnerResult) => valueOf(result, TBT);

function besideFloor(name: string, page: RunnerResult, floor: RunnerResult): Row[] {
  const blocking = Math.max(blockingOf(floor), LEAST_BLOCKING_MS);
  const ratio = { unit: "times", digits: 2 };
  const near = (what: string, times: number): Row => ({
    ...atMost(`${name}, ${what} beside the floor`, times, NEAR, ratio),
    budget: `≤ ${NEAR} times`,
  });
  return [near("LCP", valueOf(page, LCP) / valueOf(floor, LCP)), near("blocking", blockingOf(page) / blocking)];
}

const COLUMNS = [
  "performance",
  "LCP",
  "TBT",
  "longest",
  "shift",
  "a11y",
  "practices",
  "SEO",
  "HTML",
  "CSS",
  "JS",
  "fonts",
  "pictures",
];
const scoreOf = (categories: RunnerResult["lhr"]["categories"], category: string) =>
  Math.round((categories[category]?.score ?? 0) * 100);

const KINDS = ["Document", "Stylesheet", "Script", "Font", "Image"];

function figures(result: RunnerResult, practices?: string, seo?: string): string[] {
  const { categories, audits } = result.lhr;
  const items = (audit: string) => {
    const details = audits[audit]?.details;
    return details?.type === "table" ? details.items : [];
  };
  const longest = Math.max(0, ...items("long-tasks").map(({ duration }) => Number(duration)));
  const bytes = (kind: string) =>
    items("network-requests")
      .filter(({ resourceType }) => resourceType === kind)
      .reduce((sum, { transferSize }) => sum + Number(transferSize), 0);
  return [
    round(scoreOf(categories, "performance")),
    `${round(valueOf(result, LCP) / 1000, 2)} s`,
    `${round(blockingOf(result))} ms`,
    longest === 0 ? "< 50 ms" : `${round(longest)} ms`,
    round(valueOf(result, SHIFT), 4),
    round(scoreOf(categories, "accessibility")),
    practices ?? round(scoreOf(categories, "best-practices")),
    seo ?? round(scoreOf(categories, "seo")),
    ...KINDS.map((kind) => round(bytes(kind) / 1000, 1)),
  ];
}

/** Lighthouse opens its tab in the browser's own context: whoever is in the shop has to be so there. */
const emailOf = ({ name }: Screen) => `${name}@example.com`;

async function enter(browser: Browser, url: string, screen: Screen, database: Pool): Promise<void> {
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

function scores({ name, path, status }: Screen, result: RunnerResult): Row {
  const { categories, audits } = result.lhr;
  const pathname = path.replace(/\?.*/, "");
  // On purpose, a page that search engines may not list fails SEO, and one that answers with an error best practices.
  const perfect = ["accessibility", ...(status ? [] : ["best-practices"]), ...(isIndexable(pathname) ? ["seo"] : [])];
  const failing = perfect
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
  return {
    what: name,
    figures: figures(result, status ? `${status}` : undefined, isIndexable(pathname) ? undefined : "noindex"),
    budget: "100s, no shift",
    holds: valueOf(result, SHIFT) === 0 && perfect.every((category) => scoreOf(categories, category) === 100),
    note: [...failing, largestElement(audits)].join(" · "),
  };
}

/** Its tag, and the picture's name or the first words. */
function largestElement(audits: RunnerResult["lhr"]["audits"]): string {
  const details = audits["lcp-breakdown-insight"]?.details;
  const nodes = details?.type === "list" ? details.items : [];
  const node = nodes.find((item) => item.type === "node");
  if (!node) return "no element";
  const tag = /^<([\w-]+)/.exec(node.snippet ?? "")?.[1] ?? "";
  const picture = /\/images\/([\w-]+)-\d+\./.exec(node.snippet ?? "")?.[1];
  return `${tag} ${picture ?? `“${(node.nodeLabel ?? "").slice(0, 60)}”`}`;
}
