/** WEB_PROCESSES: web processes on one port by node:cluster, and one worker. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#platform/log.server.ts";
import type { Running, Stop, Task } from "./serve.ts";

type Order = Pick<Task, "config" | "place"> & { role: "web" | "worker" };
type Message = { needsOrder?: true; failure?: string };

/** Longer than draining, open requests and jobs take together. */
const STOP_MS = 20_000;

async function end(child: Worker, how: Stop): Promise<void> {
  if (child.isDead()) return;
  const exited = once(child, "exit");
  if (child.isConnected()) child.send(how);
  const forced = setTimeout(() => child.process.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(forced);
}

/** Runs `count` web processes, and a worker if this shop runs jobs. Resolves when all are ready. */
export async function startProcesses({ config, place, hasJobs }: Task, count: number): Promise<Running> {
  // Unaccepted connections stay in a passed socket for the next shop.
  if ("fd" in place) cluster.schedulingPolicy = cluster.SCHED_NONE;
  const running = new Map<Worker, Order["role"]>();
  let isStopping = false;

  const start = (role: Order["role"]) =>
    new Promise<void>((done, failed) => {
      const child = cluster.fork();
      child.on("error", () => {});
      child.on("message", ({ needsOrder, failure }: Message) => {
        if (needsOrder) return void child.send({ config, place, role } satisfies Order);
        if (failure !== undefined) return failed(new Error(failure));
        running.set(child, role);
        log.info({ role, pid: child.process.pid }, "a process has started");
        done();
      });
      child.once("exit", (code, signal) => {
        failed(new Error("A process of the shop ended before it had started."));
        if (!running.delete(child) || isStopping) return;
        log.error({ role, pid: child.process.pid, code, signal }, "a process ended and is started again");
        // Node closes a passed socket with the last process; systemd restarts the service with it open.
        if ("fd" in place && ![...running.values()].includes("web")) process.exit(1);
        void restart(role);
      });
    });

  const restart = async (role: Order["role"]): Promise<void> => {
    await sleep(500);
    if (!isStopping) await start(role).catch(() => restart(role));
  };

  async function replaceAll(): Promise<void> {
    for (const [child, role] of new Map(running)) {
      if (isStopping || !running.has(child)) continue;
      await start(role);
      running.delete(child);
      await end(child, { isUrgent: false, isReplaced: true });
    }
  }

  // The first process migrates the database.
  await start("web");
  await Promise.all([...Array.from({ length: count - 1 }, () => start("web")), hasJobs && start("worker")]);
  let replaced = Promise.resolve();
  const notReplaced = (error: Error) => log.error({ reason: error.message }, "a new process did not start");
  process.on("SIGHUP", () => (replaced = replaced.then(replaceAll).catch(notReplaced)));
  return {
    async stop(how) {
      isStopping = true;
      const children = Object.values(cluster.workers ?? {}).flatMap((child) => child ?? []);
      await Promise.all(children.filter((one) => running.get(one) !== "worker").map((one) => end(one, how)));
      await Promise.all(children.map((one) => end(one, how)));
    },
  };
}

export async function runForked(begin: (order: Order) => Promise<Running>): Promise<void> {
  // Terminals and service managers signal every process; the primary decides the order of shutdown.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  const report = (message: Message) => new Promise((sent) => process.send?.(message, sent));
  const ordered = once(process, "message");
  await report({ needsOrder: true });
  const starting = ordered.then(([order]) => begin(order as Order));
  await ordered;
  process.on("message", async (how: Stop) => {
    await (await starting).stop(how);
    // Connections in transit return to the primary, which hands them to another process.
    cluster.worker?.disconnect();
    if (process.connected) await once(process, "disconnect");
    process.exit(0);
  });
  await starting.then(
    () => report({}),
    (error: Error) => report({ failure: error.message }).then(() => process.exit(1)),
  );
}
