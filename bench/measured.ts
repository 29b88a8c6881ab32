/** Measured processes, load, and their CPU and SQL. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import autocannon, { type Request as Shot } from "autocannon";
import type { Client } from "pg";
import { createDatabase } from "#tests/support/database.setup.ts";
import { freePort } from "#tests/support/shop.ts";
import { median } from "./report.ts";

/** `admin` reads the statement counts. */
export type Bench = { server: string; template: string; admin: string };

export const freshDatabase = ({ server, template }: Bench) => createDatabase(server, template);

/** Also signs the guests' cookies. */
export const AUTH_SECRET = "a secret that only the bench knows, and long enough";

export type Served = {
  url: string;
  pid: number;
  /** Milliseconds from the start to the first response. */
  startedMs: number;
  stop(): Promise<void>;
};

/** Starts a server on PORT and waits for its first response. */
export async function serve(command: string, args: string[], env: Record<string, string> = {}): Promise<Served> {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const began = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, NODE_ENV: "production", RATE_LIMIT_SCALE: "1000000", ...env, PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  void ended.then(() => process.off("exit", kill));
  const isUp = () =>
    fetch(url).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null || performance.now() > began + 120_000) throw new Error(`${args.join(" ")} is not up`);
    await new Promise((done) => setTimeout(done, 10));
  }
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

/** `npm start` without its setup. */
export const START = ["--max-semi-space-size=16", "build/server/index.js"];

export const serveShop = (env: Record<string, string>): Promise<Served> =>
  serve(process.execPath, START, { AUTH_SECRET, ...env });

/** CPU seconds of all threads of a process. */
function cpuSeconds(pid: number): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export type Load = { perSecond: number; cpuMsEach: number };

/** One request of a visit. `visit` is the state of one connection, from first step to last. */
export type Step = (visit: Record<string, string>) => Pick<Shot, "method" | "path" | "headers" | "body">;

type Options = { headers?: Record<string, string>; connections?: number; steps: Step | Step[] } & (
  | { amount: number }
  | { seconds: number }
);

/** Load over loopback. Throws on a response of 400 and above. */
export async function load(served: Served, options: Options): Promise<Load> {
  const { headers = {}, connections = 32, steps } = options;
  const before = cpuSeconds(served.pid);
  const result = await autocannon({
    url: served.url,
    connections,
    timeout: 60,
    ...("amount" in options ? { amount: options.amount } : { duration: options.seconds }),
    headers,
    // The default sample of a second would round durations up.
    sampleInt: 20,
    requests: [steps].flat().map((step) => ({
      setupRequest: (shot: Shot, visit: object) => {
        const { headers: own, ...rest } = step(visit as Record<string, string>);
        return { ...shot, ...rest, headers: { ...shot.headers, ...own } };
      },
    })),
  });
  if (result["4xx"] + result["5xx"] + result.errors > 0) {
    throw new Error(`${served.url} refused: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  }
  const answered = result["2xx"] + result["3xx"];
  return {
    perSecond: answered / result.duration,
    cpuMsEach: ((cpuSeconds(served.pid) - before) * 1000) / answered,
  };
}

const ROUNDS = 5;

/** Runs both sides in turn, after a round to warm up. Returns the medians of each side and of their ratio. */
export async function compare(run: () => Promise<Load>, runOther: () => Promise<Load>) {
  const rounds: { one: Load; other: Load }[] = [];
  for (let i = -1; i < ROUNDS; i++) {
    const both = { one: await run(), other: await runOther() };
    if (i >= 0) rounds.push(both);
  }
  const medianOf = (of: "one" | "other"): Load => ({
    perSecond: median(rounds.map((both) => both[of].perSecond)),
    cpuMsEach: median(rounds.map((both) => both[of].cpuMsEach)),
  });
  const ratio = median(rounds.map(({ one, other }) => one.perSecond / other.perSecond));
  return { one: medianOf("one"), other: medianOf("other"), ratio };
}

/** A GET of the paths in turn. */
export const get = (...paths: string[]): Step => {
  let turn = 0;
  return () => ({ method: "GET", path: paths[turn++ % paths.length] ?? "/" });
};

/** Statements of a run and their milliseconds, by pg_stat_statements. */
export async function countSql(
  admin: Client,
  databaseUrl: string,
  run: () => Promise<unknown>,
): Promise<{ calls: number; ms: number }> {
  await admin.query("SELECT pg_stat_statements_reset()");
  await run();
  const { rows } = await admin.query<{ calls: number; ms: number }>(
    `SELECT coalesce(sum(calls), 0)::int AS calls, coalesce(sum(total_exec_time), 0)::float8 AS ms
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1`,
    [new URL(databaseUrl).pathname.slice(1)],
  );
  return rows[0] ?? { calls: NaN, ms: NaN };
}
