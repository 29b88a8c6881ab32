/** Request limits by network, counted in memory and consumed from the database in tenths (docs/decisions/014). */
import { LRUCache } from "lru-cache";
import { networksAround, type RateLimit, type RateLimits } from "#shop/rate-limits/rate-limits.server.ts";

/** Requests a minute, enough for an office or a carrier that shares one address. */
const PER_MINUTE = {
  writes: 300,
  renders: 240,
  personal: 1_200,
  /** Webhooks that nobody signed. */
  unsigned: 60,
};
export type RequestKind = keyof typeof PER_MINUTE;

const SECONDS = 60;
const SHARE = 1 / 10;
const MAX_NETWORKS = 20_000;

type Count = {
  total: number;
  /** Requests not yet consumed in the database. */
  pending: number;
  endsAt: number;
};

/** `scale` multiplies every limit (RATE_LIMIT_SCALE); `warn` is called if the database does not answer. */
export function openRequestLimits(
  rateLimits: Pick<RateLimits, "consume">,
  scale: number,
  warn: (error: unknown) => void,
) {
  const counts = new LRUCache<string, Count>({ max: MAX_NETWORKS });

  async function share(limit: RateLimit, count: Count): Promise<void> {
    const cost = count.pending;
    count.pending = 0;
    const refused = await rateLimits.consume([{ ...limit, cost }]);
    if (refused) Object.assign(count, { total: Infinity, endsAt: performance.now() + refused.wait * 1000 });
  }

  function consumeOne(name: RequestKind, subject: string, points: number, cost: 0 | 1): number | null {
    const key = `${name} ${subject}`;
    const limit = Math.ceil(points * scale);
    const now = performance.now();
    const known = counts.get(key);
    const count = known && now < known.endsAt ? known : { total: 0, pending: 0, endsAt: now + SECONDS * 1000 };
    if (count !== known) counts.set(key, count);
    if (count.total >= limit) return Math.max(1, Math.ceil((count.endsAt - now) / 1000));
    count.total += cost;
    count.pending += cost;
    if (count.pending >= limit * SHARE) void share({ name, subject, points, seconds: SECONDS }, count).catch(warn);
    return null;
  }

  /** Consumes one request, or with a cost of 0 only asks. Returns null, or the seconds to wait. */
  return function consume(kind: RequestKind, network: string, cost: 0 | 1 = 1): number | null {
    // The narrowest network comes first, so that one over its limit uses up nobody else's.
    for (const { subject, times } of networksAround(network)) {
      const wait = consumeOne(kind, subject, PER_MINUTE[kind] * times, cost);
      if (wait !== null) return wait;
    }
    return null;
  };
}
