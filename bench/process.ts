/** The server process: time to the first response, memory while idle. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve, START } from "./measured.ts";
import { atMost, figure, median, type Row } from "./report.ts";

const RUNS = 3;

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

export async function processFigures(): Promise<Row[]> {
  const env = { DATA_DIR: mkdtempSync(join(tmpdir(), "polara-bench-")) };
  const first = await serve(process.execPath, START, env);
  await first.stop();
  const [started, idle]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    const shop = await serve(process.execPath, START, env);
    started.push(shop.startedMs);
    await new Promise((done) => setTimeout(done, 3_000));
    idle.push(residentMegabytes(shop.pid));
    await shop.stop();
  }
  rmSync(env.DATA_DIR, { recursive: true, force: true });
  return [
    atMost("start to the first answer, with a build and a database", median(started) / 1000, 1.5, {
      unit: "s",
      digits: 2,
    }),
    figure("start with a new database", first.startedMs / 1000, { unit: "s", digits: 2 }),
    atMost("memory of the server, idle", median(idle), 170, { unit: "MB" }),
  ];
}
