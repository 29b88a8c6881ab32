/** Processes under measurement: started, waited for, asked what they use, stopped. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { freePort } from "../tests/support/shop.ts";

export type Served = {
  url: string;
  pid: number;
  /** Milliseconds from spawning to the first answer. */
  startedMs: number;
  stop(): Promise<void>;
};

const TICKS_PER_SECOND = 100;
const PATIENCE_MS = 120_000;

/**
 * Runs a command that serves on PORT and waits for `path` to answer. Its log goes nowhere: reading
 * it here would take the time of the one who measures.
 */
export async function serve(
  command: string,
  args: string[],
  { env = {}, path = "/" }: { env?: Record<string, string>; path?: string } = {},
): Promise<Served> {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const began = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, NODE_ENV: "production", RATE_LIMIT_SCALE: "1000000", ...env, PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  // Nothing outlives the measuring, also where it fails or is interrupted.
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  void ended.then(() => process.off("exit", end));
  await answers(url + path, child, began + PATIENCE_MS);
  return {
    url,
    pid: child.pid ?? 0,
    startedMs: performance.now() - began,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function answers(url: string, child: ChildProcess, deadline: number): Promise<void> {
  for (;;) {
    const isOk = await fetch(url).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
    if (isOk) return;
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${child.spawnargs.join(" ")} does not answer at ${url}`);
    }
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** As `npm start` does, without its set-up. */
export const START = ["--max-semi-space-size=16", "build/server/index.js"];

export const serveShop = (env: Record<string, string>) => serve(process.execPath, START, { env });

/** Seconds of CPU that a process has used on all its threads; NaN where the system does not say. */
export function cpuSeconds(pid: number): number {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "";
    const fields = afterName.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}

/** Resident memory in megabytes; NaN where the system does not say. */
export function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return NaN;
  }
}
