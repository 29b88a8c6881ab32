/** What Lighthouse says of each page on its own phone, slowed down as it always does. */
import type { Browser } from "@playwright/test";
import lighthouse, { type RunnerResult } from "lighthouse";
import type { Pool } from "pg";
import { isIndexable } from "../server/cache/public-pages.ts";
import { addressOf, become, giveOrder, SCREENS, type Screen } from "../tests/support/screens.ts";
import { freePort } from "../tests/support/shop.ts";
import { inBrowser } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { heading, round, type Row } from "./report.ts";

const LCP = "largest-contentful-paint";

export async function lighthouseScores(bench: Bench): Promise<Row[]> {
  const port = await freePort();
  const flags = { port, logLevel: "error", output: "json", ignoreStatusCode: true } as const;
  const rows: Row[] = [];
  await inBrowser(
    bench,
    async ({ browser, url, database }) => {
      for (const screen of SCREENS) {
        const address = url + addressOf(screen, emailOf(screen));
        await enter(browser, url, screen, database);
        // The second visit finds the page in the shop's cache, as almost every visitor does.
        await (await fetch(address)).arrayBuffer();
        let result = await lighthouse(address, flags);
        // On a busy machine it may miss the frames.
        if (result?.lhr.audits[LCP]?.numericValue === undefined) result = await lighthouse(address, flags);
        if (!result) throw new Error(`Lighthouse says nothing of ${screen.path}`);
        rows.push(scores(screen, result));
      }
    },
    [`--remote-debugging-port=${port}`],
  );
  return [heading("", "performance", "LCP", "TBT", "shift", "a11y", "practices", "SEO"), ...rows];
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

function scores({ name, path, status }: Screen, { lhr: { categories, audits } }: RunnerResult): Row {
  const pathname = path.replace(/\?.*/, "");
  // On purpose, a page that search engines may not list fails SEO, and one that answers with an error best practices.
  const perfect = ["accessibility", ...(status ? [] : ["best-practices"]), ...(isIndexable(pathname) ? ["seo"] : [])];
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? NaN;
  const shift = value("cumulative-layout-shift");
  const failing = perfect
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
  return {
    what: name,
    figures: [
      round(score("performance")),
      `${round(value(LCP) / 1000, 2)} s`,
      `${round(value("total-blocking-time"))} ms`,
      round(shift, 4),
      round(score("accessibility")),
      status ? `${status}` : round(score("best-practices")),
      isIndexable(pathname) ? round(score("seo")) : "noindex",
    ],
    budget: "100s, no shift",
    holds: shift === 0 && perfect.every((category) => score(category) === 100),
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
