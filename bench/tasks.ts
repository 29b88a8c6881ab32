/** The ten longest tasks of home, list and product while they load, each with its cause. */
import { inBrowser, PHONE } from "./browser.ts";
import type { Bench } from "./databases.ts";
import { atMost, heading, round, type Row } from "./report.ts";
import { serveFloor } from "./floor.ts";
import { blockingMs, LONG_TASK_MS, tasksOf, type Task } from "./trace.ts";

const PAGES = ["/", "/shop", "/product/polara-pro-earth-green"];
const SHOWN = 10;
/** The calmest of these is the page's own: another program makes tasks longer, and none makes them shorter. */
const ROUNDS = 9;

export async function longestTasks(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const floor = await serveFloor();
  await inBrowser(bench, async ({ browser, url }) => {
    const load = async (address: string) => {
      await (await fetch(address)).arrayBuffer();
      const rounds: Task[][] = [];
      for (let i = 0; i < ROUNDS; i++) rounds.push(await tasksOf(browser, PHONE, address));
      return rounds.toSorted((a, b) => longestMs(a) - longestMs(b));
    };
    rows.push(...shown("the floor", await load(floor.url)));
    for (const path of PAGES) {
      const rounds = await load(url + path);
      rows.push(
        atMost(`${path}, longest task`, longestMs(rounds[0]), LONG_TASK_MS, { unit: "ms" }),
        ...shown(path, rounds),
      );
    }
  });
  floor.stop();
  return [heading("", "begins", "takes"), ...rows];
}

const longestMs = (tasks: Task[] = []) => tasks[0]?.ms ?? 0;

const shown = (page: string, rounds: Task[][]): Row[] => [
  { what: `${page}, longest of each round`, figures: rounds.map((tasks) => round(longestMs(tasks))) },
  { what: `${page}, blocking of each`, figures: rounds.map((tasks) => round(blockingMs(tasks))) },
  ...(rounds[0] ?? []).slice(0, SHOWN).map(({ startMs, ms, cause }) => ({
    what: `  ${page}`,
    figures: [`${round(startMs)} ms`, `${round(ms)} ms`],
    note: cause,
  })),
];
