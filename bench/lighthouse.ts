/** What Lighthouse says of four pages on its own phone, slowed down as it always does. */
import lighthouse, { type RunnerResult } from "lighthouse";
import { freePort } from "../tests/support/shop.ts";
import { openBrowser } from "./browser.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { serveShop } from "./processes.ts";
import { atLeast, atMost, compared, type Row } from "./report.ts";

const visits = [
  { name: "home", path: "/" },
  { name: "product", path: "/product/polara-pro-earth-green" },
  { name: "post", path: "/blog/what-one-apple-does-to-your-greens" },
  { name: "terms", path: "/terms" },
];
const perfect = ["seo", "accessibility", "best-practices"] as const;

export async function lighthouseScores(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  const shop = await serveShop({ DATABASE_URL: url });
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  const rows: Row[] = [];
  for (const { name, path } of visits) {
    // The second visit finds the page in the shop's cache, as almost every visitor does.
    await (await fetch(shop.url + path)).arrayBuffer();
    const result = await lighthouse(shop.url + path, { port, logLevel: "error", output: "json" });
    if (!result) throw new Error(`Lighthouse says nothing of ${path}`);
    rows.push(...scores(name, result));
  }
  await browser.close();
  await shop.stop();
  await drop();
  return rows;
}

function scores(name: string, { lhr: { categories, audits } }: RunnerResult): Row[] {
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? NaN;
  const failing = (category: string) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id);
  return [
    ...perfect.map((category) =>
      atLeast([`${name}, ${category}`, ...failing(category)].join(" · "), score(category), 100, { unit: "" }),
    ),
    compared(`${name}, performance`, score("performance"), { unit: "" }),
    compared(`${name}, largest contentful paint`, value("largest-contentful-paint") / 1000, { unit: "s", digits: 2 }),
    compared(`${name}, total blocking time`, value("total-blocking-time"), { unit: "ms" }),
    atMost(`${name}, layout shift`, value("cumulative-layout-shift"), 0, { unit: "", digits: 4 }),
  ];
}
