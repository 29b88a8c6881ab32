/** A process that the primary has started: it does what it is told, and ends when it is told to. */
import cluster from "node:cluster";
import { once } from "node:events";
import type { Stop } from "./draining.ts";
import { endOnBugs, type Given, type Running } from "./web.ts";

/** What the primary says first. */
export type Order = Omit<Given, "hasJobs"> & { role: "web" | "worker" };
/** What a process answers once: nothing in it where all is well. */
export type Answer = { failed?: string };

const tell = (answer: Answer) => new Promise((done) => process.send?.(answer, done));

/** Runs what `begin` makes of the primary's order. */
export async function runForked(begin: (order: Order) => Promise<Running>): Promise<void> {
  // A terminal and a service manager send these to all processes; the primary says when and in which order they end.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  const [order] = (await once(process, "message")) as [Order];
  const starting = begin(order);
  process.on("message", (how: Stop) => void starting.then((running) => end(running, how)));
  try {
    await starting;
    endOnBugs();
    await tell({});
  } catch (error) {
    await tell({ failed: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

async function end(running: Running, how: Stop): Promise<void> {
  await running.stop(how);
  // A connection that was on its way to this process goes back to the primary, and to another one.
  cluster.worker?.disconnect();
  if (process.connected) await once(process, "disconnect");
  process.exit(0);
}
