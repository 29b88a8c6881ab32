/** Reads emails of strangers in a thread of its own, which ends when it takes too much time or memory. */
import { Worker } from "node:worker_threads";
import type { ParsedMail } from "./parse-mail.server.ts";

/** From the folder in which the shop starts. Node runs it as it stands, beside the built shop too. */
const THREAD = "./shop/support/inbox/mail-thread.ts";
const START_MS = 60_000;
const READ_MS = 20_000;
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/**
 * Readable parts: of an email that is damaged or too costly its `head` alone, or nothing. `unnamed` is an id for one
 * without a Message-ID, the same each time that it comes.
 */
export type Reading = { unnamed: string; head: ParsedMail | null; whole: ParsedMail | null };

/** Reads an email. Throws only if the machine could not start the thread, never because of the email. */
export function readMail(raw: Uint8Array): Promise<Reading> {
  const { promise, resolve, reject } = Promise.withResolvers<Reading>();
  const { execArgv, env, stdout, stderr } = { execArgv: [], env: {}, stdout: true, stderr: true };
  const thread = new Worker(THREAD, { workerData: raw, resourceLimits: LIMITS, execArgv, env, stdout, stderr });
  const end = () => void thread.terminate();
  let timer = setTimeout(end, START_MS);
  let unnamed: string | null = null;
  let problem: unknown = new Error("the thread that reads emails did not start");
  const found: ParsedMail[] = [];
  thread.on("message", (message: string | ParsedMail) => {
    if (typeof message !== "string") return found.push(message);
    unnamed = message;
    clearTimeout(timer);
    timer = setTimeout(end, READ_MS);
  });
  thread.on("error", (error) => (problem = error));
  thread.on("exit", () => {
    clearTimeout(timer);
    const [head = null, whole = null] = found;
    if (unnamed === null) reject(problem);
    else resolve({ unnamed, head, whole });
  });
  return promise;
}
