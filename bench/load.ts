/** Load from outside, over loopback, and what it cost the process that answered. */
import autocannon, { type Request as Shot } from "autocannon";
import { cpuSeconds, type Served } from "./processes.ts";

export type Load = {
  perSecond: number;
  cpuMsEach: number;
  /** What the load itself cost, on the same processors. */
  ownCpuMsEach: number;
  answered: number;
  /** How long each answer took. */
  times: number[];
};

const SAMPLE_MS = 20;

/** `visit` is kept by one connection from the first of its steps to the last. */
export type Step = (visit: Record<string, unknown>) => Pick<Shot, "method" | "path" | "headers" | "body">;

type Options = {
  path?: string;
  headers?: Record<string, string>;
  connections?: number;
  /** Makes every request another one; several are one visit, made in turn again and again. */
  next?: Step | Step[];
  status?: number;
} & ({ amount: number } | { seconds: number });

export async function load(served: Served, options: Options): Promise<Load> {
  const { path = "/", headers = {}, connections = 32, next, status = 200 } = options;
  const before = cpuSeconds(served.pid);
  const ownBefore = process.cpuUsage();
  const times: number[] = [];
  const result = await autocannon({
    url: served.url + path,
    connections,
    ...("amount" in options ? { amount: options.amount } : { duration: options.seconds }),
    headers,
    setupClient: (client) => void client.on("response", (_status, _bytes, ms) => times.push(ms)),
    // It ends with a sample: the default of a second would round every duration up to a whole one.
    sampleInt: SAMPLE_MS,
    ...(next && {
      requests: [next].flat().map((step) => ({
        setupRequest: (shot: Shot, visit: object) => {
          const { headers: own, ...rest } = step(visit as Record<string, unknown>);
          return { ...shot, ...rest, headers: { ...shot.headers, ...own } };
        },
      })),
    }),
  });
  const answered = (result.statusCodeStats as Record<string, { count?: number }>)[status]?.count ?? 0;
  const expected = "amount" in options ? options.amount : times.length;
  if (answered < expected) {
    throw new Error(`${path}: ${answered} of ${expected} were ${status}: ${JSON.stringify(result.statusCodeStats)}`);
  }
  const own = process.cpuUsage(ownBefore);
  return {
    perSecond: answered / result.duration,
    ownCpuMsEach: (own.user + own.system) / 1000 / answered,
    cpuMsEach: ((cpuSeconds(served.pid) - before) * 1000) / answered,
    answered,
    times,
  };
}

/** Runs `work` again and again, `concurrency` at a time, `amount` times in all; returns how many a second. */
export async function perSecond(
  concurrency: number,
  amount: number,
  work: (i: number) => Promise<void>,
): Promise<{ perSecond: number }> {
  let started = 0;
  const began = performance.now();
  const lane = async () => {
    while (started < amount) await work(started++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { perSecond: (amount * 1000) / (performance.now() - began) };
}
