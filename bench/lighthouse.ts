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

/** The pages that come within 1.3 times of the floor, a page of this stack that hydrates almost nothing. */
const NEAR_FLOOR = ["home", "shop", "product"];
const NEAR = 1.3;
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
      const atFloor = await measure(floor.url);
      rows.push({ what: "the floor", figures: figures(atFloor.lhr) });
      for (const screen of SCREENS) {
        const address = url + addressOf(screen, emailOf(screen));
        await enter(browser, url, screen, database);
        const result = await measure(address);
        rows.push(scores(screen, result));
        if (NEAR_FLOOR.includes(screen.name)) rows.push(...besideFloor(screen.name, result, atFloor));
      }
    },
    [`--remote-debugging-port=${port}`],
  );
  floor.stop();
  return [heading("", ...COLUMNS), ...rows];
}

function besideFloor(name: string, { lhr }: RunnerResult, { lhr: floor }: RunnerResult): Row[] {
  const value = (of: typeof lhr, audit: string) => of.audits[audit]?.numericValue ?? NaN;
  const blocking = Math.max(value(floor, "total-blocking-time"), LEAST_BLOCKING_MS);
  const ratio = { unit: "times", digits: 2 };
  const near = (what: string, times: number): Row => ({
    ...atMost(`${name}, ${what} beside the floor`, times, NEAR, ratio),
    budget: `≤ ${NEAR} times`,
  });
  return [
    near("LCP", value(lhr, LCP) / value(floor, LCP)),
    near("blocking", value(lhr, "total-blocking-time") / blocking),
  ];
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

function figures({ categories, audits }: RunnerResult["lhr"], practices?: string, seo?: string): string[] {
  const value = (audit: string) => audits[audit]?.numericValue ?? NaN;
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
    `${round(value(LCP) / 1000, 2)} s`,
    `${round(value("total-blocking-time"))} ms`,
    longest === 0 ? "< 50 ms" : `${round(longest)} ms`,
    round(value("cumulative-layout-shift"), 4),
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

function scores({ name, path, status }: Screen, { lhr }: RunnerResult): Row {
  const { categories, audits } = lhr;
  const pathname = path.replace(/\?.*/, "");
  // On purpose, a page that search engines may not list fails SEO, and one that answers with an error best practices.
  const perfect = ["accessibility", ...(status ? [] : ["best-practices"]), ...(isIndexable(pathname) ? ["seo"] : [])];
  const shift = audits["cumulative-layout-shift"]?.numericValue;
  const failing = perfect
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
  return {
    what: name,
    figures: figures(lhr, status ? `${status}` : undefined, isIndexable(pathname) ? undefined : "noindex"),
    budget: "100s, no shift",
    holds: shift === 0 && perfect.every((category) => scoreOf(categories, category) === 100),
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
