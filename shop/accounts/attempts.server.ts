/**
 * How often somebody may try. Guessing is limited by account, so that one person's wrong passwords
 * never lock out the household or office they share an address with.
 */
import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `points` tries within `seconds`: by account and address together, by account, and by address. */
const LIMITS = {
  "sign-in": { both: [10, 15 * MINUTE], account: [100, HOUR], address: [300, 15 * MINUTE] },
  code: { both: [10, 15 * MINUTE], account: [30, HOUR], address: [300, 15 * MINUTE] },
  letter: { both: [5, 15 * MINUTE], account: [10, HOUR], address: [100, 15 * MINUTE] },
  "sign-up": { both: [10, HOUR], account: [20, HOUR], address: [60, HOUR] },
} as const satisfies Record<string, Record<"both" | "account" | "address", readonly [number, number]>>;

export type AttemptKind = keyof typeof LIMITS;
export type Who = { /** An email or a user id. */ account: string; address: string };

/** Counters in the database, so that all processes count together. `scale` is RATE_LIMIT_SCALE. */
export function openAttempts(pool: Pool, scale: number) {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiter = (kind: AttemptKind, by: "both" | "account" | "address") => {
    const name = `${kind}:${by}`;
    let found = limiters.get(name);
    if (!found) {
      const [points, duration] = LIMITS[kind][by];
      found = new RateLimiterPostgres({
        storeClient: pool,
        tableName: "attempts",
        tableCreated: true,
        keyPrefix: name,
        points: Math.ceil(points * scale),
        duration,
        // One of them clears the table for all.
        clearExpiredByTimeout: name === "sign-in:address",
      });
      limiters.set(name, found);
    }
    return found;
  };
  const keys = ({ account, address }: Who) =>
    [
      ["both", `${account.toLowerCase()}|${address}`],
      ["account", account.toLowerCase()],
      ["address", address],
    ] as const;

  return {
    /** Counts one try. Answers null where it may go on, else the seconds to wait. */
    async take(kind: AttemptKind, who: Who): Promise<number | null> {
      for (const [by, key] of keys(who)) {
        try {
          await limiter(kind, by).consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        }
      }
      return null;
    },
    /** A try that was right: it does not count. */
    async forgive(kind: AttemptKind, who: Who): Promise<void> {
      await Promise.all([
        limiter(kind, "both").delete(keys(who)[0][1]),
        limiter(kind, "account").reward(keys(who)[1][1]),
        limiter(kind, "address").reward(keys(who)[2][1]),
      ]);
    },
  };
}

export type Attempts = ReturnType<typeof openAttempts>;

/** What somebody is told who has tried too often. */
export function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE);
  return `Too many attempts. Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`;
}
