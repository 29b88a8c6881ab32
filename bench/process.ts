/** What the server process itself takes: time to start, memory while idle and after use. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.ts";
import { residentMegabytes, serve, START } from "./processes.ts";
import { atMost, compared, median, type Row } from "./report.ts";

const RUNS = 3;
const VIEWS = 1_000;
const SETTLE_MS = 3_000;
const PAGES = ["/", "/shop", "/product/polara-pro-earth-green", "/product/travel-sleeve", "/cart"];

export async function processFigures(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "polara-bench-"));
  const env = { DATA_DIR: folder };
  const first = await serve(process.execPath, START, { env });
  await first.stop();

  const figures = { node: [] as number[], npm: [] as number[], idle: [] as number[], used: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    const shop = await serve(process.execPath, START, { env });
    figures.node.push(shop.startedMs);
    await pause();
    figures.idle.push(residentMegabytes(shop.pid));
    let view = 0;
    await load(shop, { amount: VIEWS, connections: 8, next: () => ({ path: PAGES[view++ % PAGES.length] }) });
    await pause();
    figures.used.push(residentMegabytes(shop.pid));
    await shop.stop();
    const whole = await serve("npm", ["start", "--silent"], { env });
    figures.npm.push(whole.startedMs);
    await whole.stop();
  }
  rmSync(folder, { recursive: true, force: true });
  return [
    atMost("start to the first answer, node", median(figures.node) / 1000, 1, { unit: "s", digits: 2 }),
    atMost("start to the first answer, npm start", median(figures.npm) / 1000, 1, { unit: "s", digits: 2 }),
    compared("start with a new database", first.startedMs / 1000, { unit: "s", digits: 2 }),
    atMost("memory of the server, idle", median(figures.idle), 120, { unit: "MB" }),
    compared(`memory after ${VIEWS} page views`, median(figures.used), { unit: "MB" }),
  ];
}

const pause = () => new Promise((done) => setTimeout(done, SETTLE_MS));
