/** `npm run order`, as somebody types it. */
import { spawn } from "node:child_process";
import type { Ended } from "../../scripts/order/run.ts";

/** Runs one command beside a shop, in a process of its own. */
export function typeOrder(
  env: Record<string, string>,
  args: string[],
): Promise<Omit<Ended, "code"> & { code: number | null }> {
  const child = spawn(process.execPath, ["scripts/order.ts", ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", error: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.error += chunk.toString()));
  return new Promise((done) => child.once("close", (code) => done({ ...said, code })));
}
