/** What keeps a page's main thread busy while it loads: the browser's own trace, on a processor four times slower. */
import { setTimeout } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import type { PHONE } from "./browser.ts";

/** As Lighthouse has it. */
export const SLOWER = 4;
/** What the browser calls a long task. */
export const LONG_TASK_MS = 50;
/** How long a page is watched: until all of it is awake and laid out, and the clock has struck twice. */
const WATCHED_MS = 5_000;

type Phone = typeof PHONE;
export type Task = { startMs: number; ms: number; cause: string };

type TraceEvent = {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
  args: { data?: { url?: string; documentLoaderURL?: string } };
};

/**
 * The tasks of a phone's page while it loads, longest first, in milliseconds of its processor: what else the machine does
 * counts for nothing. The tab is the browser's own, as what a test tool puts into a page takes twice as long as the page.
 */
export async function tasksOf(browser: Browser, { viewport, deviceScaleFactor }: Phone, url: string): Promise<Task[]> {
  const devtools = await browser.newBrowserCDPSession();
  const { browserContextId } = await devtools.send("Target.createBrowserContext");
  const { targetId } = await devtools.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await devtools.send("Target.attachToTarget", { targetId });
  const tell = (id: number, method: string, params: object) =>
    devtools.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
  await tell(1, "Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor, mobile: true });
  await tell(2, "Emulation.setTouchEmulationEnabled", { enabled: true });
  await tell(3, "Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await browser.startTracing(undefined, {
    categories: ["toplevel", "devtools.timeline", "v8", "blink.user_timing", "disabled-by-default-devtools.timeline"],
  });
  await tell(4, "Page.navigate", { url });
  await setTimeout(WATCHED_MS);
  const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: TraceEvent[] };
  await devtools.send("Target.disposeBrowserContext", { browserContextId });
  await devtools.detach();
  return tasksIn(trace.traceEvents);
}

function tasksIn(events: TraceEvent[]): Task[] {
  const navigation = events
    .filter(({ name, args }) => name === "navigationStart" && args.data?.documentLoaderURL?.startsWith("http"))
    .at(-1);
  if (!navigation) throw new Error("The trace knows no page.");
  const own = events.filter(
    ({ pid, tid, ph, ts }) => ph === "X" && pid === navigation.pid && tid === navigation.tid && ts >= navigation.ts,
  );
  return own
    .filter(({ name }) => name === "RunTask")
    .map((task) => ({
      startMs: (task.ts - navigation.ts) / 1000,
      ms: (task.tdur ?? task.dur ?? 0) / 1000,
      cause: causeOf(own.filter((one) => one !== task && isWithin(one, task))),
    }))
    .sort((a, b) => b.ms - a.ms);
}

const isWithin = (one: TraceEvent, task: TraceEvent) =>
  one.ts >= task.ts && one.ts + (one.dur ?? 0) <= task.ts + (task.dur ?? 0);

/** What took the most of a task, by the names that the developer tools show, and the file where there is one. */
function causeOf(within: TraceEvent[]): string {
  const sums = new Map<string, number>();
  for (const { name, args, tdur = 0 } of within) {
    const file = /[^/]+$/.exec(args.data?.url ?? "")?.[0] ?? "";
    if (name.includes("RunTask")) continue;
    const key = `${name} ${file}`.trim();
    sums.set(key, (sums.get(key) ?? 0) + tdur / 1000);
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
    .join(", ");
}

/** What of the tasks is more than a finger may wait, as Lighthouse counts it. */
export const blockingMs = (tasks: Task[]): number =>
  tasks.reduce((sum, { ms }) => sum + Math.max(0, ms - LONG_TASK_MS), 0);
