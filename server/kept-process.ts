/** One process that the primary keeps running: started again where it ends by itself, and replaced without a gap. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../app/http/log.server.ts";
import type { Stop } from "./draining.ts";
import type { Answer, Order } from "./forked.ts";

/** Longer than draining and the jobs under way may take: what has not ended then hangs. */
const STOP_MS = 20_000;
/** A process that has lived for as long is started again at once; the others wait longer each time. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export type KeptProcess = {
  start(): Promise<void>;
  /** A new one runs before the old one is told to end. */
  replace(): Promise<void>;
  stop(how: Stop): Promise<void>;
  isRunning(): boolean;
};

const exitOf = (child: Worker) => new Promise<void>((done) => child.once("exit", () => done()));

/** Tells a process to end, and waits until it has. */
async function end(child: Worker, how: Stop): Promise<void> {
  if (child.isDead()) return;
  const ended = exitOf(child);
  if (child.isConnected()) child.send(how);
  const forced = setTimeout(() => child.process.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(forced);
}

/** Resolves when the process runs; throws what kept it from that. */
function ready(child: Worker): Promise<void> {
  return new Promise((done, failed) => {
    child.once("exit", () => failed(new Error("A process of the shop ended before it had started.")));
    child.once("message", ({ failed: reason }: Answer) => (reason ? failed(new Error(reason)) : done()));
  });
}

/** Keeps a process that does what `order` says; `ended` hears of each that ended by itself. */
export function keptProcess(order: Order, ended: () => void = () => {}): KeptProcess {
  const all = new Set<Worker>();
  let current: Worker | null = null;
  let isStopping = false;
  let pause = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** What starts a process waits for what does so already. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const done = turn.then(task);
    turn = done.catch(() => {});
    return done;
  };

  async function launch(): Promise<void> {
    const child = cluster.fork();
    const startedAt = performance.now();
    all.add(child);
    // An end that is noticed while it is written to; "exit" follows.
    child.on("error", () => {});
    child.once("exit", (code, signal) => {
      all.delete(child);
      if (child !== current) return;
      current = null;
      if (isStopping) return;
      log.error({ role: order.role, pid: child.process.pid, code, signal }, "a process ended and is started again");
      ended();
      const isSteady = performance.now() - startedAt > STEADY_MS;
      pause = isSteady ? 0 : Math.min(pause * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      void inTurn(revive);
    });
    child.send(order);
    await ready(child);
    current = child;
    log.info({ role: order.role, pid: child.process.pid }, "a process has started");
  }

  async function revive(): Promise<void> {
    while (!current && !isStopping) {
      await sleep(pause);
      if (isStopping) return;
      await launch().catch((error: Error) => {
        log.error({ role: order.role, reason: error.message }, "a process did not start and is tried again");
        pause = Math.min(pause * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      });
    }
  }

  return {
    isRunning: () => current !== null,
    start: () => inTurn(launch),
    replace: () =>
      inTurn(async () => {
        if (isStopping) return;
        const before = current;
        await launch();
        if (before) await end(before, { isUrgent: false, isReplaced: true });
      }),
    async stop(how) {
      isStopping = true;
      await Promise.all([...all].map((child) => end(child, how)));
    },
  };
}
