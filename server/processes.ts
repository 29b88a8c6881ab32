/**
 * WEB_PROCESSES: several processes on one port, and one more for the jobs. The primary, which starts them, holds the port
 * and serves nothing itself; SIGHUP replaces them one after the other, and no request is lost.
 */
import cluster from "node:cluster";
import { Client } from "pg";
import { flushLog, log } from "../app/http/log.server.ts";
import { keptProcess } from "./kept-process.ts";
import { poolSize } from "./pool-size.ts";
import { FORKED, type Given, type Running } from "./web.ts";

async function maxConnections(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query("SHOW max_connections");
    return Number(rows[0].max_connections);
  } finally {
    await client.end();
  }
}

function endWith(reason: string): never {
  log.error(reason);
  flushLog();
  process.exit(1);
}

/** Starts `count` web processes, and one for the jobs where they are not done elsewhere. Resolves when all of them run. */
export async function startProcesses({ config, place, hasJobs }: Given, count: number): Promise<Running> {
  const size = poolSize(count, await maxConnections(config.databaseUrl));
  const given = { config: { ...config, poolSize: size }, place };
  const isPassed = "fd" in place;
  // Processes that accept by themselves leave in the socket what nobody has accepted, for the shop that comes after this one.
  if (isPassed) cluster.schedulingPolicy = cluster.SCHED_NONE;
  // After that: it fixes how connections are handed out.
  cluster.setupPrimary({ args: [FORKED] });
  const lost = () => {
    // Node closes a socket with the last process that uses it, and cannot open a passed one again; a service manager can.
    if (isPassed && !webs.some((one) => one.isRunning())) endWith("all processes ended: the shop ends, too");
  };
  const web = () => keptProcess({ ...given, role: "web" }, lost);
  const first = web();
  const webs = [first, ...Array.from({ length: count - 1 }, web)];
  const worker = hasJobs ? keptProcess({ ...given, role: "worker" }) : null;
  const all = worker ? [...webs, worker] : webs;

  let replacing: Promise<unknown> = Promise.resolve();
  const replaceAll = async () => {
    for (const one of all) await one.replace();
  };
  // The first one brings the database up to date, so that the others find it so.
  await first.start();
  await Promise.all(all.slice(1).map((one) => one.start()));
  process.on("SIGHUP", () => {
    replacing = replacing
      .then(replaceAll)
      .catch((error: Error) => log.error({ reason: error.message }, "not replaced: a new process did not start"));
  });
  return {
    async stop(how) {
      await Promise.all(webs.map((one) => one.stop(how)));
      await worker?.stop(how);
    },
  };
}
