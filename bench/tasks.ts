/** The ten longest tasks of home, list and product while they load, each with its cause. */
import { inBrowser, PHONE } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { atMost, heading, round, type Row } from "./report.ts";
import { serveFloor } from "./floor.ts";
import { blockingMs, LONG_TASK_MS, tasksOf, type Task } from "./trace.ts";

const PAGES = ["/", "/shop", "/product/polara-pro-earth-green"];
const SHOWN = 10;
const ROUNDS = 5;

export async function longestTasks(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const floor = await serveFloor();
  await inBrowser(bench, async ({ browser, url }) => {
    const calmest = async (address: string) => {
      await (await fetch(address)).arrayBuffer();
      const rounds: Task[][] = [];
      for (let i = 0; i < ROUNDS; i++) rounds.push(await tasksOf(browser, PHONE, address));
      return rounds.toSorted((a, b) => blockingMs(a) - blockingMs(b))[Math.floor(ROUNDS / 2)] ?? [];
    };
    rows.push(...shown("the floor", await calmest(floor.url)));
    for (const path of PAGES) {
      const tasks = await calmest(url + path);
      rows.push(
        atMost(`${path}, longest task`, tasks[0]?.ms ?? 0, LONG_TASK_MS, { unit: "ms" }),
        ...shown(path, tasks),
      );
    }
  });
  floor.stop();
  return [heading("", "begins", "takes"), ...rows];
}

const shown = (page: string, tasks: Task[]): Row[] => [
  { what: `${page}, blocking`, figures: ["", `${round(blockingMs(tasks))} ms`] },
  ...tasks.slice(0, SHOWN).map(({ startMs, ms, cause }) => ({
    what: `  ${page}`,
    figures: [`${round(startMs)} ms`, `${round(ms)} ms`],
    note: cause,
  })),
];
