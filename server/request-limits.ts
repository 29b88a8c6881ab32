/**
 * How much of the shop one network may ask for in a minute. Each process counts in memory, so that no request
 * waits for the database, and settles with it each time it has counted a tenth of a limit: docs/decisions/014.
 */
import { LRUCache } from "lru-cache";
import type { RateLimits } from "../shop/rate-limits/rate-limits.server.ts";

/** Requests a minute for one network: a family, an office, or a provider that puts many behind one address. */
const PER_MINUTE = {
  /** Forms that are sent. */
  writes: 300,
  /** Pages that are not kept ready: filters, searches, what does not exist. */
  renders: 240,
  /** Cart, checkout, account, and what the header asks for with every page. */
  personal: 1_200,
};
export type RequestKind = keyof typeof PER_MINUTE;

const SECONDS = 60;
const SETTLE_SHARE = 1 / 10;
const MAX_NETWORKS = 20_000;
const MAX_SETTLED_AT_ONCE = 1_000;
const SETTLE_MS = 100;
const RETRY_MS = 1_000;

type Count = {
  name: RequestKind;
  network: string;
  /** What all processes together had counted when this one last settled with the database. */
  settled: number;
  /** Counted by this process since then. */
  pending: number;
  /** Milliseconds of this process's clock. */
  endsAt: number;
};

export type RequestLimits = {
  /** Counts one request. Returns null, or the seconds to wait where the limit is used up. */
  consume(kind: RequestKind, network: string): number | null;
};

/** `scale` multiplies every limit (RATE_LIMIT_SCALE); `warn` gets the error where the database does not answer. */
export function openRequestLimits({
  record,
  scale,
  warn,
}: {
  record: RateLimits["record"];
  scale: number;
  warn(error: unknown): void;
}): RequestLimits {
  // Only `peek` and `set`: the one that began first goes. Finding that one in a Map takes longer the more have gone before.
  const counts = new LRUCache<string, Count>({ max: MAX_NETWORKS });
  const due = new Set<Count>();
  let isSettling = false;

  function countOf(name: RequestKind, network: string, now: number): Count {
    const key = `${name} ${network}`;
    const known = counts.peek(key);
    if (known && now < known.endsAt) return known;
    const count = { name, network, settled: 0, pending: 0, endsAt: now + SECONDS * 1000 };
    counts.set(key, count);
    return count;
  }

  function settleAfter(ms: number): void {
    if (isSettling || due.size === 0) return;
    isSettling = true;
    setTimeout(() => void settle(), ms).unref();
  }

  async function settle(): Promise<void> {
    const batch = [...due].slice(0, MAX_SETTLED_AT_ONCE);
    for (const count of batch) due.delete(count);
    const points = batch.map(({ pending }) => pending);
    let pause = SETTLE_MS;
    try {
      const totals = await record(
        batch.map(({ name, network: subject, pending: cost }) => ({ name, subject, cost, seconds: SECONDS })),
      );
      const now = performance.now();
      for (const [i, count] of batch.entries()) {
        const total = totals[i];
        if (!total) continue;
        count.pending -= points[i] ?? 0;
        count.settled = total.points;
        count.endsAt = Math.min(count.endsAt, now + total.seconds * 1000);
      }
    } catch (error) {
      warn(error);
      for (const count of batch) if (performance.now() < count.endsAt) due.add(count);
      pause = RETRY_MS;
    }
    isSettling = false;
    settleAfter(pause);
  }

  return {
    consume(kind, network) {
      const limit = Math.ceil(PER_MINUTE[kind] * scale);
      const now = performance.now();
      const count = countOf(kind, network, now);
      if (count.settled + count.pending >= limit) return Math.max(1, Math.ceil((count.endsAt - now) / 1000));
      count.pending++;
      if (count.pending >= limit * SETTLE_SHARE) {
        due.add(count);
        settleAfter(SETTLE_MS);
      }
      return null;
    },
  };
}
